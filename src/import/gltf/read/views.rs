//! Buffer views (glTF 2.0 §3.6.1.4): runs of bytes in buffers, checked, and unpacked where they are packed.

use std::collections::HashMap;

use gltf::json::Index;
use gltf::json::buffer::View;
use serde::Deserialize;
use serde_json::Value;

use super::buffers::{Buffers, PACKINGS};
use super::document::{Document, lookup};
use super::meshopt::{MeshoptLayout, decode_meshopt};
use crate::import::budget::Budget;
use crate::import::{Fault, Progress, report};

/// All views of a file.
pub struct Views<'a> {
    document: &'a Document,
    buffers: &'a Buffers<'a>,
    /// By index of the view, where it is packed.
    unpacked: HashMap<usize, Vec<u8>>,
}

/// What a packed view says of itself.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Packed {
    buffer: u32,
    #[serde(default)]
    byte_offset: u64,
    byte_length: u64,
    #[serde(flatten)]
    layout: MeshoptLayout,
}

impl<'a> Views<'a> {
    /// Over loaded buffers; unpacks what is packed.
    pub fn new(
        document: &'a Document,
        buffers: &'a Buffers<'a>,
        budget: &mut Budget,
        progress: &Progress<'_>,
    ) -> Result<Self, Fault> {
        let mut views = Self { document, buffers, unpacked: HashMap::new() };
        for (index, view) in document.buffer_views.iter().enumerate() {
            let Some((name, extension)) = packing_of(view) else { continue };
            report(progress, "unpacking buffers", 0.1)?;
            let object = format!("bufferView {index} ({name})");
            let bytes = views.unpack(view, extension, budget, &object)?;
            views.unpacked.insert(index, bytes);
        }
        Ok(views)
    }

    fn unpack(&self, view: &View, extension: &Value, budget: &mut Budget, object: &str) -> Result<Vec<u8>, Fault> {
        let packed = Packed::deserialize(extension).map_err(|error| Fault::invalid(object, error.to_string()))?;
        let MeshoptLayout { count, stride, .. } = packed.layout;
        if packed.layout.unpacked_bytes() != Some(view.byte_length.0) {
            return Err(Fault::invalid(
                object,
                format!("unpacks to {count} elements of {stride} bytes, its byteLength is {}", view.byte_length.0),
            ));
        }
        if let Some(own) = view.byte_stride.filter(|own| own.0 as u64 != stride) {
            return Err(Fault::invalid(
                object,
                format!("unpacks to an element every {stride} bytes, its byteStride is {}", own.0),
            ));
        }
        let bytes = self.slice(Index::new(packed.buffer), packed.byte_offset, packed.byte_length, object)?;
        let undecodable = |why| Fault::invalid(object, format!("{why}"));
        packed.layout.check(bytes.len()).map_err(undecodable)?;
        budget.spend(view.byte_length.0, object)?;
        decode_meshopt(bytes, &packed.layout).map_err(undecodable)
    }

    /// The bytes of a view, checked against its buffer.
    pub fn bytes(&self, index: Index<View>, owner: &str) -> Result<&[u8], Fault> {
        let view = lookup(&self.document.buffer_views, index, owner, "bufferView")?;
        if let Some(unpacked) = self.unpacked.get(&index.value()) {
            return Ok(unpacked);
        }
        let object = format!("bufferView {}", index.value());
        self.slice(view.buffer, view.byte_offset.unwrap_or_default().0, view.byte_length.0, &object)
    }

    fn slice(
        &self,
        buffer: Index<gltf::json::Buffer>,
        begin: u64,
        length: u64,
        object: &str,
    ) -> Result<&'a [u8], Fault> {
        lookup(&self.document.buffers, buffer, object, "buffer")?;
        let bytes = self.buffers.get(buffer.value()).unwrap_or_default();
        let end = begin.checked_add(length).filter(|&end| end <= bytes.len() as u64);
        let Some(end) = end else {
            return Err(Fault::invalid(
                object,
                format!(
                    "{length} bytes from byte {begin} end past buffer {}, which has {} bytes",
                    buffer.value(),
                    bytes.len()
                ),
            ));
        };
        Ok(&bytes[begin as usize..end as usize])
    }
}

/// The extension that says how a view is packed, if it is.
fn packing_of(view: &View) -> Option<(&'static str, &Value)> {
    let extensions = &view.extensions.as_ref()?.others;
    PACKINGS.iter().find_map(|&name| Some((name, extensions.get(name)?)))
}
