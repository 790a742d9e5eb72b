//! Decodes primitives that are compressed by Draco (`KHR_draco_mesh_compression`) to the elements of their accessors.

use std::collections::HashMap;
use std::panic::catch_unwind;

use draco_core::{DataType, DecodeLimits, DecoderBuffer, Mesh, MeshDecoder, PointAttribute, PointIndex};
use gltf::json;
use gltf::json::Index;
use gltf::json::accessor::{Accessor, ComponentType};
use gltf::json::mesh::Mode;
use gltf::json::validation::Checked;
use serde::Deserialize;

use super::document::{GltfDocument, component, kind, lookup};
use super::views::Views;
use crate::import::{Fault, Import, Problem};
use smirk_face::head::{Kind, Subject};

const EXTENSION: &str = "KHR_draco_mesh_compression";
/// The decoder needs several times the memory of what it returns.
const MEMORY_TIMES: u64 = 4;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct CompressedPrimitive {
    buffer_view: u32,
    /// By the name of an attribute: its id among those of the compressed mesh.
    attributes: HashMap<String, u32>,
}

/// The bytes of the accessors that compressed primitives store, by index: all elements, in the accessor's types,
/// without gaps.
pub(crate) type DecodedAccessors = HashMap<usize, Vec<u8>>;

/// Decodes all compressed primitives. Those with positions that are also stored uncompressed are passed.
pub(crate) fn decode_draco(
    document: &GltfDocument,
    views: &Views<'_>,
    import: &mut Import<'_>,
) -> Result<DecodedAccessors, Fault> {
    let mut decoded = DecodedAccessors::new();
    import.begin("decompressing meshes", 0.1);
    for (number, mesh) in document.meshes.iter().enumerate() {
        for (index, primitive) in mesh.primitives.iter().enumerate() {
            import.tick()?;
            let extension = primitive.extensions.as_ref().and_then(|extensions| extensions.others.get(EXTENSION));
            let Some(extension) = extension else { continue };
            let subject = Subject::Numbered(Kind::Mesh, number).part(Subject::NumberedWithExtension(
                Kind::Primitive,
                index,
                EXTENSION.into(),
            ));
            let compressed = CompressedPrimitive::deserialize(extension)
                .map_err(|error| Fault::invalid(&subject, error.to_string()))?;
            let reader = PrimitiveReader { document, primitive, compressed, subject };
            if reader.is_stored_otherwise()? {
                continue;
            }
            decoded.extend(reader.read(views, import)?);
        }
    }
    Ok(decoded)
}

struct PrimitiveReader<'a> {
    document: &'a GltfDocument,
    primitive: &'a json::mesh::Primitive,
    compressed: CompressedPrimitive,
    subject: Subject,
}

