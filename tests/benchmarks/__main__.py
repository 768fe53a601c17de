"""Prints all benchmarks: ``make bench``."""

from tests.benchmarks import bench_crypto, bench_engine, bench_start

for benchmark in (bench_crypto, bench_engine, bench_start):
    benchmark.main()
