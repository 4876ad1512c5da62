"""What the documents say: editions, Submissions, rulebooks, and the clauses behind them."""
