"""Fan-out: who watches a table or follows the house, and what each is sent."""
