//! Pipelines that are shared by everything on a device that describes them in the same way.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The pipelines in use, by their descriptions. A pipeline that is no longer used is not kept.
#[derive(Debug, Default)]
pub(super) struct SharedPipelines(Mutex<HashMap<String, Weak<wgpu::RenderPipeline>>>);

impl SharedPipelines {
    /// The pipeline with this description if one is in use, else the one that `make` returns.
    pub(super) fn get_or_make(
        &self,
        description: String,
        make: impl FnOnce() -> wgpu::RenderPipeline,
    ) -> Arc<wgpu::RenderPipeline> {
        let lock = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pipeline) = lock().get(&description).and_then(Weak::upgrade) {
            return pipeline;
        }
        // The lock is not held while a pipeline is built, which takes long: the window must not wait for a loader.
        let pipeline = Arc::new(make());
        let mut pipelines = lock();
        pipelines.retain(|_, pipeline| pipeline.strong_count() > 0);
        pipelines.insert(description, Arc::downgrade(&pipeline));
        pipeline
    }
}
