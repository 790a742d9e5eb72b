//! Measuring the bundled head for a heat map while a take plays: `cargo bench -p smirk-benches --bench heat`.

use std::sync::Arc;

use divan::Bencher;
use smirk_face::head::Target;
use smirk_files::import::version_of;
use smirk_scene::{Compared, Heat, HeatAgainst};

fn main() {
    divan::main();
}

/// The displacement of the whole face from rest.
#[divan::bench]
fn displacement(bencher: Bencher<'_, '_>) {
    measure(bencher, Heat::default(), false);
}

/// The difference to another version of the head, at the same weights.
#[divan::bench]
fn difference(bencher: Bencher<'_, '_>) {
    measure(bencher, Heat { against: HeatAgainst::Compared, ..Heat::default() }, true);
}

/// The values of all vertices at weights that change each time.
fn measure(bencher: Bencher<'_, '_>, heat: Heat, is_compared: bool) {
    let head = Arc::new(smirk_files::import::embedded().expect("the head inside the program"));
    let target = head.meshes[0].targets[0].clone();
    let positions = target.positions.iter().map(|delta| *delta * 1.5).collect();
    let other = Arc::new(head.with_targets(vec![(0, Target { positions, ..target })], Vec::new()));
    let compared = is_compared.then(|| Compared::Version {
        version: Arc::new(version_of(&head, other)),
        plays_correctives: true,
        time_secs: 0.0,
    });
    let measured = smirk_analysis::measure::MeasuredHead::new(&head);
    let mut weights = vec![0.3; head.target_count()];
    let mut step = 0_u32;
    bencher.bench_local(|| {
        step += 1;
        weights[0] = (step % 100) as f32 / 100.0;
        heat.values(&head, &measured, &weights, compared.as_ref())
    });
}
