//! What the expressions of VRM files do to materials.
//!
//! The rules are VRM 1.0's (`VRMC_vrm.expressions`: MaterialColorBind, TextureTransformBind, expression update
//! algorithm): each bind adds the difference between its value and that of the material at rest, multiplied by the
//! output of its expression.

use std::collections::BTreeMap;

use glam::{Affine2, Mat2, Vec2, Vec3, Vec4};
use serde_json::{Value, json};

use super::VrmVersion;
use super::channel::Expression;
use super::material::{Material, TextureRef};
use super::toon::ToonColor;

/// A value that an expression at 1 gives a material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MaterialBind {
    /// Index into [`super::Asset::materials`].
    pub material: usize,
    pub value: MaterialValue,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MaterialValue {
    BaseColor(Vec4),
    Emissive(Vec3),
    /// How the texture coordinates of all its textures are scaled and then moved, after they were turned.
    TextureTransform {
        scale: Vec2,
        offset: Vec2,
    },
    /// A colour of toon shading, linear.
    Toon(ToonColor, Vec3),
}

/// A property of a material that an expression may animate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MaterialProperty {
    BaseColor,
    /// With the factor by which it exceeds 1.
    Emissive,
    /// Of a texture, by its index in [`Material::textures`].
    TextureOffset(usize),
    TextureScale(usize),
    /// The angle of `KHR_texture_transform`, in radians.
    TextureRotation(usize),
    Toon(ToonColor),
}

/// Where a material of glTF has the textures of [`Material::textures`].
const TEXTURES_OF_GLTF: [&str; 6] = [
    "pbrMetallicRoughness/baseColorTexture",
    "normalTexture",
    "pbrMetallicRoughness/metallicRoughnessTexture",
    "occlusionTexture",
    "emissiveTexture",
    "extensions/KHR_materials_specular/specularTexture",
];

impl MaterialValue {
    /// The properties that it changes of a material, each with its numbers at rest and at 1.
    pub(super) fn properties(self, rest: &Material) -> Vec<(MaterialProperty, Vec<f32>, Vec<f32>)> {
        match self {
            Self::BaseColor(color) => {
                vec![(MaterialProperty::BaseColor, rest.base_color.to_vec(), color.to_array().to_vec())]
            }
            Self::Emissive(light) => {
                vec![(MaterialProperty::Emissive, rest.emissive.to_vec(), light.to_array().to_vec())]
            }
            Self::TextureTransform { scale, offset } => {
                let maps = rest.textures().into_iter().enumerate().filter_map(|(at, map)| Some((at, map?)));
                let changes = maps.flat_map(|(at, map)| {
                    let Affine2 { matrix2, translation } = map.texture_from_uv;
                    let (_, scale_at_rest) = turn_and_scale(matrix2);
                    [
                        (MaterialProperty::TextureOffset(at), translation, offset),
                        (MaterialProperty::TextureScale(at), scale_at_rest, scale),
                    ]
                });
                changes.map(|(what, from, to)| (what, from.to_array().to_vec(), to.to_array().to_vec())).collect()
            }
            Self::Toon(which, color) => {
                let from = rest.toon.as_deref().map_or([0.0; 3], |toon| toon.color(which));
                vec![(MaterialProperty::Toon(which), from.to_vec(), color.to_array().to_vec())]
            }
        }
    }
}

impl MaterialProperty {
    /// The number of numbers that it has.
    pub fn width(self) -> usize {
        match self {
            Self::BaseColor => 4,
            Self::Emissive | Self::Toon(_) => 3,
            Self::TextureOffset(_) | Self::TextureScale(_) => 2,
            Self::TextureRotation(_) => 1,
        }
    }

