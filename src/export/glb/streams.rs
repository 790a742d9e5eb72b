//! Numbers of one layout, one after the other in one buffer view, which `EXT_meshopt_compression` can compress.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use serde_json::{Value, json};

pub(super) const COMPRESSION: &str = "EXT_meshopt_compression";

/// What the elements of a buffer view are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Elements {
    /// Vertex attributes, each so many bytes after the one before.
    Vertices { stride: usize, filter: Filter },
    /// Values of sparse accessors without a gap, of so many bytes.
    Values { size: usize, filter: Filter },
    /// Vertices of triangles, of so many bytes.
    Triangles { size: usize },
    /// Ends of lines, of so many bytes.
    Lines { size: usize },
    /// The vertices of sparse accessors, of so many bytes.
    Rows { size: usize },
}

/// How elements are transformed before they are compressed; a reader undoes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Filter {
    None,
    Octahedral,
    Exponential,
}

impl Elements {
    /// The bytes of what is compressed as one: values and vertices of sparse accessors, which have no gaps, are taken
    /// in groups, since the codec knows only multiples of four.
    fn stride(self) -> usize {
        match self {
            Self::Vertices { stride, .. } => stride,
            Self::Values { .. } => 12,
            Self::Rows { .. } => 4,
            Self::Triangles { size } | Self::Lines { size } => size,
        }
    }

    fn filter(self) -> Filter {
        match self {
            Self::Vertices { filter, .. } | Self::Values { filter, .. } => filter,
            Self::Triangles { .. } | Self::Lines { .. } | Self::Rows { .. } => Filter::None,
        }
    }

    fn mode(self) -> &'static str {
        match self {
            Self::Vertices { .. } | Self::Values { .. } | Self::Rows { .. } => "ATTRIBUTES",
            Self::Triangles { .. } => "TRIANGLES",
            Self::Lines { .. } => "INDICES",
        }
    }

    /// The bytes, whose number is a multiple of the stride, as `EXT_meshopt_compression` has them.
    pub(super) fn compressed(self, bytes: &[u8]) -> Vec<u8> {
        let compressed = match self {
            Self::Vertices { .. } | Self::Values { .. } | Self::Rows { .. } => {
                compressed_vertices(bytes, self.stride())
            }
            Self::Triangles { size } => {
                let indices = indices(bytes, size);
                meshopt::encode_index_buffer(&indices, vertex_count(&indices))
            }
            Self::Lines { size } => {
                let indices = indices(bytes, size);
                meshopt::encode_index_sequence(&indices, vertex_count(&indices))
            }
        };
        compressed.expect("the encoder has no errors of its own")
    }

    /// The number of bytes that elements add to a file, about.
    pub(super) fn cost(self, bytes: &[u8], is_compressed: bool) -> usize {
        if !is_compressed {
            return bytes.len();
        }
        let mut whole = bytes.to_vec();
        whole.resize(bytes.len().next_multiple_of(self.stride()), 0);
        self.compressed(&whole).len()
    }
}

/// Version 0 of the codec for vertices, the only one that `EXT_meshopt_compression` has.
fn compressed_vertices(bytes: &[u8], stride: usize) -> meshopt::Result<Vec<u8>> {
    const VERSION: Option<i32> = Some(0);
    const LEVEL: i32 = 3;
    match stride {
        4 => meshopt::encode_vertex_buffer_level(&bytemuck::pod_collect_to_vec::<u8, [u32; 1]>(bytes), LEVEL, VERSION),
        8 => meshopt::encode_vertex_buffer_level(&bytemuck::pod_collect_to_vec::<u8, [u32; 2]>(bytes), LEVEL, VERSION),
        12 => meshopt::encode_vertex_buffer_level(&bytemuck::pod_collect_to_vec::<u8, [u32; 3]>(bytes), LEVEL, VERSION),
        16 => meshopt::encode_vertex_buffer_level(&bytemuck::pod_collect_to_vec::<u8, [u32; 4]>(bytes), LEVEL, VERSION),
        _ => unreachable!("an attribute has at most four numbers of 32 bits"),
    }
}

