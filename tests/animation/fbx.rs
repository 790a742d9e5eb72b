//! FBX files, read back by `ufbx`.
