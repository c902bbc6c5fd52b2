"""How much anybody may ask of the service: what is counted, for whom, and where the counts are kept."""
