//! The benchmark of blending: every mode, layout and number of threads, for several numbers of active channels.
//!
//! `smirk bench`, the Readout page and the scripts that compare Smirk with other programs share one measurement and one report.
//! An evaluation is what a frame needs: weights in, blended vertices out, with every active weight changed, or a single one.
//! Nothing is drawn, except in vertex mode, which blends while drawing.

mod amount;
mod case;
mod error;
mod measurement;
mod report;
mod suited;
mod synthetic;
mod table;

pub use amount::Amount;
pub use case::{Case, random_cases, read_cases};
pub use error::BenchError;
pub use measurement::{Plan, measure, measure_for_window};
pub use report::{HeadFacts, LayoutFacts, Ratio, Report, Row};
pub use suited::{SuitedMode, suited_mode};
pub use synthetic::{enlarge, positions_only};
pub use table::{ms_text, text};

use smirk_graphics::blend::Normals;

/// Normals are blended with the deltas of the file, as in the programs that Smirk is compared with.
const NORMALS: Normals = Normals::Authored;
