#![no_main]

use smirk_support::{fuzzing, own_files};

libfuzzer_sys::fuzz_target!(init: fuzzing::print_panics_only(), |bytes: &[u8]| own_files::settings(bytes));
