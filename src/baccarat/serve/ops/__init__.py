"""For whoever runs a server: its log, its figures, and what it must have before it serves real tables."""
