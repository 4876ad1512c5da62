"""What happens by itself at a table: told the time and the chance, it says what comes next, and does nothing."""
