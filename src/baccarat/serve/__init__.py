"""The live house: tables served to many people at once, everything kept durably before anybody hears of it."""
