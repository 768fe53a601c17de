"""Prints all benchmarks: ``make bench``."""

from tests.benchmarks import bench_crypto, bench_engine, bench_find, bench_start

for benchmark in (bench_crypto, bench_engine, bench_start, bench_find):
    benchmark.main()