fn indices(bytes: &[u8], size: usize) -> Vec<u32> {
    match size {
        2 => bytemuck::pod_collect_to_vec::<u8, u16>(bytes).into_iter().map(u32::from).collect(),
        _ => bytemuck::pod_collect_to_vec::<u8, u32>(bytes),
    }
}

fn vertex_count(indices: &[u32]) -> usize {
    indices.iter().max().map_or(0, |&index| index as usize + 1)
}

/// The buffer views of a file that is stored within an error.
#[derive(Default)]
pub(super) struct Streams {
    list: Vec<Stream>,
}

struct Stream {
    elements: Elements,
    view: usize,
    bytes: Vec<u8>,
    known: HashMap<u64, Vec<Range<usize>>>,
}

/// Where elements are in a file.
pub(super) struct Place {
    pub view: usize,
    pub offset: usize,
    pub is_new: bool,
}

impl Streams {
    /// Adds elements, or finds them where they are already. `views` gets a place for the view, which
    /// [`Self::write`] fills.
    pub(super) fn add(&mut self, elements: Elements, bytes: &[u8], views: &mut Vec<Value>) -> Place {
        let at = self.list.iter().position(|stream| stream.elements == elements).unwrap_or_else(|| {
            let (bytes, known) = (Vec::new(), HashMap::new());
            self.list.push(Stream { elements, view: views.len(), bytes, known });
            views.push(Value::Null);
            self.list.len() - 1
        });
        let stream = &mut self.list[at];
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let known = stream.known.entry(hasher.finish()).or_default();
        let same = known.iter().find(|place| stream.bytes[(*place).clone()] == *bytes);
        let (offset, is_new) = same.map_or((stream.bytes.len(), true), |place| (place.start, false));
        if is_new {
            known.push(offset..offset + bytes.len());
            stream.bytes.extend(bytes);
        }
        Place { view: stream.view, offset, is_new }
    }

    /// Writes all views and their bytes. Returns the size of the second buffer, in which compressed views have their
    /// places once they are decompressed; 0 if there is none.
    pub(super) fn write(self, is_compressed: bool, file: &mut Vec<u8>, views: &mut [Value]) -> usize {
        let mut decompressed = 0;
        for Stream { elements, view, mut bytes, .. } in self.list {
            file.resize(file.len().next_multiple_of(4), 0);
            let start = file.len();
            let mut json = json!({});
            match elements {
                Elements::Vertices { stride, .. } => {
                    (json["target"], json["byteStride"]) = (json!(34962), json!(stride));
                }
                Elements::Triangles { .. } | Elements::Lines { .. } => json["target"] = json!(34963),
                Elements::Values { .. } | Elements::Rows { .. } => {}
            }
            if is_compressed {
                let stride = elements.stride();
                bytes.resize(bytes.len().next_multiple_of(stride), 0);
                file.extend(elements.compressed(&bytes));
                let mut extension = json!({
                    "buffer": 0, "byteOffset": start, "byteLength": file.len() - start, "byteStride": stride,
                    "mode": elements.mode(), "count": bytes.len() / stride
                });
                match elements.filter() {
                    Filter::None => {}
                    Filter::Octahedral => extension["filter"] = json!("OCTAHEDRAL"),
                    Filter::Exponential => extension["filter"] = json!("EXPONENTIAL"),
                }
                json["extensions"] = json!({COMPRESSION: extension});
                (json["buffer"], json["byteOffset"]) = (json!(1), json!(decompressed));
                decompressed += bytes.len().next_multiple_of(4);
            } else {
                (json["buffer"], json["byteOffset"]) = (json!(0), json!(start));
                file.extend(&bytes);
            }
            json["byteLength"] = json!(bytes.len());
            views[view] = json;
        }
        decompressed
    }
}
