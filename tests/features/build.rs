//! Cargo asks for the dependencies of a build script only where there is one.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
