//! The options for what pictures show of the surface.

use anyhow::bail;
use clap::Args;

use crate::names::quoted;
use crate::scene::{Matcap, ViewMode};
use crate::session::Session;

/// The options for what pictures show of the surface; without them, what the project shows.
#[derive(Debug, Args)]
pub(super) struct SurfaceArgs {
    /// What is shown of the surface: its materials, or something that shapes are judged by
    #[arg(long, value_name = "VIEW", value_parser = view_mode)]
    view_mode: Option<ViewMode>,
    /// Material of --view-mode matcap
    #[arg(long, value_name = "porcelain|red-wax|chrome|zebra", value_parser = matcap)]
    matcap: Option<Matcap>,
    /// Leave out hair, lashes and brows
    #[arg(long)]
    isolate: bool,
    /// Mesh to leave out, by name; may be given several times
    #[arg(long, value_name = "MESH")]
    hide: Vec<String>,
}

impl SurfaceArgs {
    /// Sets what a session shows.
    pub(super) fn apply(&self, session: &mut Session) -> anyhow::Result<()> {
        let head = session.head.clone();
        for name in &self.hide {
            if head.meshes.iter().all(|mesh| mesh.name != *name) {
                let names: Vec<_> = head.meshes.iter().map(|mesh| quoted(&mesh.name)).collect();
                bail!("--hide {name}: {} has {} meshes: {}", head.name, names.len(), names.join(", "));
            }
        }
        let edits = &mut session.edits;
        edits.hidden_meshes.extend(self.hide.iter().cloned());
        edits.look.isolates_face |= self.isolate;
        edits.look.matcap = self.matcap.unwrap_or(edits.look.matcap);
        let of_matcap = self.matcap.map(|_| ViewMode::Matcap);
        edits.look.view = self.view_mode.or(of_matcap).unwrap_or(edits.look.view);
        Ok(())
    }
}

fn view_mode(text: &str) -> Result<ViewMode, String> {
    let named = ViewMode::ALL.into_iter().find(|view| view.keyword() == text);
    named.ok_or_else(|| format!("one of {}", ViewMode::ALL.map(ViewMode::keyword).join(", ")))
}

fn matcap(text: &str) -> Result<Matcap, String> {
    let named = Matcap::ALL.into_iter().find(|matcap| matcap.keyword() == text);
    named.ok_or_else(|| format!("one of {}", Matcap::ALL.map(Matcap::keyword).join(", ")))
}
