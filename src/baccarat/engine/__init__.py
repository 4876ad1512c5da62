"""The engine: acts are decided, entered and decided again; files and forms are of `record`."""
