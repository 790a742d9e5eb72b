//! Errors of the device are reported, and the device goes on.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::{Path, PathBuf};
use std::sync::mpsc::channel;

use smirk_graphics::gpu::{DeviceError, Gpu, Prefer};
use smirk_support::{software_gpu_with, software_gpu_with_features};

const MOST: usize = 4096;
const USAGE: wgpu::BufferUsages = wgpu::BufferUsages::COPY_SRC;

fn small_gpu() -> Gpu {
    software_gpu_with(|limits| limits.max_buffer_size = MOST as u64)
}

#[test]
fn a_buffer_that_is_too_large_is_named_with_its_numbers_and_the_device_goes_on() {
    let gpu = small_gpu();
    let error = gpu.attempt(|| gpu.filled_buffer("lashes", &[7; 2 * MOST], USAGE)).unwrap_err();
    let DeviceError::Refused { reason, .. } = &error else { panic!("{error:?}") };
    assert!(["lashes", "4096", "8192"].iter().all(|word| reason.contains(word)), "{reason}");
    assert_eq!(error.to_string().lines().count(), 1);
    let buffer = gpu.attempt(|| gpu.filled_buffer("brows", &[7; MOST], USAGE)).unwrap();
    assert_eq!(gpu.read_buffer(&buffer).unwrap(), [7; MOST]);
}

#[test]
fn an_attempt_within_another_fails_alone() {
    let gpu = small_gpu();
    let outer = gpu.attempt(|| gpu.attempt(|| gpu.buffer("lashes", 2 * MOST as u64, USAGE)).is_err());
    assert_eq!(outer, Ok(true));
}

#[test]
fn buffers_hold_their_contents_and_are_never_too_small_to_bind() {
    let gpu = Gpu::headless(Prefer::Software).unwrap();
    // The last are copied in pieces.
    let large: Vec<u8> = (0..9_000_003).map(|at| (at / 7 % 251) as u8).collect();
    for contents in [&[][..], &[1, 2, 3, 4, 5], &[9; 37], &large] {
        let mut expected = contents.to_vec();
        expected.resize(contents.len().max(16).next_multiple_of(4), 0);
        assert!(gpu.read_buffer(&gpu.filled_buffer("any", contents, USAGE)).unwrap() == expected, "{}", contents.len());
    }
}

#[test]
fn blocks_of_textures_are_left_to_adapters_that_read_them_fast() {
    let blocks = wgpu::Features::TEXTURE_COMPRESSION_BC;
    let gpu = Gpu::headless(Prefer::Software).unwrap();
    assert!(gpu.adapter.features().contains(blocks) && !gpu.device.features().contains(blocks));
    let gpu = software_gpu_with_features(blocks);
    assert_eq!(gpu.another_device().unwrap().device.features(), blocks);
}

#[test]
fn another_device_is_on_the_same_adapter_and_survives_the_loss_of_the_first() {
    let gpu = Gpu::headless(Prefer::Software).unwrap();
    let other = gpu.another_device().unwrap();
    assert_eq!((&other.info.name, other.info.backend), (&gpu.info.name, gpu.info.backend));
    gpu.device.destroy();
    gpu.wait();
    assert!(gpu.is_lost() && !other.is_lost());
    let buffer = other.attempt(|| other.filled_buffer("brows", &[7; MOST], USAGE)).unwrap();
    assert_eq!(other.read_buffer(&buffer).unwrap(), [7; MOST]);
}

#[test]
fn nothing_succeeds_on_a_lost_device() {
    let gpu = Gpu::headless(Prefer::Software).unwrap();
    gpu.report_errors(|_| {});
    let buffer = gpu.filled_buffer("brows", &[7; MOST], USAGE);
    let texture = gpu.texture("cheeks", [4; 2], wgpu::TextureFormat::Rgba8Unorm, wgpu::TextureUsages::COPY_SRC);
    assert!(gpu.read_buffer(&buffer).is_ok() && gpu.read_texture(&texture).is_ok());
    gpu.device.destroy();
    gpu.wait();
    let error = gpu.attempt(|| gpu.filled_buffer("lashes", &[7; MOST], USAGE)).unwrap_err();
    assert!(matches!(error, DeviceError::Lost { .. }) && gpu.is_lost(), "{error}");
    for read in [gpu.read_buffer(&buffer), gpu.read_texture(&texture)] {
        assert!(matches!(read, Err(DeviceError::Lost { .. })), "{read:?}");
    }
    assert_eq!(gpu.survive_loss(|| panic!("the device is lost")), None::<()>);
}

#[test]
#[should_panic(expected = "a panic of another cause")]
fn a_panic_of_another_cause_is_not_swallowed() {
    Gpu::headless(Prefer::Software).unwrap().survive_loss(|| panic!("a panic of another cause"));
}

#[test]
fn an_error_is_reported_once_however_often_it_occurs() {
    let gpu = small_gpu();
    let (send, reported) = channel();
    gpu.report_errors(move |error| send.send(error).unwrap());
    for label in ["lashes", "brows", "lashes", "brows", "lashes"] {
        gpu.buffer(label, 2 * MOST as u64, USAGE);
    }
    let reported: Vec<String> = reported.try_iter().map(|error| error.to_string()).collect();
    assert!(
        matches!(&reported[..], [lashes, brows] if lashes.contains("lashes") && brows.contains("brows")),
        "{reported:?}"
    );
}

/// A tool that shows the commands of a frame names each object and pass by its label.
#[test]
fn every_gpu_object_and_pass_has_a_label() {
    let mut unlabelled = Vec::new();
    for path in sources(&smirk_support::repository().join("src")) {
        let text = std::fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
        unlabelled.extend(unlabelled_lines(code).map(|line| format!("{}: {line}", path.display())));
    }
    assert!(unlabelled.is_empty(), "{}", unlabelled.join("\n"));
    let planted = "device.create_buffer(&wgpu::BufferDescriptor {\n    label: None,\n});\ntexture.create_view(&Default::default());";
    assert_eq!(unlabelled_lines(planted).count(), 2);
}

/// Lines that make a GPU object or begin a pass without a label.
fn unlabelled_lines(code: &str) -> impl Iterator<Item = &str> {
    let is_unlabelled = |line: &&str| {
        ["label: None", "Descriptor::default()", "create_view(&Default"].iter().any(|what| line.contains(what))
    };
    code.lines().map(str::trim).filter(is_unlabelled)
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let in_entry = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    entries.flat_map(in_entry).filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}
