#![no_main]

use smirk_fuzz_checks::own_files;

libfuzzer_sys::fuzz_target!(init: smirk_fuzz_checks::print_panics_only(), |bytes: &[u8]| own_files::settings(bytes));
