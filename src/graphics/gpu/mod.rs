//! The graphics adapter and its device. This is the only code that requests them; it does not depend on heads or
//! pictures.

mod binding;
mod device_error;
mod transfer;

pub use binding::{Binding, bind_group, bind_group_layout, row, shader_module, view};
pub use device_error::DeviceError;
pub use transfer::{PIECE_BYTES, Pieces, TextureReadback};

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use smirk_base::names::quoted;
use thiserror::Error;

/// An open device of a graphics adapter.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// The adapter of the device. It lists the formats that a window can show.
    pub adapter: wgpu::Adapter,
    pub info: wgpu::AdapterInfo,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
    /// Whether passes can be measured with timestamp queries.
    pub has_timestamps: bool,
    /// Set once the device is lost: the driver's reason.
    lost: Arc<OnceLock<String>>,
    render_pipelines: InUse<wgpu::RenderPipeline>,
    compute_pipelines: InUse<wgpu::ComputePipeline>,
}

/// What is in use by its description. What is no longer used is not kept.
#[derive(Clone, Debug)]
struct InUse<T>(Arc<Mutex<HashMap<String, Weak<T>>>>);

impl<T> Default for InUse<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> InUse<T> {
    fn get_or_make(&self, description: String, make: impl FnOnce() -> T) -> Arc<T> {
        if let Some(known) = self.lock().get(&description).and_then(Weak::upgrade) {
            return known;
        }
        // The lock is not held while a pipeline is built, which takes long: the window must not wait for a loader.
        let made = Arc::new(make());
        let mut known = self.lock();
        known.retain(|_, other| other.strong_count() > 0);
        known.insert(description, Arc::downgrade(&made));
        made
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Weak<T>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Why there is no device.
#[derive(Debug, Error)]
pub enum GpuError {
    #[error("no graphics adapter found ({0}). {advice}", advice = advice_without_adapter())]
    NoAdapter(wgpu::RequestAdapterError),
    #[error("the graphics adapter {adapter} would not open: {source}")]
    NoDevice { adapter: String, source: wgpu::RequestDeviceError },
}

/// What to do where no adapter is found: what keeps a driver from being found comes first.
fn advice_without_adapter() -> String {
    if let Some(backends) = std::env::var_os("WGPU_BACKEND").filter(|backends| !backends.is_empty()) {
        let backends = quoted(&backends.to_string_lossy());
        return format!("WGPU_BACKEND chooses {backends}, which this machine has not: unset it");
    }
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    if let Some(limit) = memory_limit(&limits) {
        return format!(
            "This program may use {} MB of memory, too few for a driver: raise the limit (ulimit -v)",
            limit / 1_000_000
        );
    }
    "Install a Vulkan driver; without a graphics card, Mesa's software driver: \
     `apt install libvulkan1 mesa-vulkan-drivers` (Debian, Ubuntu), `dnf install mesa-vulkan-drivers` (Fedora), \
     `pacman -S vulkan-swrast` (Arch)"
        .into()
}

/// The limit of memory that drivers hardly fit in, in bytes, from the text of `/proc/self/limits`.
fn memory_limit(limits: &str) -> Option<u64> {
    const ENOUGH: u64 = 8_000_000_000;
    let row = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    row.split_whitespace().next()?.parse().ok().filter(|limit| *limit < ENOUGH)
}

/// Which adapter to prefer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// The fastest adapter of the machine.
    Hardware,
    /// A software adapter (lavapipe, WARP) if there is one. It gives the same result on every machine, which tests
    /// need.
    Software,
}

impl Gpu {
    /// An instance with those of Vulkan, Metal and Direct3D 12 that the system has, or with the backends that
    /// `WGPU_BACKEND` names. Test builds contain OpenGL as well, but it is not used by default, because it logs errors
    /// if there is no display. To draw to a window, the instance needs the window's `display` handle.
    pub fn instance(display: Option<Box<dyn wgpu::wgt::WgpuHasDisplayHandle>>) -> wgpu::Instance {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        descriptor.backends = wgpu::Backends::PRIMARY;
        descriptor.display = display;
        wgpu::Instance::new(descriptor.with_env())
    }

