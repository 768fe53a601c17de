"""The rules of Durak: pure and deterministic, without chance, clock, input or output."""