    /// Its pointer in glTF's object model.
    pub fn pointer(self, material: usize) -> String {
        let transform = |texture: usize, property: &str| {
            format!("{}/extensions/KHR_texture_transform/{property}", TEXTURES_OF_GLTF[texture])
        };
        let own = match self {
            Self::BaseColor => "pbrMetallicRoughness/baseColorFactor".into(),
            Self::Emissive => "emissiveFactor".into(),
            Self::TextureOffset(texture) => transform(texture, "offset"),
            Self::TextureScale(texture) => transform(texture, "scale"),
            Self::TextureRotation(texture) => transform(texture, "rotation"),
            Self::Toon(which) => format!("extensions/VRMC_materials_mtoon/{}", which.member()),
        };
        format!("/materials/{material}/{own}")
    }

    /// The number of the material and the property that a pointer names; none for any other pointer.
    pub fn of_pointer(pointer: &str) -> Option<(usize, Self)> {
        let (material, own) = pointer.strip_prefix("/materials/")?.split_once('/')?;
        let material = material.parse().ok()?;
        let of_textures = (0..TEXTURES_OF_GLTF.len())
            .flat_map(|at| [Self::TextureOffset(at), Self::TextureScale(at), Self::TextureRotation(at)]);
        let all = [Self::BaseColor, Self::Emissive].into_iter().chain(of_textures);
        let all = all.chain(ToonColor::ALL.map(Self::Toon));
        let property = all.into_iter().find(|property| property.pointer(0)["/materials/0/".len()..] == *own)?;
        Some((material, property))
    }
}

impl Expression {
    /// Replaces what it does to materials, also in the words of a file of that version. What the file says of
    /// properties that are not shown stays.
    pub fn set_materials(&mut self, binds: Vec<MaterialBind>, version: VrmVersion, materials: &[Material]) {
        const LISTS: [&str; 3] = ["materialColorBinds", "textureTransformBinds", "materialValues"];
        for list in LISTS {
            if let Some(entries) = self.carried.get_mut(list).and_then(Value::as_array_mut) {
                entries.retain(|entry| !is_shown(entry, materials));
            }
        }
        for bind in &binds {
            let Some(material) = materials.get(bind.material) else { continue };
            let (list, words) = in_words_of_file(bind, material, version);
            match self.carried.entry(list).or_insert_with(|| json!([])) {
                Value::Array(list) => list.push(words),
                other => *other = json!([words]),
            }
        }
        self.carried.retain(|key, list| !LISTS.contains(&key.as_str()) || *list != json!([]));
        self.materials = binds;
    }
}

/// Whether an entry of a file's lists of effects on materials is one that [`MaterialValue`] has. Those of texture
/// coordinates in VRM 1.0 have no kind.
fn is_shown(entry: &Value, materials: &[Material]) -> bool {
    const SHOWN: [&str; 7] =
        ["color", "emissionColor", "_Color", "_EmissionColor", "_MainTex_ST", "_MainTex_ST_S", "_MainTex_ST_T"];
    let kind = entry.get("type").or(entry.get("propertyName")).and_then(Value::as_str);
    let is_of_toon =
        |kind| ToonColor::ALL.iter().any(|toon| [Some(toon.name_in_vrm1()), toon.name_in_vrm0()].contains(&Some(kind)));
    let material = match (entry["material"].as_u64(), entry["materialName"].as_str()) {
        (Some(index), _) => materials.get(index as usize),
        (None, name) => materials.iter().find(|material| Some(&*material.name) == name),
    };
    let has_toon = material.is_some_and(|material| material.toon.is_some());
    kind.is_none_or(|kind| SHOWN.contains(&kind) || (has_toon && is_of_toon(kind)))
}

