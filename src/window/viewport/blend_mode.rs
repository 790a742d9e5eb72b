//! The choice of a blend mode.

use crate::window::settings::Settings;
use smirk_graphics::blend::BlendMode;
use smirk_graphics::gpu::Gpu;

/// The modes to try, in this order: the one the project was saved with, the one the artist chose, the one that suits the
/// adapter, and compute.
pub(super) fn candidates(
    project_mode: Option<BlendMode>,
    settings: &Settings,
    gpu: &Gpu,
) -> impl Iterator<Item = BlendMode> + use<> {
    let suited = settings.suited.as_ref().filter(|suited| suited.is_of(gpu)).map(|suited| suited.mode);
    project_mode.into_iter().chain(settings.mode).chain(suited).chain([BlendMode::Compute])
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_editor::bench::find_suited_mode;
    use smirk_graphics::gpu::Prefer;

    #[test]
    fn the_project_comes_first_then_the_artist_then_the_adapter() {
        let gpu = Gpu::headless(Prefer::Software).unwrap();
        let first = |project, settings: &Settings| candidates(project, settings, &gpu).next();
        let mut settings = Settings::default();
        assert_eq!(first(None, &settings), Some(BlendMode::Compute));
        let mut suited = find_suited_mode(&gpu, || {}).wait().unwrap();
        suited.mode = BlendMode::Vertex;
        settings.suited = Some(suited);
        assert_eq!(first(None, &settings), Some(BlendMode::Vertex));
        settings.mode = Some(BlendMode::Multipass);
        assert_eq!(first(None, &settings), Some(BlendMode::Multipass));
        assert_eq!(first(Some(BlendMode::Cpu), &settings), Some(BlendMode::Cpu));
    }
}
