"""One table, without I/O: a dealer, a floorperson, participants, and everything that can go wrong."""
