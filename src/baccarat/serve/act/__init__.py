"""Acts of people: what somebody may do, its form, its preview, and its intake."""
