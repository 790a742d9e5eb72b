//! Building the layout of a head, which is part of opening it: `cargo bench -p smirk-benches --bench layout`.

mod heads;

use divan::Bencher;
use heads::Subject;
use smirk_graphics::blend::{Layout, Precision};

fn main() {
    divan::main();
}

#[divan::bench(args = Subject::ALL)]
fn packed(bencher: Bencher, subject: Subject) {
    let head = subject.head();
    bencher.bench_local(|| Layout::new(&head, Precision::Packed));
}

#[divan::bench(args = Subject::ALL)]
fn exact(bencher: Bencher, subject: Subject) {
    let head = subject.head();
    bencher.bench_local(|| Layout::new(&head, Precision::Exact));
}
