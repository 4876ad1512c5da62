"""Several nodes on one store: leases, the log that others write, and their other changes."""
