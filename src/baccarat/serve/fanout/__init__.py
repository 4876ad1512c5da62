"""Fan-out: who looks at a table or follows the house, and what each is sent."""
