#![no_main]

use smirk_support::fuzzing;

libfuzzer_sys::fuzz_target!(init: fuzzing::print_panics_only(), |bytes: &[u8]| fuzzing::markers(bytes));
