//! Which mode blends, and what the modes cost.

use super::settings::Settings;
use super::viewer::Viewer;
use crate::bench;
use crate::blend::{self, BlendMode};
use crate::gpu::Gpu;
use crate::job::Job;
use crate::ui::ErrorReading;

impl Viewer {
    /// The mode the project is kept in, or the artist chose; else what suits the adapter.
    /// A head can be too large for some modes; the processor can always blend it.
    pub(super) fn choose_mode(&mut self, kept: Option<BlendMode>) {
        self.kept_mode = kept;
        let wishes = wishes(kept, &self.remembered, &self.gpu);
        let mut usable = wishes.filter(|&mode| self.renderer.unavailable(mode).is_none());
        self.document.session.mode = usable.next().unwrap_or(BlendMode::Cpu);
    }

    /// The artist has chosen the mode that the session is in.
    pub(super) fn note_chosen_mode(&mut self) {
        choose(self.document.session.mode, &mut self.kept_mode, &mut self.remembered);
    }

    /// Has an adapter measured that nothing is known of; software ones blend quickest in compute.
    pub(super) fn find_suited_mode(&mut self) {
        let is_known = self.remembered.suited.as_ref().is_some_and(|suited| suited.is_of(&self.gpu));
        // A program that only takes a picture of its window leaves at once.
        if !is_known && !self.gpu.is_software() && self.screenshot.is_none() {
            self.suited = Some(bench::find_suited_mode(&self.gpu, self.notifier()));
        }
    }

    /// Takes over what suits the adapter, unless the artist has chosen meanwhile.
    pub(super) fn take_suited_mode(&mut self) {
        let Some(suited) = self.suited.as_mut().and_then(Job::poll) else { return };
        self.suited = None;
        self.remembered.suited = suited.ok().or(self.remembered.suited.take());
        // A mode that a project is kept in stays.
        if self.remembered.mode.is_none() && self.kept_mode.is_none() {
            self.choose_mode(None);
        }
    }

    pub(super) fn measure_modes(&mut self) {
        let precision = self.renderer.memory().precision;
        self.bench.start(self.document.session.head.clone(), &self.gpu, precision, self.notifier());
    }

    pub(super) fn measure_error(&mut self) -> Option<ErrorReading> {
        let (weights, mode) = (self.document.session.weights(), self.document.session.mode);
        let normals = self.document.session.edits.look.normals;
        let morphed = self.renderer.blender_mut()?.read_back(&self.gpu, &weights, mode, normals);
        let deviation = blend::compare(&self.document.session.head, &weights, normals, &morphed);
        Some(ErrorReading {
            mode,
            max_distance: deviation.max_distance,
            max_normal_degrees: deviation.max_normal_degrees,
            head_size: deviation.head_size,
        })
    }
}

/// What speaks for modes, the strongest wish first.
fn wishes(kept: Option<BlendMode>, remembered: &Settings, gpu: &Gpu) -> impl Iterator<Item = BlendMode> {
    let suited = remembered.suited.as_ref().filter(|suited| suited.is_of(gpu)).map(|suited| suited.mode);
    kept.into_iter().chain(remembered.mode).chain(suited).chain([BlendMode::Compute])
}

/// A choice counts from then on, also over the mode that the project was kept in.
fn choose(mode: BlendMode, kept: &mut Option<BlendMode>, remembered: &mut Settings) {
    remembered.mode = Some(mode);
    *kept = None;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu::Prefer;

    #[test]
    fn the_last_choice_counts_over_what_the_project_was_kept_in() {
        let gpu = Gpu::headless(Prefer::Software).unwrap();
        let (mut kept, mut remembered) = (Some(BlendMode::Cpu), Settings::default());
        remembered.mode = Some(BlendMode::Vertex);
        assert_eq!(wishes(kept, &remembered, &gpu).next(), Some(BlendMode::Cpu));
        choose(BlendMode::Multipass, &mut kept, &mut remembered);
        assert_eq!(wishes(kept, &remembered, &gpu).next(), Some(BlendMode::Multipass));
        assert_eq!(wishes(None, &Settings::default(), &gpu).next(), Some(BlendMode::Compute));
    }
}
