"""The runtime of a served house: acts are decided in memory, committed in groups, and recovered from the store."""
