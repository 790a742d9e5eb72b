//! Nothing: the benchmarks are the targets of this package.
