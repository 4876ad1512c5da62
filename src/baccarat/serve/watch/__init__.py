"""For those who oversee the house: acts in sentences, alerts, audits on demand, what theory expected."""
