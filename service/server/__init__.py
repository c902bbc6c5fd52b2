"""The HTTP server: uvicorn, set up to drain."""
