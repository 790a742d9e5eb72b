//! Moves data to the device and back: creates buffers, reads buffers and textures back, and waits for submitted work.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{DeviceError, Gpu};

/// Large contents are copied to a buffer or a texture in pieces of this size.
pub const PIECE_BYTES: usize = 4 << 20;

/// What was written through the queue and waits to be copied to its place. At most two pieces wait at any time, so that
/// the memory that they are copied from is used again and again, instead of as much as all contents take.
#[derive(Debug, Default)]
pub struct Pieces {
    /// Bytes written since the last submission.
    bytes: usize,
    last: Option<wgpu::SubmissionIndex>,
}

impl Pieces {
    /// Counts contents that were just written.
    pub fn add(&mut self, gpu: &Gpu, contents: &[u8]) {
        self.bytes += contents.len();
        if self.bytes >= PIECE_BYTES {
            self.bytes = 0;
            if let Some(submission) = self.last.replace(gpu.queue.submit([])) {
                gpu.poll_for(wgpu::PollType::Wait { submission_index: Some(submission), timeout: None });
            }
        }
    }
}

/// A texture that is being copied to where the program can read it.
#[derive(Debug)]
pub struct TextureReadback {
    staging: wgpu::Buffer,
    submission: wgpu::SubmissionIndex,
    /// Whether it can be read, or never will.
    is_there: Arc<AtomicBool>,
    /// Bytes of a row, without and with padding.
    row: usize,
    padded_row: usize,
}

impl Gpu {
    /// A buffer of at least 16 bytes, so that it can be bound even if a head has no data for it.
    pub fn buffer(&self, label: &str, size: u64, usage: wgpu::BufferUsages) -> wgpu::Buffer {
        let size = size.max(16).next_multiple_of(wgpu::COPY_BUFFER_ALIGNMENT);
        let label = Some(label);
        self.device.create_buffer(&wgpu::BufferDescriptor { label, size, usage, mapped_at_creation: false })
    }

    /// A texture of one mip and one sample per texel.
    pub fn texture(
        &self,
        label: &str,
        [width, height]: [u32; 2],
        format: wgpu::TextureFormat,
        usage: wgpu::TextureUsages,
    ) -> wgpu::Texture {
        self.device.create_texture(&wgpu::TextureDescriptor {
            label: Some(label),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage,
            view_formats: &[],
        })
    }

    /// A buffer with these contents. Unlike wgpu's `create_buffer_init`, it reports full memory as an error of
    /// the device and does not panic.
    pub fn filled_buffer(&self, label: &str, contents: &[u8], usage: wgpu::BufferUsages) -> wgpu::Buffer {
        let buffer = self.buffer(label, contents.len() as u64, usage | wgpu::BufferUsages::COPY_DST);
        let mut pieces = Pieces::default();
        for (offset, piece) in (0..).step_by(PIECE_BYTES).zip(contents.chunks(PIECE_BYTES)) {
            // Copies have a multiple of 4 bytes.
            let (whole, rest) = piece.split_at(piece.len() / 4 * 4);
            self.queue.write_buffer(&buffer, offset, whole);
            if !rest.is_empty() {
                let mut last = [0; 4];
                last[..rest.len()].copy_from_slice(rest);
                self.queue.write_buffer(&buffer, offset + whole.len() as u64, &last);
            }
            pieces.add(self, piece);
        }
        buffer
    }

    pub fn wait(&self) {
        self.poll_for(wgpu::PollType::wait_indefinitely());
    }

    /// Runs the callbacks of finished work, without waiting.
    pub fn poll(&self) {
        self.poll_for(wgpu::PollType::Poll);
    }

    fn poll_for(&self, what: wgpu::PollType) {
        // wgpu 30 panics if the driver reports the device as lost, after the device's callback has reported the same.
        self.survive_loss(|| drop(self.device.poll(what)));
    }

    /// Reads a buffer (usage `COPY_SRC`) back, waiting for the GPU. An error if it cannot be read, as after the loss of
    /// the device.
    pub fn read_buffer(&self, buffer: &wgpu::Buffer) -> Result<Vec<u8>, DeviceError> {
        let staging = self.staging(buffer.size());
        let mut encoder =
            self.device.create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("readback") });
        encoder.copy_buffer_to_buffer(buffer, 0, &staging, 0, buffer.size());
        self.queue.submit([encoder.finish()]);
        let slice = staging.slice(..);
        slice.map_async(wgpu::MapMode::Read, |_| {});
        self.wait();
        let view = slice.get_mapped_range().map_err(|error| self.unread(&error))?;
        Ok(view.to_vec())
    }

    /// Reads a texture of one mip (usage `COPY_SRC`) back, rows packed without padding, waiting for the GPU. An error
    /// if it cannot be read, as after the loss of the device.
    pub fn read_texture(&self, texture: &wgpu::Texture) -> Result<Vec<u8>, DeviceError> {
        let mut packed = Vec::new();
        self.finish_read(self.begin_read(texture), |_, line| packed.extend_from_slice(line))?;
        Ok(packed)
    }

    /// Begins to read a texture of one mip (usage `COPY_SRC`) back, after the work that is submitted already.
    pub fn begin_read(&self, texture: &wgpu::Texture) -> TextureReadback {
        let bytes_per_texel = texture.format().block_copy_size(None).unwrap_or(4);
        let row = (texture.width() * bytes_per_texel) as usize;
        let padded_row = row.next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT as usize);
        let staging = self.staging((padded_row * texture.height() as usize) as u64);
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
        let submission = self.queue.submit([encoder.finish()]);
        let is_there = Arc::new(AtomicBool::new(false));
        let arrived = is_there.clone();
        staging.slice(..).map_async(wgpu::MapMode::Read, move |_| arrived.store(true, Ordering::Release));
        TextureReadback { staging, submission, is_there, row, padded_row }
    }

    /// Whether a texture can be read without waiting; also if it never can, because the device is lost.
    pub fn is_there(&self, readback: &TextureReadback) -> bool {
        self.poll();
        readback.is_there.load(Ordering::Acquire)
    }

    /// Waits until a texture can be read, and not for work that was submitted later.
    pub fn wait_for(&self, readback: &TextureReadback) {
        self.poll_for(wgpu::PollType::Wait { submission_index: Some(readback.submission.clone()), timeout: None });
        // Another thread that waits for the device may have taken the callback, and not have run it yet. It is always
        // run, so that a limit of time would only take a busy machine for one whose texture is lost.
        while !readback.is_there.load(Ordering::Acquire) && !self.is_lost() {
            std::thread::yield_now();
        }
    }

    /// Waits for a texture, and not for work that was submitted later, and passes on its rows, with their indices. An
    /// error if it cannot be read, as after the loss of the device.
    pub fn finish_read(
        &self,
        readback: TextureReadback,
        mut each: impl FnMut(usize, &[u8]),
    ) -> Result<(), DeviceError> {
        if !self.is_there(&readback) {
            self.wait_for(&readback);
        }
        let TextureReadback { staging, row, padded_row, .. } = readback;
        let view = staging.slice(..).get_mapped_range().map_err(|error| self.unread(&error))?;
        for (index, line) in view.chunks_exact(padded_row).enumerate() {
            each(index, &line[..row]);
        }
        Ok(())
    }

    fn staging(&self, size: u64) -> wgpu::Buffer {
        self.buffer("readback", size, wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ)
    }
}
