#![no_main]

#[path = "../../support/fuzzing.rs"]
mod fuzzing;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzzing::obj(bytes));
