//! What blending costs, measured: every mode, layout and number of threads against the number of active channels.
//!
//! `smirk bench`, the Readout page and a script that holds Smirk against other programs share one measurement and one
//! report. An evaluation is what a frame asks for: weights in, blended vertices out, with every active weight changed
//! (or a single one of them); nothing is drawn but where the blend happens in the draw. Knows no window.

mod amount;
mod case;
mod copy;
mod draw;
mod error;
mod measurement;
mod on_cpu;
mod pass_timer;
mod passes;
mod report;
mod rows;
mod sampler;
mod suited;
mod synthetic;
mod table;
mod worker;

pub use amount::Amount;
pub use case::{Case, random_cases, read_cases};
pub use error::BenchError;
pub use measurement::{Plan, Progress, measure};
pub use report::{HeadFacts, LayoutFacts, Ratio, Report, Row};
pub use suited::{SuitedMode, find_suited_mode};
pub use synthetic::{enlarge, positions_only};
pub use table::{ms_text, text};
pub use worker::{Status, Worker};

use crate::blend::Normals;

/// What the file brings, as the programs Smirk is compared with do.
const NORMALS: Normals = Normals::Authored;
