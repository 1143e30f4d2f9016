"""How fast ginsim is: data sets, benchmarks, instruction counts (docs/performance.md)."""
