//! Files to heads.
