//! What the viewport remembers of the surface under the pointer.

use std::sync::Weak;

use egui::{Pos2, Vec2};

use smirk_face::head::Head;
use smirk_graphics::measure::MeasuredHead;
use smirk_picture::pick::Picker;
use smirk_picture::scene::{Compared, Heat};

/// What the viewport knows of the surface under the pointer.
#[derive(Debug, Default)]
pub(crate) struct Pointing {
    pub picker: Picker,
    /// What the heat map measures, at the weights of the last time.
    pub heat: Option<HeatValues>,
    pub drag: Option<Drag>,
    /// The channels that were clicked last: their rows are marked.
    pub marked: Vec<usize>,
}

/// A channel that is dragged on the surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drag {
    pub channel: usize,
    pub value_at_start: f32,
    /// Points on the screen, at weight 1.
    pub way: Vec2,
    /// Where it began.
    pub from: Pos2,
}

/// What a heat map measures of a head at some weights.
#[derive(Debug)]
pub(crate) struct HeatValues {
    pub head: Weak<Head>,
    pub heat: Heat,
    pub weights: Vec<f32>,
    pub compared: Option<Compared>,
    pub measured: MeasuredHead,
    /// For each mesh, a value per vertex.
    pub values: Vec<Vec<f32>>,
}
