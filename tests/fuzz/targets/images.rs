#![no_main]

use smirk_support::fuzzing;

libfuzzer_sys::fuzz_target!(init: fuzzing::let_panics_be_caught(), |bytes: &[u8]| fuzzing::images(bytes));
