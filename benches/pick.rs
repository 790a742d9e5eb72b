//! Finding what is under the pointer on the bundled head, while it rests and while it moves: `cargo bench -p smirk-benches --bench pick`.

use std::sync::Arc;

use divan::Bencher;
use glam::Vec2;
use smirk_picture::pick::{Picker, movers};
use smirk_scene::{Camera, Look, View};

fn main() {
    divan::main();
}

/// One pick with the list of what moves the point. If the face `moves`, its surface is placed anew each time, as while a take plays.
#[divan::bench(args = [false, true])]
fn pick(bencher: Bencher<'_, '_>, moves: bool) {
    let head = Arc::new(smirk_files::import::embedded().expect("the head inside the program"));
    let camera = Camera::framing(head.focus, head.bounds, View::ThreeQuarter, 1.6);
    let mut weights = vec![0.3; head.target_count()];
    let (mut picker, look) = (Picker::default(), Look::default());
    let mut step = 0_u32;
    bencher.bench_local(|| {
        step += 1;
        if moves {
            weights[0] = (step % 100) as f32 / 100.0;
        }
        picker.place(&head, (&look, &[]), &weights, &[]);
        let around = step as f32 * 0.37;
        let hit = picker.pick(&head, &camera.ray(Vec2::from_angle(around) * 0.15));
        hit.map(|hit| movers(&head, &hit, &weights, &[]))
    });
}
