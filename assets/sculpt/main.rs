//! `cargo run --release --example sculpt` writes the bundled head, `assets/head.glb`; another path may be given.

use std::path::{Path, PathBuf};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bundled = || Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/head.glb");
    let path = std::env::args_os().nth(1).map_or_else(bundled, PathBuf::from);
    std::fs::write(&path, smirk_sculpt::build()?)?;
    Ok(())
}
