//! What it costs to carry all shapes of the bundled head over to a head of as many vertices.
#![allow(clippy::unwrap_used, reason = "a benchmark")]

use divan::{Bencher, black_box};
use smirk_analysis::transfer::{Settings, Source, landmarks, transfer};
use smirk_base::progress::Progress;
use smirk_face::head::Head;
use smirk_files::import;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

fn bare(head: &Head) -> Head {
    head.with_targets_alone(vec![Vec::new(); head.meshes.len()])
}

#[divan::bench]
fn features(bencher: Bencher<'_, '_>) {
    let head = bare(&import::embedded().unwrap());
    bencher.bench_local(|| landmarks(black_box(&head)).unwrap());
}

#[divan::bench]
fn source(bencher: Bencher<'_, '_>) {
    let head = import::embedded().unwrap();
    bencher.bench_local(|| drop(Source::new(black_box(&head)).unwrap()));
}

#[divan::bench(args = [1, 53], sample_count = 3, sample_size = 1)]
fn shapes(bencher: Bencher<'_, '_>, count: usize) {
    let head = import::embedded().unwrap();
    let (source, target) = (Source::new(&head).unwrap(), bare(&head));
    let names = head.channels.iter().map(|channel| channel.name.clone()).filter(|name| name != "tongueOut").take(count);
    let settings = Settings { shapes: Some(names.collect()), ..Settings::default() };
    bencher.bench_local(|| transfer(&source, black_box(&target), &settings, Progress::NONE).unwrap());
}
