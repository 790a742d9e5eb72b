//! The sheet of what differs most between two versions, drawn as a job with a renderer of its own, since it shows three heads.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::bail;

use smirk_base::job::{Job, OnDrop};
use smirk_editor::export::{OutputPath, version_sheet};
use smirk_face::head::{Head, Version};
use smirk_graphics::blend::{Layout, Precision};
use smirk_graphics::gpu::Gpu;
use smirk_picture::ambient_occlusion::AmbientOcclusion;
use smirk_picture::render::{HeadOnGpu, Renderer};

/// The sheet that is being drawn.
#[derive(Default)]
pub(crate) struct VersionSheetJob(Option<Job<anyhow::Result<PathBuf>>>);

impl VersionSheetJob {
    /// Begins to draw to a file, unless a sheet is being drawn. `notify` is called on the job's thread when something has happened.
    pub(crate) fn start(
        &mut self,
        heads: [Arc<Head>; 2],
        version: Arc<Version>,
        gpu: &Gpu,
        output: OutputPath,
        notify: impl Fn() + Send + 'static,
    ) {
        if self.0.is_some() {
            return;
        }
        let gpu = gpu.clone();
        self.0 = Some(Job::spawn("sheet of versions", OnDrop::Join, notify, move |control| {
            let sheet =
                version_sheet([&heads[0], &heads[1]], &version.meshes, &version.changes, |column, head, draw| {
                    let stage = format!("pictures of head {} of 3", column + 1);
                    control.progress().report(&stage, column as f32 / 3.0)?;
                    let mut renderer = Renderer::new(&gpu);
                    let layout = Arc::new(Layout::new(head, Precision::default()));
                    renderer.set_head(HeadOnGpu::new(&gpu, head.clone(), layout)?);
                    renderer.set_ambient_occlusion(&AmbientOcclusion::of(head));
                    gpu.attempt(|| draw(&mut renderer))??;
                    anyhow::Ok(())
                })?;
            let Some(sheet) = sheet else { bail!("no expression differs: there is nothing to draw") };
            control.progress().report("writing", 1.0)?;
            sheet.save(&output)?;
            Ok(output.path().to_owned())
        }));
    }

    /// Cancels it after the pictures of a head.
    pub(crate) fn cancel(&mut self) {
        if let Some(job) = &self.0 {
            job.cancel();
        }
    }

    /// The progress: what is drawn, and the completed part from 0 to 1.
    pub(crate) fn status(&self) -> Option<(String, f32)> {
        let progress = self.0.as_ref()?.progress();
        Some((progress.stage, progress.fraction))
    }

    /// How it ended, once; nothing if it was cancelled.
    pub(crate) fn take_ended(&mut self) -> Option<Result<PathBuf, String>> {
        let job = self.0.as_mut()?;
        let is_cancelled = job.is_cancelled();
        let ended = job.poll()?;
        self.0 = None;
        let ended = ended.map_err(anyhow::Error::from).flatten().map_err(|error| error.to_string());
        (ended.is_ok() || !is_cancelled).then_some(ended)
    }
}
