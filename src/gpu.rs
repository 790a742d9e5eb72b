//! The graphics adapter: the only code that asks for one. Knows nothing of heads or pictures.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use thiserror::Error;

/// An open device and what it can do.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// Whom the device belongs to; asked what a surface can show.
    pub adapter: wgpu::Adapter,
    /// What it is called and what kind it is.
    pub info: wgpu::AdapterInfo,
    /// The open device.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
    /// Whether passes can be timed on the GPU's own clock.
    pub has_timestamps: bool,
    /// Why nothing works any more.
    lost: Arc<OnceLock<String>>,
}

/// Why there is no device.
#[derive(Debug, Error)]
pub enum GpuError {
    /// No driver, or none that fits.
    #[error(
        "no graphics adapter found ({0}). Install a Vulkan driver; without a graphics card, Mesa's software driver: \
         `apt install libvulkan1 mesa-vulkan-drivers` (Debian, Ubuntu), `dnf install mesa-vulkan-drivers` (Fedora), \
         `pacman -S vulkan-swrast` (Arch)"
    )]
    NoAdapter(wgpu::RequestAdapterError),
    /// The driver refused.
    #[error("the graphics adapter {adapter} would not open: {source}")]
    NoDevice {
        /// Its name.
        adapter: String,
        /// What it said.
        source: wgpu::RequestDeviceError,
    },
}

/// What an open device has to tell.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Trouble {
    /// Others have taken it, or there never was so much.
    #[error(
        "the memory of the graphics adapter {adapter} is full. Close other programs that draw, or open a lighter head: \
         fewer vertices, smaller textures"
    )]
    MemoryFull {
        /// Its name.
        adapter: String,
    },
    /// More than it takes in one piece, however much is free.
    #[error("the graphics adapter {adapter} does not take it: {reason}")]
    Refused {
        /// Its name.
        adapter: String,
        /// Which buffer, and which numbers disagree.
        reason: String,
    },
    /// A driver that started again, a card that was taken out, memory that ran out in the middle of drawing: nothing of the
    /// device works any more.
    #[error("the graphics adapter {adapter} was lost: {reason}")]
    Lost {
        /// Its name.
        adapter: String,
        /// What the driver said.
        reason: String,
    },
}

impl Trouble {
    fn of(adapter: &str, error: &wgpu::Error) -> Self {
        let adapter = adapter.to_owned();
        if matches!(error, wgpu::Error::OutOfMemory { .. }) {
            return Self::MemoryFull { adapter };
        }
        // What wgpu says on several lines, without the words around it.
        let text = error.to_string();
        let lines = text.lines().map(str::trim).filter(|line| !["", "Validation Error", "Caused by:"].contains(line));
        Self::Refused { adapter, reason: lines.collect::<Vec<_>>().join(": ") }
    }
}

/// Which adapter to prefer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// The fastest there is.
    Hardware,
    /// A software one (lavapipe, WARP) if present: the same result on every machine, as tests want it.
    Software,
}

impl Gpu {
    /// An instance on every backend Smirk is built with (`WGPU_BACKEND` narrows it). Windows need their display handle in it.
    pub fn instance(display: Option<Box<dyn wgpu::wgt::WgpuHasDisplayHandle>>) -> wgpu::Instance {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle().with_env();
        descriptor.display = display;
        wgpu::Instance::new(descriptor)
    }

    /// Opens a device without a window.
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