impl PrimitiveReader<'_> {
    fn invalid(&self, problem: impl Into<Problem>) -> Fault {
        Fault::invalid(&self.subject, problem)
    }

    fn accessor(&self, index: Index<Accessor>) -> Result<&Accessor, Fault> {
        lookup(&self.document.accessors, index, &self.subject, "accessor")
    }

    /// Whether the positions are stored uncompressed as well, for programs without a decoder.
    fn is_stored_otherwise(&self) -> Result<bool, Fault> {
        let positions = self.primitive.attributes.get(&Checked::Valid(json::mesh::Semantic::Positions));
        positions.map_or(Ok(false), |&index| Ok(self.accessor(index)?.buffer_view.is_some()))
    }

    /// The compressed attributes: their accessors, and their ids in the compressed mesh.
    fn attributes(&self) -> Result<Vec<(Index<Accessor>, u32)>, Fault> {
        let mut attributes = Vec::new();
        for (name, &id) in &self.compressed.attributes {
            let index = self.primitive.attributes.iter().find_map(|(semantic, index)| match semantic {
                Checked::Valid(semantic) if semantic.to_string() == *name => Some(*index),
                _ => None,
            });
            let Some(index) = index else {
                return Err(self.invalid(format!("compresses {name:?}, which is no attribute of the primitive")));
            };
            attributes.push((index, id));
        }
        Ok(attributes)
    }

    fn read(&self, views: &Views<'_>, import: &mut Import<'_>) -> Result<Vec<(usize, Vec<u8>)>, Fault> {
        if self.primitive.mode != Checked::Valid(Mode::Triangles) {
            return Err(self.invalid("is not drawn as triangles, which is all that Smirk decompresses"));
        }
        let Some(indices) = self.primitive.indices else {
            return Err(self.invalid("has no indices"));
        };
        let attributes = self.attributes()?;
        let (mut bytes, mut points) = (0_u64, 0);
        for index in attributes.iter().map(|(index, _)| *index).chain([indices]) {
            let accessor = self.accessor(index)?;
            let size = kind(accessor, index)?.multiplicity() * component(accessor, index)?.size();
            bytes = bytes.saturating_add(accessor.count.0.saturating_mul(size as u64));
            points = points.max(accessor.count.0);
        }
        import.budget.spend(bytes.saturating_mul(MEMORY_TIMES), &self.subject)?;
        let limits = DecodeLimits::default()
            .with_max_points(points)
            .with_max_faces(self.accessor(indices)?.count.0 / 3)
            .with_max_decoded_bytes(bytes.saturating_mul(MEMORY_TIMES).saturating_add(1 << 16));
        let view = views.bytes(Index::new(self.compressed.buffer_view), &self.subject)?;
        // The decoder is safe Rust: the worst it can do with malformed bytes is a panic.
        let outcome = catch_unwind(|| {
            let mut mesh = Mesh::new();
            let mut buffer = DecoderBuffer::new(view).with_limits(limits);
            MeshDecoder::new().decode(&mut buffer, &mut mesh).map(|()| mesh).map_err(|error| error.to_string())
        });
        let outcome = outcome.unwrap_or_else(|_| Err("the compressed mesh is broken".into()));
        let mesh = outcome.map_err(|error| self.invalid(Problem::new(error).advise("export it again")))?;
        let mut decoded = vec![(indices.value(), self.corners(indices, &mesh)?)];
        for (index, id) in attributes {
            decoded.push((index.value(), self.values(index, id, &mesh)?));
        }
        Ok(decoded)
    }

    /// The corners of all triangles, in the type of the accessor of indices.
    fn corners(&self, index: Index<Accessor>, mesh: &Mesh) -> Result<Vec<u8>, Fault> {
        let accessor = self.accessor(index)?;
        let component = component(accessor, index)?;
        self.check_count(index, 3 * mesh.num_faces() as u64)?;
        let mut bytes = Vec::with_capacity(3 * mesh.num_faces() * component.size());
        for corner in mesh.faces().iter().flatten() {
            write(f64::from(corner.0), component, &mut bytes).ok_or_else(|| self.other_type(index, "corners"))?;
        }
        Ok(bytes)
    }

    /// The values of an attribute at all vertices, in the types of its accessor.
    fn values(&self, index: Index<Accessor>, id: u32, mesh: &Mesh) -> Result<Vec<u8>, Fault> {
        let accessor = self.accessor(index)?;
        let component = component(accessor, index)?;
        let width = kind(accessor, index)?.multiplicity();
        let Some(attribute) = mesh.attribute_by_unique_id(id) else {
            return Err(self.invalid(format!("has no compressed attribute {id}")));
        };
        self.check_count(index, mesh.num_points() as u64)?;
        let is_float = matches!(attribute.data_type(), DataType::Float32 | DataType::Float64);
        let own_width = usize::from(attribute.num_components());
        if own_width != width || is_float != (component == ComponentType::F32) {
            let own = attribute.data_type();
            return Err(self.invalid(format!(
                "its attribute {id} has {own_width} numbers of type {own:?} per vertex, accessor {} {width} of type {component:?}",
                index.value()
            )));
        }
        let mut bytes = Vec::with_capacity(mesh.num_points() * width * component.size());
        for point in 0..mesh.num_points() {
            let value = value_at(attribute, PointIndex(point as u32));
            let value =
                value.ok_or_else(|| self.invalid(format!("has no value of attribute {id} at vertex {point}")))?;
            let own_size = attribute.data_type().byte_length();
            for number in value.chunks_exact(own_size) {
                let number =
                    read(number, attribute.data_type()).and_then(|number| write(number, component, &mut bytes));
                number.ok_or_else(|| self.other_type(index, "numbers"))?;
            }
        }
        Ok(bytes)
    }

    fn check_count(&self, index: Index<Accessor>, count: u64) -> Result<(), Fault> {
        let claimed = self.accessor(index)?.count.0;
        if claimed != count {
            let index = index.value();
            return Err(
                self.invalid(format!("decompresses to {count} elements of accessor {index}, which has {claimed}"))
            );
        }
        Ok(())
    }

    fn other_type(&self, index: Index<Accessor>, what: &str) -> Fault {
        self.invalid(format!("decompresses to {what} that the type of accessor {} cannot hold", index.value()))
    }
}

