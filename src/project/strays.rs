//! What a project names and the head on screen, or the disk, lacks. It is kept beside the session and saved again.

use std::collections::BTreeMap;

use super::{Project, Slider, TakeRecord};
use crate::head::Head;

/// Names without a home.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strays {
    /// Channels, and meshes of channels, that the head lacks.
    pub(super) sliders: BTreeMap<String, Slider>,
    /// Pairs that the head lacks.
    pub(super) linked: Vec<[String; 2]>,
    /// The clip that the head lacks.
    pub(super) clip: Option<String>,
    /// Takes whose file is gone.
    pub(super) takes: Vec<TakeRecord>,
    /// Which of them was to play.
    pub(super) take: Option<usize>,
    /// Which of them was to be drawn beside it.
    pub(super) compared_take: Option<usize>,
}

impl Strays {
    /// What was kept of a take, once it has been imported again.
    pub fn claim_take(&mut self, name: &str) -> Option<TakeRecord> {
        let place = self.takes.iter().position(|record| record.name == name)?;
        for chosen in [&mut self.take, &mut self.compared_take] {
            *chosen = match *chosen {
                Some(chosen) if chosen == place => None,
                Some(chosen) if chosen > place => Some(chosen - 1),
                other => other,
            };
        }
        Some(self.takes.remove(place))
    }

    /// Adds what has no home on this head to what the session holds; where both have a word, the session's counts.
    pub(super) fn write_back(&self, head: &Head, project: &mut Project) {
        for (name, stray) in &self.sliders {
            if head.channel_named(name).is_none() {
                project.sliders.insert(name.clone(), stray.clone());
            } else if let Some(slider) = project.sliders.get_mut(name) {
                slider.targets.extend(stray.targets.iter().cloned());
            }
        }
        for pair in &self.linked {
            if !project.linked.contains(pair) {
                project.linked.push(pair.clone());
            }
        }
        if let (Some(playback), Some(clip)) = (&mut project.playback, &self.clip) {
            playback.clip.get_or_insert_with(|| clip.clone());
        }
        let first = project.takes.len();
        project.takes.extend(self.takes.iter().cloned());
        project.take = project.take.or(self.take.map(|place| first + place));
        project.compared_take = project.compared_take.or(self.compared_take.map(|place| first + place));
    }
}
