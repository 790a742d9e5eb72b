//! What expressions of a VRM do to materials: `materialColorBinds` and `textureTransformBinds` (1.0), `materialValues`
//! (0.x).
//!
//! VRM 0.x has the properties of Unity's shaders, whose texture coordinates begin at the bottom. Its colours are taken
//! as they are, as UniVRM and three-vrm do.

use std::collections::HashMap;

use glam::{Vec2, Vec3, Vec4};
use serde_json::{Map, Value};

use super::expressions::integer;
use crate::import::Problem;
use crate::import::budget::Budget;
use crate::import::gltf::read::GltfDocument;
use crate::import::gltf::surface::{TOON_EXTENSION, emissive_strength};
use smirk_face::head::{Kind, MaterialBind, MaterialValue, Subject, ToonColor};

pub(super) struct MaterialReader<'d> {
    document: &'d GltfDocument,
    by_name: HashMap<&'d str, Vec<usize>>,
    has_more: bool,
}

type Binds = Result<Vec<MaterialBind>, Problem>;

impl<'d> MaterialReader<'d> {
    pub(super) fn new(document: &'d GltfDocument) -> Self {
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, material) in document.materials.iter().enumerate() {
            if let Some(name) = &material.name {
                by_name.entry(name).or_default().push(index);
            }
        }
        Self { document, by_name, has_more: false }
    }

    /// Whether there were binds to what is not shown since this was last asked.
    pub(super) fn take_has_more(&mut self) -> bool {
        std::mem::take(&mut self.has_more)
    }

    /// Reads one of `materialColorBinds`: material, type, targetValue.
    pub(super) fn read_color(&mut self, bind: &Map<String, Value>) -> Binds {
        let material = self.material_of(bind)?;
        let value = numbers(bind, "targetValue")?;
        let kind = bind.get("type").and_then(Value::as_str).ok_or("has no type")?;
        Ok(self.color(material, kind, value))
    }

    /// Reads one of `textureTransformBinds`: material, scale, offset.
    pub(super) fn read_transform(&mut self, bind: &Map<String, Value>) -> Binds {
        let material = self.material_of(bind)?;
        let [scale, offset] =
            [("scale", Vec2::ONE), ("offset", Vec2::ZERO)].map(|(key, default)| match bind.contains_key(key) {
                true => numbers(bind, key).map(Vec2::from_array),
                false => Ok(default),
            });
        let value = MaterialValue::TextureTransform { scale: scale?, offset: offset? };
        Ok(vec![MaterialBind { material, value }])
    }

    /// Reads one of `materialValues`: materialName, propertyName, targetValue. All materials of the name are meant.
    pub(super) fn read_vrm0_value(&mut self, value: &Map<String, Value>, budget: &mut Budget) -> Binds {
        let name = value.get("materialName").and_then(Value::as_str).ok_or("names no material")?;
        let named = self.by_name.get(name).ok_or_else(|| format!("no material is called {name:?}"))?.clone();
        // Any number of values may name a material, and any number of materials have the name. A list that grows is
        // held twice meanwhile.
        let bytes = 2 * (named.len() * size_of::<MaterialBind>()) as u64;
        budget.spend(bytes, &Subject::named(Kind::Material, name))?;
        let property = value.get("propertyName").and_then(Value::as_str).ok_or("names no property")?;
        let numbers = numbers(value, "targetValue")?;
        let [u, v, offset_u, offset_v] = numbers;
        let transform = match property {
            "_MainTex_ST" => Some(([u, v], [offset_u, offset_v])),
            "_MainTex_ST_S" => Some(([u, 1.0], [offset_u, 0.0])),
            "_MainTex_ST_T" => Some(([1.0, v], [0.0, offset_v])),
            _ => None,
        };
        if let Some((scale, [offset_u, offset_v])) = transform {
            let offset = Vec2::new(offset_u, 1.0 - offset_v - scale[1]);
            let value = MaterialValue::TextureTransform { scale: scale.into(), offset };
            return Ok(named.into_iter().map(|material| MaterialBind { material, value }).collect());
        }
        let kind = match property {
            "_Color" => "color",
            "_EmissionColor" => "emissionColor",
            _ => property,
        };
        Ok(named.into_iter().flat_map(|material| self.color(material, kind, numbers)).collect())
    }

    /// The bind of a colour by its name in VRM 1.0; none if nothing of what is shown has it.
    fn color(&mut self, material: usize, kind: &str, value: [f32; 4]) -> Vec<MaterialBind> {
        let color = Vec4::from_array(value);
        let value = match kind {
            "color" => MaterialValue::BaseColor(color),
            "emissionColor" => {
                let strength = emissive_strength(&self.document.materials[material]);
                MaterialValue::Emissive(Vec3::from_array([value[0], value[1], value[2]]) * strength)
            }
            _ => match ToonColor::ALL.into_iter().find(|toon| is_called(*toon, kind)) {
                Some(which) if self.has_toon(material) => MaterialValue::Toon(which, color.truncate()),
                Some(_) | None => {
                    self.has_more = true;
                    return Vec::new();
                }
            },
        };
        vec![MaterialBind { material, value }]
    }

    /// Whether a material is drawn with toon shading.
    fn has_toon(&self, material: usize) -> bool {
        let drawn = self.document.drawn_materials.get(&material).or(self.document.materials.get(material));
        let extensions = drawn.and_then(|drawn| drawn.extensions.as_ref());
        extensions.is_some_and(|extensions| extensions.others.contains_key(TOON_EXTENSION))
    }

    fn material_of(&self, bind: &Map<String, Value>) -> Result<usize, Problem> {
        let material = integer(bind, "material").ok_or("names no material")?;
        let count = self.document.materials.len();
        if material < count { Ok(material) } else { Err(format!("material {material} of {count}").into()) }
    }
}

fn is_called(color: ToonColor, kind: &str) -> bool {
    color.name_in_vrm1() == kind || color.name_in_vrm0() == Some(kind)
}

fn numbers<const N: usize>(bind: &Map<String, Value>, key: &str) -> Result<[f32; N], Problem> {
    let list = bind.get(key).and_then(Value::as_array).filter(|list| list.len() >= N);
    let list = list.ok_or_else(|| format!("{key} is no list of {N} numbers"))?;
    let mut found = [0.0; N];
    for (number, value) in found.iter_mut().zip(list) {
        let value = value.as_f64().map(|value| value as f32).filter(|value| value.is_finite());
        *number = value.ok_or_else(|| format!("{key} has something that is no number"))?;
    }
    Ok(found)
}
