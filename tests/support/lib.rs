//! The code that the integration tests and the fuzzers share: a software adapter, synthetic heads, small valid and broken files,
//! and checks of the code that reads such files.

pub mod arm;
pub mod body;
pub mod draco;
pub mod fbx_builder;
pub mod gltf_builder;
pub mod good_files;
pub mod head_checks;
pub mod in_betweens;
pub mod ktx2;
pub mod live_checks;
pub mod live_packets;
pub mod programs;
pub mod random;
pub mod renderer;
pub mod slow_writing;
pub mod small_disk;
pub mod small_head;
pub mod sound_server;
pub mod sounds;
pub mod strange;
pub mod synthetic;
pub mod test_files;
pub mod tolerance;
pub mod watch;

use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::time::Duration;

use smirk_graphics::gpu::{Gpu, GpuError, Prefer};

pub use renderer::TestRenderer;

/// After so long, something that is waited for counts as something that does not happen. It is far more than a busy machine needs.
pub const HANGS_AFTER: Duration = Duration::from_secs(1800);

/// The software adapter, with one device for all tests of a program. Panics with the name of the package to install if there is none.
pub fn software_gpu() -> Gpu {
    static GPU: LazyLock<Gpu> =
        LazyLock::new(|| Gpu::headless(Prefer::Software).unwrap_or_else(|error| panic!("{error}")));
    GPU.clone()
}

fn software_adapter() -> wgpu::Adapter {
    let options = wgpu::RequestAdapterOptions { force_fallback_adapter: true, ..Default::default() };
    let adapter = pollster::block_on(Gpu::instance(None).request_adapter(&options));
    adapter.unwrap_or_else(|error| panic!("{}", GpuError::NoAdapter(error)))
}

/// The software adapter with limits that are lowered by `lower`.
pub fn software_gpu_with(lower: impl FnOnce(&mut wgpu::Limits)) -> Gpu {
    let adapter = software_adapter();
    let mut required_limits = adapter.limits();
    lower(&mut required_limits);
    Gpu::with_limits(adapter, required_limits).unwrap_or_else(|error| panic!("{error}"))
}

/// The software adapter with these features and no others.
pub fn software_gpu_with_features(features: wgpu::Features) -> Gpu {
    let adapter = software_adapter();
    let limits = adapter.limits();
    Gpu::with_features(adapter, features, limits).unwrap_or_else(|error| panic!("{error}"))
}

/// Every head file in a folder and the folders in it, sorted.
pub fn heads_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("a folder that can be listed").path();
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if path.is_dir() {
            found.extend(heads_below(&path));
        } else if ["glb", "gltf", "vrm", "obj", "fbx"].contains(&extension.to_ascii_lowercase().as_str()) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The root of the repository whose tests run. Cargo names it while it runs them: two checkouts that share a target
/// folder share test programs too, and what such a program was compiled with may name the other checkout.
pub fn repository() -> PathBuf {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    let root = Path::new(&package).ancestors().find(|folder| folder.join("Cargo.lock").exists());
    root.expect("the repository").to_owned()
}

/// The file of the bundled head.
pub fn bundled_head() -> PathBuf {
    repository().join("assets/head.glb")
}
