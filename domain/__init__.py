"""The rules of La Pocha: pure values and functions, without clock, dice, input or output."""
