//! Why a mode cannot blend a head on an adapter.

use thiserror::Error;

use super::shaders::{MAX_PAGES, WORKGROUP_SIZE};
use crate::blend::BLOCK_SIZE;
use crate::gpu::DeviceError;

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Unavailable {
    #[error(
        "{columns} targets touch the same {block_size} vertices: their deltas take {bytes} bytes, and this adapter \
         binds at most {limit}",
        block_size = BLOCK_SIZE
    )]
    LargeBlock { columns: usize, bytes: u64, limit: u64 },
    #[error("this head's {what} take {bytes} bytes, and this adapter binds at most {limit}")]
    LargeBuffer { what: &'static str, bytes: u64, limit: u64 },
    #[error("it needs {needed} storage buffers {wherein}, and this adapter has {available}")]
    StorageBuffers { wherein: &'static str, needed: usize, available: usize },
    #[error("it needs workgroups of {size}, and this adapter's have at most {most}", size = WORKGROUP_SIZE)]
    Workgroups { most: u32 },
    #[error(
        "this head's deltas fill {pages} of the largest buffers this adapter binds, and the vertex shader reads at \
         most {most}",
        most = MAX_PAGES
    )]
    Pages { pages: usize },
    #[error("this head's deltas are not on the adapter: {0}")]
    NotOnAdapter(DeviceError),
}
