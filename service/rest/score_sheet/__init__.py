"""The score sheet as CSV and HTML."""
