//! What it costs to carry all shapes of the bundled head over to a head of as many vertices.
#![allow(clippy::unwrap_used, reason = "a benchmark")]

use std::collections::BTreeMap;

use divan::{Bencher, black_box};
use smirk_analysis::transfer::{Face, Settings, Source, completed, landmarks, transfer};
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
fn faces(bencher: Bencher<'_, '_>) {
    let head = import::embedded().unwrap();
    let target = bare(&head);
    let none = BTreeMap::new();
    bencher.bench_local(|| {
        let (source, face) = rayon::join(|| Source::new(black_box(&head)), || Face::new(black_box(&target), &none));
        drop((source.unwrap(), face.unwrap()));
    });
}

/// All of one or 53 shapes but for reading the faces: 53 take longer than one by what carrying them costs.
#[divan::bench(args = [1, 53], sample_count = 3, sample_size = 1)]
fn shapes(bencher: Bencher<'_, '_>, count: usize) {
    let head = import::embedded().unwrap();
    let target = bare(&head);
    let (source, face) = (Source::new(&head).unwrap(), Face::new(&target, &BTreeMap::new()).unwrap());
    let names = head.channels.iter().map(|channel| channel.name.clone()).filter(|name| name != "tongueOut").take(count);
    let settings = Settings { shapes: Some(names.collect()), ..Settings::default() };
    bencher.bench_local(|| transfer(&source, black_box(&face), &settings, Progress::NONE).unwrap());
}

/// The normals of the shapes that were carried over.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn normals(bencher: Bencher<'_, '_>) {
    let head = import::embedded().unwrap();
    let target = bare(&head);
    let (source, face) = (Source::new(&head).unwrap(), Face::new(&target, &BTreeMap::new()).unwrap());
    let done = transfer(&source, &face, &Settings::default(), Progress::NONE).unwrap();
    let names: Vec<&str> = done.shapes.iter().map(|shape| shape.name.as_str()).collect();
    bencher
        .with_inputs(|| target.with_targets(done.targets.clone(), Vec::new()))
        .bench_local_values(|new| completed(black_box(new), Vec::new(), names.iter().copied()));
}