    /// Opens a device that can do so much, and no more.
    pub fn with_limits(adapter: wgpu::Adapter, required_limits: wgpu::Limits) -> Result<Self, GpuError> {
        let info = adapter.get_info();
        let features = adapter.features() & wgpu::Features::TIMESTAMP_QUERY;
        let (device, queue) = pollster::block_on(adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("smirk device"),
            required_features: features,
            required_limits,
            memory_hints: wgpu::MemoryHints::Performance,
            ..Default::default()
        }))
        .map_err(|source| GpuError::NoDevice { adapter: info.name.clone(), source })?;
        let lost = Arc::new(OnceLock::new());
        let noted = lost.clone();
        device.set_device_lost_callback(move |_, reason| drop(noted.set(reason)));
        let has_timestamps = features.contains(wgpu::Features::TIMESTAMP_QUERY);
        Ok(Self { adapter, info, device, queue, has_timestamps, lost })
    }

    /// Whether pictures are drawn by the processor: then every pixel counts.
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    /// Writes what goes wrong on the device to the error stream, and tells it, instead of ending the program: an artist's
    /// unsaved mix is worth more than a broken picture. What is the same in every frame is said once, and of a lost device
    /// nothing more than that. Tests keep wgpu's way, which is to panic.
    pub fn report_errors(&self, tell: impl Fn(Trouble) + Send + Sync + 'static) {
        let tell = Arc::new(move |trouble: Trouble| {
            eprintln!("smirk: {trouble}");
            tell(trouble);
        });
        let (adapter, lost, tell_loss) = (self.info.name.clone(), self.lost.clone(), tell.clone());
        self.device.set_device_lost_callback(move |cause, reason| {
            let is_news = lost.set(reason.clone()).is_ok() && cause != wgpu::DeviceLostReason::Destroyed;
            if is_news {
                tell_loss(Trouble::Lost { adapter: adapter.clone(), reason });
            }
        });
        if let Some(reason) = self.lost.get() {
            tell(Trouble::Lost { adapter: self.info.name.clone(), reason: reason.clone() });
        }
        let (adapter, lost, told) = (self.info.name.clone(), self.lost.clone(), Mutex::new(Vec::new()));
        self.device.on_uncaptured_error(Arc::new(move |error| {
            let trouble = Trouble::of(&adapter, &error);
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            if lost.get().is_none() && !told.contains(&trouble) {
                told.push(trouble.clone());
                tell(trouble);
            }
        }));
    }

    /// Whether nothing of the device works any more.
    pub fn is_lost(&self) -> bool {
        self.lost.get().is_some()
    }

    /// Makes what takes memory there. Where it does not fit, what was made is broken, and is dropped.
    pub fn attempt<T>(&self, make: impl FnOnce() -> T) -> Result<T, Trouble> {
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let driver = self.device.push_error_scope(wgpu::ErrorFilter::Internal);
        let limits = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let made = make();
        let [refused, failed, full] = [limits, driver, memory].map(|scope| pollster::block_on(scope.pop()));
        if let Some(reason) = self.lost.get() {
            return Err(Trouble::Lost { adapter: self.info.name.clone(), reason: reason.clone() });
        }
        // What is broken for want of memory is refused wherever it is used: want of memory goes first.
        match full.or(failed).or(refused) {
            None => Ok(made),
            Some(error) => Err(Trouble::of(&self.info.name, &error)),
        }
    }

    /// A buffer of at least one row of anything, so that it can be bound even when a head has nothing to put in it.
    pub fn buffer(&self, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        self.device.create_buffer(&Self::buffer_of(label, size, usage))
    }

    /// Likewise, made with what is in it. Unlike wgpu's own, one for which there is no room is an error of the device and no
    /// panic.
    pub fn filled_buffer(&self, label: &str, contents: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
        let descriptor = Self::buffer_of(label, contents.len() as u64, usage);
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor { mapped_at_creation: true, ..descriptor });
        if let Ok(mut mapped) = buffer.get_mapped_range_mut(..) {
            mapped.slice(..contents.len()).copy_from_slice(contents);
        }
        buffer.unmap();
        buffer
    }

    fn buffer_of(label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::BufferDescriptor<'_> {
        let size = size.max(16).next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT);
        wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false }
    }

    /// Waits until all that was submitted is done.
    pub fn wait(&self) {
        self.poll_for(wgpu::PollType::wait_indefinitely());
    }

    /// Takes up what has been done; never waits.
    pub fn poll(&self) {
        self.poll_for(wgpu::PollType::Poll);
    }

    fn poll_for(&self, what: wgpu::PollType) {
        // wgpu 30 panics where a driver answers that the device is lost, after it has said so in its own way.
        self.survive_loss(|| drop(self.device.poll(what)));
    }

    /// Does what may panic when the device is lost; none if it did. Any other panic goes on.
    pub fn survive_loss<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(done) => Some(done),
            Err(_) if self.is_lost() => None,
            Err(panic) => resume_unwind(panic),
        }
    }

    /// Reads a buffer (usage `COPY_SRC`) back, waiting for the GPU.
    pub fn read_buffer(&self, buffer: &wgpu::Buffer) -> Vec<u8> {
        let staging = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("readback"),
            size: buffer.size(),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder =
            self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("readback") });
        encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, buffer.size());
        self.queue.submit([encoder.finish()]);
        self.read_mapped(&staging)
    }

    /// Reads a texture of one mip (usage `COPY_SRC`) back, rows packed without padding, waiting for the GPU.
    pub fn read_texture(&self, texture: &wgpu::Texture) -> Vec<u8> {
        let bytes_per_texel = texture.format().block_copy_size(None).unwrap_or(4);
        let row = (texture.width() * bytes_per_texel) as usize;
        let padded_row = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT as usize);
        let staging = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("readback"),
            size: (padded_row * texture.height() as usize) as u64,
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder =
            self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("readback") });
        encoder.copy_texture_to_buffer(
            texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &staging,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(padded_row as u32),
                    rows_per_image: None,
                },
            },
            texture.size(),
        );
        self.queue.submit([encoder.finish()]);
        let padded = self.read_mapped(&staging);
        padded.chunks_exact(padded_row).flat_map(|line| &line[..row]).copied().collect()
    }

    fn read_mapped(&self, staging: &wgpu::Buffer) -> Vec<u8> {
        let slice = staging.slice(..);
        slice.map_async(wgpu::MapMode::Read, |_| {});
        // A lost device leaves the buffer unmapped; its range is then empty.
        self.wait();
        slice.get_mapped_range().map(|view| view.to_vec()).unwrap_or_default()
    }
}