/// An effect as a file has it, and the list in which it stands there. A file has the emissive colour without the factor
/// by which it exceeds 1, and VRM 0.x texture coordinates that begin at the bottom.
fn in_words_of_file(bind: &MaterialBind, material: &Material, version: VrmVersion) -> (&'static str, Value) {
    let (index, name) = (bind.material, &material.name);
    let strength = material.emissive.iter().fold(1.0, |most: f32, &channel| most.max(channel));
    let of_color = |kind: &str, property: &str, value: [f32; 4]| match version {
        VrmVersion::V1 => ("materialColorBinds", json!({"material": index, "type": kind, "targetValue": value})),
        VrmVersion::V0 => {
            ("materialValues", json!({"materialName": name, "propertyName": property, "targetValue": value}))
        }
    };
    match bind.value {
        MaterialValue::BaseColor(color) => of_color("color", "_Color", color.to_array()),
        MaterialValue::Emissive(light) => {
            of_color("emissionColor", "_EmissionColor", (light / strength).extend(1.0).to_array())
        }
        MaterialValue::TextureTransform { scale, offset } => match version {
            VrmVersion::V1 => {
                let (scale, offset) = (scale.to_array(), offset.to_array());
                ("textureTransformBinds", json!({"material": index, "scale": scale, "offset": offset}))
            }
            VrmVersion::V0 => of_color("", "_MainTex_ST", [scale.x, scale.y, offset.x, 1.0 - offset.y - scale.y]),
        },
        // VRM 0.x has no name for the matcap: it keeps that of 1.0.
        MaterialValue::Toon(which, color) => {
            let name = which.name_in_vrm1();
            of_color(name, which.name_in_vrm0().unwrap_or(name), color.extend(1.0).to_array())
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChangedByExpressions {
    /// The alpha of its base colour.
    pub alpha: bool,
    /// The light that it emits.
    pub emissive: bool,
    pub texture_transforms: bool,
    /// Any colour of toon shading.
    pub toon: bool,
}

impl ChangedByExpressions {
    pub(super) fn set(materials: &mut [Material], expressions: &[Expression]) {
        materials.iter_mut().for_each(|material| material.changed_by_expressions = Self::default());
        for bind in expressions.iter().flat_map(|expression| &expression.materials) {
            let Some(material) = materials.get_mut(bind.material) else { continue };
            let changed = &mut material.changed_by_expressions;
            match bind.value {
                MaterialValue::BaseColor(color) => changed.alpha |= color.w != material.base_color[3],
                MaterialValue::Emissive(_) => changed.emissive = true,
                MaterialValue::TextureTransform { .. } => changed.texture_transforms = true,
                MaterialValue::Toon(..) => changed.toon = true,
            }
        }
        for track in expressions.iter().filter_map(|each| each.response.as_ref()).flat_map(|each| &each.materials) {
            let Some(material) = materials.get_mut(track.material) else { continue };
            let alpha = material.base_color[3];
            let changed = &mut material.changed_by_expressions;
            match track.property {
                MaterialProperty::BaseColor => changed.alpha |= !track.curve.rests_at(alpha, 3, 0.0),
                MaterialProperty::Emissive => changed.emissive = true,
                MaterialProperty::TextureOffset(_)
                | MaterialProperty::TextureScale(_)
                | MaterialProperty::TextureRotation(_) => changed.texture_transforms = true,
                MaterialProperty::Toon(_) => changed.toon = true,
            }
        }
    }
}

/// The materials that expressions change, as they are at these outputs, by their indices; also those that are at rest.
/// The output of an expression that is missing is 0.
pub(super) fn materials_under(
    expressions: &[Expression],
    at_rest: &[Material],
    outputs: &[f32],
) -> BTreeMap<usize, Material> {
    let mut changed = BTreeMap::new();
    for (index, expression) in expressions.iter().enumerate() {
        let output = outputs.get(index).copied().unwrap_or(0.0);
        for bind in &expression.materials {
            let Some(rest) = at_rest.get(bind.material) else { continue };
            changed.entry(bind.material).or_insert_with(|| rest.clone()).add(rest, bind.value, output);
        }
        if let Some(response) = &expression.response {
            response.change_materials(output, at_rest, &mut changed);
        }
    }
    changed
}

impl Material {
    /// Adds a part of the difference between a value and that of the material at rest.
    fn add(&mut self, rest: &Self, value: MaterialValue, part: f32) {
        match value {
            MaterialValue::BaseColor(color) => {
                let sum = Vec4::from(self.base_color) + part * (color - Vec4::from(rest.base_color));
                self.base_color = sum.max(Vec4::ZERO).with_w(sum.w.clamp(0.0, 1.0)).into();
            }
            MaterialValue::Emissive(light) => {
                let sum = Vec3::from(self.emissive) + part * (light - Vec3::from(rest.emissive));
                self.emissive = sum.max(Vec3::ZERO).into();
            }
            MaterialValue::TextureTransform { scale, offset } => {
                let of_toon = rest.toon.iter().flat_map(|toon| toon.textures()).take(5);
                let maps = self.uv_textures_mut().into_iter().zip(rest.textures().into_iter().chain(of_toon));
                for (map, rest) in maps {
                    if let (Some(map), Some(rest)) = (map, rest) {
                        map.texture_from_uv = moved(map, &rest, scale, offset, part);
                    }
                }
            }
            MaterialValue::Toon(which, color) => {
                let from = rest.toon.as_deref().map_or([0.0; 3], |toon| toon.color(which));
                self.add_to_toon(which, part * (color - Vec3::from(from)));
            }
        }
    }

    /// Adds a difference to a property.
    pub(super) fn add_to(&mut self, property: MaterialProperty, difference: Vec4) {
        let mut move_texture = |texture: usize, offset: Vec2, scale: Vec2, angle: f32| {
            if let Some(map) = self.uv_textures_mut().swap_remove(texture).as_mut() {
                let Affine2 { matrix2, translation } = map.texture_from_uv;
                let (turn, own_scale) = turn_and_scale(matrix2);
                let matrix2 = turn * Mat2::from_angle(angle) * Mat2::from_diagonal(own_scale + scale);
                map.texture_from_uv = Affine2 { matrix2, translation: translation + offset };
            }
        };
        let pair = difference.truncate().truncate();
        match property {
            MaterialProperty::BaseColor => {
                let sum = Vec4::from(self.base_color) + difference;
                self.base_color = sum.max(Vec4::ZERO).with_w(sum.w.clamp(0.0, 1.0)).into();
            }
            MaterialProperty::Emissive => {
                self.emissive = (Vec3::from(self.emissive) + difference.truncate()).max(Vec3::ZERO).into();
            }
            MaterialProperty::TextureOffset(texture) => move_texture(texture, pair, Vec2::ZERO, 0.0),
            MaterialProperty::TextureScale(texture) => move_texture(texture, Vec2::ZERO, pair, 0.0),
            // The extension rotates counter-clockwise as seen in the image, where v points down.
            MaterialProperty::TextureRotation(texture) => {
                move_texture(texture, Vec2::ZERO, Vec2::ZERO, -difference.x);
            }
            MaterialProperty::Toon(which) => self.add_to_toon(which, difference.truncate()),
        }
    }

    fn add_to_toon(&mut self, which: ToonColor, difference: Vec3) {
        if let Some(toon) = &mut self.toon {
            let sum = Vec3::from(toon.color(which)) + difference;
            *toon.color_mut(which) = sum.max(Vec3::ZERO).into();
        }
    }

    /// In the order of [`Self::textures`], then those of toon shading that are read at texture coordinates.
    fn uv_textures_mut(&mut self) -> Vec<&mut Option<TextureRef>> {
        let own = [
            &mut self.base_color_texture,
            &mut self.normal_texture,
            &mut self.metallic_roughness_texture,
            &mut self.occlusion_texture,
            &mut self.emissive_texture,
            &mut self.specular_texture,
        ];
        own.into_iter().chain(self.toon.iter_mut().flat_map(|toon| toon.uv_textures_mut())).collect()
    }
}

/// The transform of a texture with a part of the difference between a scale and an offset and those at rest. Its
/// rotation stays.
fn moved(map: &TextureRef, rest: &TextureRef, scale: Vec2, offset: Vec2, part: f32) -> Affine2 {
    let (turn, scale_at_rest) = turn_and_scale(rest.texture_from_uv.matrix2);
    let (_, now) = turn_and_scale(map.texture_from_uv.matrix2);
    let translation = map.texture_from_uv.translation + part * (offset - rest.texture_from_uv.translation);
    Affine2 { matrix2: turn * Mat2::from_diagonal(now + part * (scale - scale_at_rest)), translation }
}

/// The rotation and the factors of which a matrix of `KHR_texture_transform` consists.
fn turn_and_scale(matrix: Mat2) -> (Mat2, Vec2) {
    if matrix.x_axis.y == 0.0 && matrix.y_axis.x == 0.0 {
        return (Mat2::IDENTITY, Vec2::new(matrix.x_axis.x, matrix.y_axis.y));
    }
    let (scale, angle, _) = Affine2::from_mat2(matrix).to_scale_angle_translation();
    (Mat2::from_angle(angle), scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::{Asset, Head};

    /// A head with two materials, and an expression for each list of binds.
    fn head<const N: usize>(expressions: [Vec<MaterialBind>; N]) -> Head {
        let turned = Affine2::from_angle(0.5) * Affine2::from_scale(Vec2::new(2.0, 3.0));
        let map = TextureRef { texture_from_uv: Affine2::from_translation(Vec2::X) * turned, ..TextureRef::from(0) };
        let [first, second] = [1.0, 0.25].map(|alpha| Material {
            base_color: [0.5, 0.5, 0.5, alpha],
            base_color_texture: Some(map),
            normal_texture: Some(TextureRef::from(1)),
            ..Material::default()
        });
        let expression = |materials| Expression { materials, ..Expression::default() };
        let expressions = expressions.into_iter().map(expression).collect();
        Head::new(Asset { materials: vec![first, second], expressions, ..Asset::default() })
    }

    fn bind(material: usize, value: MaterialValue) -> MaterialBind {
        MaterialBind { material, value }
    }

    #[test]
    fn differences_to_the_material_at_rest_add_up_within_the_range_of_a_colour() {
        let color = |[r, g, b, a]: [f32; 4]| bind(1, MaterialValue::BaseColor(Vec4::new(r, g, b, a)));
        let head = head([vec![color([1.0, 0.5, 0.0, 0.25])], vec![color([1.0, 0.25, 0.0, 1.0])], Vec::new()]);
        let at = |outputs: &[f32]| head.materials_under(outputs)[&1].base_color;
        assert_eq!(at(&[0.5]), [0.75, 0.5, 0.25, 0.25]);
        assert_eq!(at(&[0.5, 0.5]), [1.0, 0.375, 0.0, 0.625]);
        assert_eq!(at(&[1.0, 1.0, 1.0]), [1.5, 0.25, 0.0, 1.0], "nothing is below 0, and no alpha above 1");
        assert_eq!(head.materials_under(&[]).into_iter().collect::<Vec<_>>(), [(1, head.materials[1].clone())]);
        let changed = head.materials.iter().map(|material| material.changed_by_expressions).collect::<Vec<_>>();
        assert_eq!(
            changed,
            [ChangedByExpressions::default(), ChangedByExpressions { alpha: true, ..Default::default() }]
        );
    }

    #[test]
    fn all_textures_of_a_material_are_moved_and_keep_their_rotation() {
        let to = MaterialValue::TextureTransform { scale: Vec2::ONE, offset: Vec2::new(0.5, 0.25) };
        let head = head([vec![bind(0, to), bind(7, to)], vec![bind(0, MaterialValue::Emissive(Vec3::X))]]);
        let half = &head.materials_under(&[0.5, 0.25])[&0];
        assert_eq!(half.emissive, [0.25, 0.0, 0.0]);
        let wanted = Affine2::from_translation(Vec2::new(0.75, 0.125))
            * Affine2::from_angle(0.5)
            * Affine2::from_scale(Vec2::new(1.5, 2.0));
        assert!(half.base_color_texture.unwrap().texture_from_uv.abs_diff_eq(wanted, 1e-6));
        let plain = Affine2::from_translation(Vec2::new(0.25, 0.125));
        assert_eq!(half.normal_texture.unwrap().texture_from_uv, plain);
        let changed = head.materials[0].changed_by_expressions;
        assert!(changed.texture_transforms && changed.emissive && !changed.alpha);
    }
}
