//! The options for what pictures show of the surface.

use anyhow::bail;
use clap::Args;

use crate::cli::values::{ABOVE_ZERO, all_names, number, one_of};
use smirk_analysis::measure::Measure;
use smirk_base::names::printable;
use smirk_scene::{BlendMode, HeatAgainst, LashStyle, Matcap, ViewMode};
use smirk_session::Session;

/// The options for what pictures show of the surface; without them, what the project shows.
#[derive(Debug, Args)]
pub(in crate::cli) struct SurfaceArgs {
    /// What is shown of the surface: its materials, or something that shapes are judged by
    #[arg(long, value_name = "VIEW", value_parser = one_of(ViewMode::ALL, ViewMode::keyword))]
    view_mode: Option<ViewMode>,
    /// Material of --view-mode matcap
    #[arg(long, value_name = "porcelain|red-wax|chrome|zebra", value_parser = one_of(Matcap::ALL, Matcap::keyword))]
    matcap: Option<Matcap>,
    /// Channel that --view-mode heat measures alone, at its weight, or at 1 while it is at rest; without it, the whole
    /// face
    #[arg(long, value_name = "CHANNEL")]
    of: Option<String>,
    /// What --view-mode heat measures
    #[arg(long, value_name = "displacement|stretch|area|normals|curvature", value_parser = one_of(Measure::ALL, Measure::keyword))]
    measure: Option<Measure>,
    /// Blend mode that --view-mode heat compares with; without it, the face at rest
    #[arg(long, value_name = "cpu|vertex|compute|multipass", value_parser = one_of(BlendMode::ALL, BlendMode::keyword))]
    against: Option<BlendMode>,
    /// Value at the end of the scale of --view-mode heat, in mm, percent, degrees or 1/mm
    #[arg(long, value_name = "NUMBER", value_parser = number(ABOVE_ZERO, "a number above 0"))]
    heat_most: Option<f32>,
    /// Leave out hair, lashes and brows
    #[arg(long)]
    isolate: bool,
    /// How lashes that are plain cards, without a texture, are drawn
    #[arg(long, value_name = "as-lashes|hidden|as-in-file", value_parser = one_of(LashStyle::ALL, LashStyle::keyword))]
    plain_lashes: Option<LashStyle>,
    /// Mesh to leave out, by name; may be given several times
    #[arg(long, value_name = "MESH")]
    hide: Vec<String>,
}

impl SurfaceArgs {
    /// Sets what a session shows.
    pub(in crate::cli) fn apply(&self, session: &mut Session) -> anyhow::Result<()> {
        let head = session.head.clone();
        for name in &self.hide {
            if head.meshes.iter().all(|mesh| mesh.name != *name) {
                let names: Vec<_> = head.meshes.iter().map(|mesh| mesh.name.as_str()).collect();
                bail!("--hide {}: {}", printable(name), all_names(&head.name, "meshes", &names));
            }
        }
        let edits = &mut session.edits;
        if let Some(name) = &self.of {
            let Some(channel) = head.channel_named(name) else {
                let names: Vec<_> = head.channels.iter().map(|channel| channel.name.as_str()).collect();
                bail!("--of {}: {}", printable(name), all_names(&head.name, "channels", &names));
            };
            edits.heat_channel = Some(head.channels[channel].full_name.clone());
        }
        let heat = &mut edits.look.heat;
        heat.measure = self.measure.unwrap_or(heat.measure);
        heat.against = self.against.map_or(heat.against, HeatAgainst::Mode);
        heat.most = self.heat_most.or(heat.most);
        edits.hidden_meshes.extend(self.hide.iter().cloned());
        edits.look.isolates_face |= self.isolate;
        edits.look.lashes = self.plain_lashes.unwrap_or(edits.look.lashes);
        edits.look.matcap = self.matcap.unwrap_or(edits.look.matcap);
        let is_heat = self.of.is_some() || self.measure.is_some() || self.against.is_some() || self.heat_most.is_some();
        let implied = is_heat.then_some(ViewMode::Heat).or(self.matcap.map(|_| ViewMode::Matcap));
        edits.look.view = self.view_mode.or(implied).unwrap_or(edits.look.view);
        Ok(())
    }
}
