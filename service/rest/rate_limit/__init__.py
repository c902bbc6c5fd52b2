"""Rate limits: policies, counters and the middleware that enforces them."""
