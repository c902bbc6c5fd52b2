"""Compiled search: one hand of a game on bit masks, for robots that look ahead.

Importing a module of this package, `encoding` apart, imports numba, and the first call of a function compiles it or loads it from the cache
on disk. The rules here are those of `domain.tricks`; tests hold the two together.
"""
