"""Prints all benchmarks: ``make bench``."""

from tests.benchmarks import bench_console, bench_crypto, bench_engine, bench_find, bench_resume, bench_start

for benchmark in (bench_crypto, bench_engine, bench_start, bench_find, bench_console, bench_resume):
    benchmark.main()
