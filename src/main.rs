//! Reads the command line, runs, prints errors as one line.

fn main() {}
