"""The parameters of La Pocha and the arithmetic that follows from them."""
