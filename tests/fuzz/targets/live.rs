#![no_main]

use smirk_support::live_checks;

libfuzzer_sys::fuzz_target!(init: smirk_fuzz_checks::print_panics_only(), |bytes: &[u8]| live_checks::packets(bytes));