    pub fn headless(prefer: Prefer) -> Result<Self, GpuError> {
        Self::open(&Self::instance(None), None, prefer)
    }

    /// Opens a device that can draw to `surface`, if one is given.
    pub fn open(
        instance: &wgpu::Instance,
        surface: Option<&wgpu::Surface<'_>>,
        prefer: Prefer,
    ) -> Result<Self, GpuError> {
        let request = |force_fallback_adapter| {
            pollster::block_on(instance.request_adapter(&wgpu::RequestAdapterOptions {
                power_preference: wgpu::PowerPreference::HighPerformance,
                force_fallback_adapter,
                compatible_surface: surface,
                ..Default::default()
            }))
        };
        let adapter = match prefer {
            Prefer::Hardware => request(false),
            Prefer::Software => request(true).or_else(|_| request(false)),
        }
        .map_err(GpuError::NoAdapter)?;
        let limits = adapter.limits();
        Self::with_limits(adapter, limits)
    }

    /// Opens a device with exactly these limits, and with the features of the adapter that are used.
    pub fn with_limits(adapter: wgpu::Adapter, required_limits: wgpu::Limits) -> Result<Self, GpuError> {
        let mut wanted = wgpu::Features::TIMESTAMP_QUERY;
        // A software adapter unpacks the blocks of a texture anew for every picture, which takes longer than all the
        // rest of it.
        if adapter.get_info().device_type != wgpu::DeviceType::Cpu {
            wanted |= wgpu::Features::TEXTURE_COMPRESSION_BC | wgpu::Features::TEXTURE_COMPRESSION_ASTC;
        }
        let features = adapter.features() & wanted;
        Self::with_features(adapter, features, required_limits)
    }

    /// Opens a device with exactly these features and limits.
    pub fn with_features(
        adapter: wgpu::Adapter,
        features: wgpu::Features,
        required_limits: wgpu::Limits,
    ) -> Result<Self, GpuError> {
        let info = adapter.get_info();
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("smirk device"),
            required_features: features,
            required_limits,
            // Large blocks would stay allocated, and on a software adapter in main memory, after the head that filled
            // them is closed.
            memory_hints: wgpu::MemoryHints::MemoryUsage,
            ..Default::default()
        }))
        .map_err(|source| GpuError::NoDevice { adapter: info.name.clone(), source })?;
        log::info!("{} through {}, driver {} {}", info.name, info.backend, info.driver, info.driver_info);
        let lost = Arc::new(OnceLock::new());
        let noted = lost.clone();
        device.set_device_lost_callback(move |_, reason| drop(noted.set(reason)));
        let has_timestamps = features.contains(wgpu::Features::TIMESTAMP_QUERY);
        let (render_pipelines, compute_pipelines) = Default::default();
        Ok(Self { adapter, info, device, queue, has_timestamps, lost, render_pipelines, compute_pipelines })
    }

    /// Opens another device on the same adapter, with the same features and limits. Times that are measured on it are
    /// valid for this device too, and waiting for it does not block this device.
    pub fn another_device(&self) -> Result<Self, GpuError> {
        Self::with_features(self.adapter.clone(), self.device.features(), self.device.limits())
    }

    /// The pipeline with this description if one is in use, else the one that `make` returns. The description has to
    /// name all that the pipeline depends on.
    pub fn shared_pipeline(
        &self,
        description: String,
        make: impl FnOnce() -> wgpu::RenderPipeline,
    ) -> Arc<wgpu::RenderPipeline> {
        self.render_pipelines.get_or_make(description, make)
    }

    /// The same of a pipeline that computes.
    pub fn shared_compute_pipeline(
        &self,
        description: String,
        make: impl FnOnce() -> wgpu::ComputePipeline,
    ) -> Arc<wgpu::ComputePipeline> {
        self.compute_pipelines.get_or_make(description, make)
    }

    /// Whether the adapter is a software one, on which the processor draws, so that the time of a picture depends on
    /// its pixels.
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }
}