fn value_at(attribute: &PointAttribute, point: PointIndex) -> Option<&[u8]> {
    let stride = usize::try_from(attribute.byte_stride()).ok()?;
    let size = usize::from(attribute.num_components()) * attribute.data_type().byte_length();
    let start = (attribute.mapped_index(point).0 as usize).checked_mul(stride)?;
    attribute.buffer().data().get(start..start.checked_add(size)?)
}

/// A number of at most 32 bits, or a float.
fn read(bytes: &[u8], kind: DataType) -> Option<f64> {
    Some(match kind {
        DataType::Int8 => f64::from(i8::from_le_bytes(bytes.try_into().ok()?)),
        DataType::Uint8 => f64::from(u8::from_le_bytes(bytes.try_into().ok()?)),
        DataType::Int16 => f64::from(i16::from_le_bytes(bytes.try_into().ok()?)),
        DataType::Uint16 => f64::from(u16::from_le_bytes(bytes.try_into().ok()?)),
        DataType::Int32 => f64::from(i32::from_le_bytes(bytes.try_into().ok()?)),
        DataType::Uint32 => f64::from(u32::from_le_bytes(bytes.try_into().ok()?)),
        DataType::Float32 => f64::from(f32::from_le_bytes(bytes.try_into().ok()?)),
        DataType::Float64 => f64::from_le_bytes(bytes.try_into().ok()?),
        DataType::Int64 | DataType::Uint64 | DataType::Bool | DataType::Invalid => return None,
    })
}

/// Appends a number; none if it is a whole number that the type cannot hold.
fn write(number: f64, component: ComponentType, bytes: &mut Vec<u8>) -> Option<()> {
    match component {
        ComponentType::I8 => bytes.extend((within(number, i8::MIN, i8::MAX)? as i8).to_le_bytes()),
        ComponentType::U8 => bytes.extend((within(number, 0, u8::MAX)? as u8).to_le_bytes()),
        ComponentType::I16 => bytes.extend((within(number, i16::MIN, i16::MAX)? as i16).to_le_bytes()),
        ComponentType::U16 => bytes.extend((within(number, 0, u16::MAX)? as u16).to_le_bytes()),
        ComponentType::U32 => bytes.extend((within(number, 0, u32::MAX)? as u32).to_le_bytes()),
        ComponentType::F32 => bytes.extend((number as f32).to_le_bytes()),
    }
    Some(())
}

fn within<T: Into<f64>>(number: f64, least: T, most: T) -> Option<f64> {
    (least.into()..=most.into()).contains(&number).then_some(number)
}
