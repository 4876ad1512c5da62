"""Access: who may sign on, in which role, and what each may do. It uses the store and the clock, no web framework."""
