#![no_main]

libfuzzer_sys::fuzz_target!(init: smirk_fuzz_checks::print_panics_only(), |bytes: &[u8]| smirk_fuzz_checks::obj(bytes));
