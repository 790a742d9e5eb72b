//! Inputs that a fuzzer once made the importer fail with.

use smirk_support::watch;

#[test]
fn inputs_that_fuzzing_found_no_longer_fail() {
    let folder = smirk_support::repository().join("tests/fuzz/regressions");
    for (target, run) in smirk_fuzz_checks::TARGETS {
        let Ok(inputs) = std::fs::read_dir(folder.join(target)) else { continue };
        for input in inputs {
            let path = input.unwrap().path();
            let bytes = std::fs::read(&path).unwrap();
            watch::watch(&path.display().to_string(), watch::justified_bytes(bytes.len()), move || run(&bytes));
        }
    }
}
