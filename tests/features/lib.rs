//! Holds dependencies with the features that the workspace asks for together: see `Cargo.toml`.
