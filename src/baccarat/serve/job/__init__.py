"""Background jobs of an open house."""
