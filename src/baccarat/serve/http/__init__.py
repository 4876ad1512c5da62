"""The outer shell of the server: limits, problems, sockets; the routes are in `route`."""
