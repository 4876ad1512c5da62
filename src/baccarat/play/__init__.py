"""One round of play, pure: dealt by the tableau, settled to the cent, each decision with its clause."""
