//! Reads the fields of a packet one after the other.

use super::error::PacketError;

/// The bytes of a packet that were not read yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    /// The next `count` bytes.
    pub(super) fn take(&mut self, field: &'static str, count: usize) -> Result<&'a [u8], PacketError> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(PacketError::Short {
            field,
            needed: count as u64,
            left: self.0.len(),
        })?;
        self.0 = rest;
        Ok(taken)
    }

    /// The next bytes of a number.
    pub(super) fn array<const N: usize>(&mut self, field: &'static str) -> Result<[u8; N], PacketError> {
        let (taken, rest) =
            self.0.split_first_chunk().ok_or(PacketError::Short { field, needed: N as u64, left: self.0.len() })?;
        self.0 = rest;
        Ok(*taken)
    }

    /// The next byte.
    pub(super) fn byte(&mut self, field: &'static str) -> Result<u8, PacketError> {
        self.array(field).map(|[byte]| byte)
    }

    /// An error if anything is left.
    pub(super) fn end(self) -> Result<(), PacketError> {
        match self.0.len() {
            0 => Ok(()),
            bytes => Err(PacketError::Leftover { bytes }),
        }
    }
}
