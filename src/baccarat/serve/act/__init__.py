"""Acts of people: what somebody may do, the form of it, what it would lead to, and how it is taken in."""
