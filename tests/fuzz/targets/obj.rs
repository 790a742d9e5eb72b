#![no_main]

#[path = "../../support/fuzzing.rs"]
mod fuzzing;

libfuzzer_sys::fuzz_target!(init: fuzzing::let_panics_be_caught(), |bytes: &[u8]| fuzzing::obj(bytes));
