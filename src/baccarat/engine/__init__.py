"""The engine: acts are decided, entered and decided again; their files and forms are in `record`."""
