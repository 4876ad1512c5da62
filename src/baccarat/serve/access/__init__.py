"""Access: who may come in, as what, and what each may do. It knows the store and the clock, and no web framework."""
