"""For the operator of a server: its log, its metrics, and the supervisor of its tasks."""
