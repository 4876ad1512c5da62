"""For those who watch over the house: acts in sentences, alerts, audits on demand, what theory expected."""
