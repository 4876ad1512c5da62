"""Several nodes on one store: leases, the log that others write, and what they change beside it."""
