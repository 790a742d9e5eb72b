//! How long a head takes from its file to the graphics adapter, and how much memory: `cargo bench --bench load -- FILE…`; without files,
//! the bundled head. Each step is compared with reading the file and copying its bytes once, which is the least that any program does.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use smirk::blend::{Layout, Precision};
use smirk::gpu::{Gpu, Prefer};
use smirk::import;
use smirk::render::HeadOnGpu;

/// Every step is done so many times; the least time counts.
const ROUNDS: usize = 3;

fn main() {
    let is_file = |argument: &String| !argument.starts_with("--");
    let mut files: Vec<PathBuf> = std::env::args().skip(1).filter(is_file).map(PathBuf::from).collect();
    if files.is_empty() {
        files.push(Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/head.glb"));
    }
    let gpu = Gpu::headless(Prefer::Hardware).expect("a graphics adapter");
    println!(
        "{:<36}{:>10}{:>10}{:>10}{:>10}{:>10}",
        "ms, least of 3", "copy", "import", "layout", "upload", "peak MiB"
    );
    for file in files {
        let copy = least_ms(|| std::fs::read(&file).expect("the file").as_slice().to_vec());
        let import = least_ms(|| import::open(&file).expect("a head"));
        let head = Arc::new(import::open(&file).expect("a head"));
        let layout = least_ms(|| Layout::new(&head, Precision::Packed));
        let packed = Arc::new(Layout::new(&head, Precision::Packed));
        let upload = least_ms(|| HeadOnGpu::new(&gpu, head.clone(), packed.clone()).expect("memory for the head"));
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let peak = peak_mib().map_or("-".into(), |peak| format!("{peak:.0}"));
        println!("{name:<36}{copy:>10.1}{import:>10.1}{layout:>10.1}{upload:>10.1}{peak:>10}");
        println!("{:<36}{:>10}{:>9.1}x{:>9.1}x{:>9.1}x", "", "", import / copy, layout / copy, upload / copy);
    }
}

fn least_ms<T>(work: impl Fn() -> T) -> f64 {
    let round = || {
        let began = Instant::now();
        black_box(work());
        began.elapsed().as_secs_f64() * 1e3
    };
    (0..ROUNDS).map(|_| round()).fold(f64::INFINITY, f64::min)
}

/// The largest resident memory of the process so far, on Linux.
fn peak_mib() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let kib = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?.split_whitespace().next()?;
    Some(kib.parse::<f64>().ok()? / 1024.0)
}
