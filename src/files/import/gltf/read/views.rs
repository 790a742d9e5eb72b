//! Buffer views (glTF 2.0 §3.6.1.4): consecutive bytes of a buffer, checked against its length, and decompressed where
//! needed.

use std::collections::HashMap;

use gltf::json::Index;
use gltf::json::buffer::View;
use serde::Deserialize;
use serde_json::Value;

use super::buffers::{Buffers, COMPRESSION_EXTENSIONS};
use super::document::{GltfDocument, lookup};
use super::meshopt::{MeshoptLayout, decode_meshopt};
use crate::import::{Fault, Import};
use smirk_face::head::{Kind, Subject};

pub(crate) struct Views<'a> {
    document: &'a GltfDocument,
    buffers: &'a Buffers<'a>,
    decompressed: HashMap<usize, Vec<u8>>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CompressedView {
    buffer: u32,
    #[serde(default)]
    byte_offset: u64,
    byte_length: u64,
    #[serde(flatten)]
    layout: MeshoptLayout,
}

impl<'a> Views<'a> {
    pub(crate) fn new(
        document: &'a GltfDocument,
        buffers: &'a Buffers<'a>,
        import: &mut Import<'_>,
    ) -> Result<Self, Fault> {
        let mut views = Self { document, buffers, decompressed: HashMap::new() };
        import.begin("decompressing buffers", 0.1);
        for (index, view) in document.buffer_views.iter().enumerate() {
            import.tick()?;
            let Some((name, extension)) = compression_of(view) else { continue };
            // Nothing may use it; if something does, that is an error.
            let buffer =
                extension.get("buffer").and_then(Value::as_u64).and_then(|buffer| usize::try_from(buffer).ok());
            if buffer.is_some_and(|buffer| buffers.is_missing(buffer)) {
                continue;
            }
            let subject = Subject::NumberedWithExtension(Kind::BufferView, index, name.to_owned());
            let bytes = views.decompress(view, extension, import, &subject)?;
            views.decompressed.insert(index, bytes);
        }
        Ok(views)
    }

    fn decompress(
        &self,
        view: &View,
        extension: &Value,
        import: &mut Import<'_>,
        subject: &Subject,
    ) -> Result<Vec<u8>, Fault> {
        let compressed =
            CompressedView::deserialize(extension).map_err(|error| Fault::invalid(subject, error.to_string()))?;
        let MeshoptLayout { count, stride, .. } = compressed.layout;
        if compressed.layout.decompressed_bytes() != Some(view.byte_length.0) {
            return Err(Fault::invalid(
                subject,
                format!("decompresses to {count} elements of {stride} bytes, its byteLength is {}", view.byte_length.0),
            ));
        }
        if let Some(own) = view.byte_stride.filter(|own| own.0 as u64 != stride) {
            let problem = format!("decompresses to an element every {stride} bytes, its byteStride is {}", own.0);
            return Err(Fault::invalid(subject, problem));
        }
        let bytes =
            self.slice(Index::new(compressed.buffer), compressed.byte_offset, compressed.byte_length, subject)?;
        compressed.layout.check(bytes.len()).map_err(|problem| Fault::invalid(subject, problem))?;
        import.budget.spend(view.byte_length.0, subject)?;
        decode_meshopt(bytes, &compressed.layout).map_err(|problem| Fault::invalid(subject, problem))
    }

    pub(crate) fn bytes(&self, index: Index<View>, owner: &Subject) -> Result<&[u8], Fault> {
        let view = lookup(&self.document.buffer_views, index, owner, "bufferView")?;
        if let Some(bytes) = self.decompressed.get(&index.value()) {
            return Ok(bytes);
        }
        let subject = Subject::Numbered(Kind::BufferView, index.value());
        if let Some(buffer) = compression_of(view).and_then(|(_, extension)| extension.get("buffer")?.as_u64()) {
            // It is not decompressed, because its bytes are missing.
            self.buffers.get(usize::try_from(buffer).unwrap_or(usize::MAX))?;
        }
        self.slice(view.buffer, view.byte_offset.unwrap_or_default().0, view.byte_length.0, &subject)
    }

    fn slice(
        &self,
        buffer: Index<gltf::json::Buffer>,
        begin: u64,
        length: u64,
        subject: &Subject,
    ) -> Result<&'a [u8], Fault> {
        lookup(&self.document.buffers, buffer, subject, "buffer")?;
        let bytes = self.buffers.get(buffer.value())?;
        let end = begin.checked_add(length).filter(|&end| end <= bytes.len() as u64);
        let Some(end) = end else {
            return Err(Fault::invalid(
                subject,
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

/// A view's compression extension and its name, if it has one.
fn compression_of(view: &View) -> Option<(&'static str, &Value)> {
    let extensions = &view.extensions.as_ref()?.others;
    COMPRESSION_EXTENSIONS.iter().find_map(|&name| Some((name, extensions.get(name)?)))
}
