//! MToon: the toon shading that most VRM avatars are made for (`VRMC_materials_mtoon` 1.0, which gives the formulas).

use serde::{Deserialize, Serialize};

use super::material::{Material, TextureRef};

/// What a material with toon shading has besides base colour, normal map, emission, alpha and sides.
#[derive(Clone, Debug, PartialEq)]
pub struct Toon {
    /// Linear RGB of what the light does not reach.
    pub shade_color: [f32; 3],
    /// Multiplies the shade colour.
    pub shade_texture: Option<TextureRef>,
    /// Added to the cosine between normal and light: the place of the boundary between shade and light.
    pub shading_shift: f32,
    /// Red, times [`Self::shading_shift_scale`], is added to the shift.
    pub shading_shift_texture: Option<TextureRef>,
    pub shading_shift_scale: f32,
    /// 0..1: 0 = the boundary is as wide as the surface is round, 1 = it is a line.
    pub shading_toony: f32,
    /// 0..1: how far light from everywhere is the same on all sides.
    pub gi_equalization: f32,
    /// Multiplies the texture, which is read by the direction of the normal as the eye sees it, and added.
    pub matcap_color: [f32; 3],
    pub matcap_texture: Option<TextureRef>,
    /// Linear RGB that is added towards the edges, as the eye sees them.
    pub rim_color: [f32; 3],
    pub rim_fresnel_power: f32,
    pub rim_lift: f32,
    /// Multiplies rim and matcap.
    pub rim_texture: Option<TextureRef>,
    /// 0..1: how far the light of the scene multiplies rim and matcap.
    pub rim_lighting_mix: f32,
    pub outline: Outline,
    pub uv_animation: UvAnimation,
    /// A blended surface hides what is drawn after it.
    pub writes_depth: bool,
    /// Blended surfaces with a higher number are drawn later; 0..=9 if they write depth, else -9..=0.
    pub queue_offset: i32,
    /// The material as the file has it, where that is another one: VRM 0.x has a list of properties of its own beside
    /// the materials of glTF. It is what is saved.
    pub in_file: Option<Box<Material>>,
}

/// The hull of back faces around a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outline {
    pub width: OutlineWidth,
    /// Green multiplies the width.
    pub width_texture: Option<TextureRef>,
    /// Linear RGB.
    pub color: [f32; 3],
    /// 0..1: how far the light of the surface multiplies the colour.
    pub lighting_mix: f32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OutlineWidth {
    None,
    /// In world units.
    World(f32),
    /// A part of the height of the picture.
    Screen(f32),
}

impl OutlineWidth {
    /// Wider outlines are drawn with this width, of metres or of the height of the picture: it is the end of the slider
    /// in UniVRM.
    pub const MOST: f32 = 0.05;

    pub fn is_none(self) -> bool {
        match self {
            Self::None => true,
            Self::World(width) | Self::Screen(width) => width <= 0.0,
        }
    }
}

/// How the texture coordinates move over time: first they turn around the middle of the image, then they slide.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct UvAnimation {
    /// Per second.
    pub scroll: [f32; 2],
    /// Radians per second, counter-clockwise as seen in the image.
    pub rotation: f32,
    /// Blue multiplies both.
    pub mask_texture: Option<TextureRef>,
}

impl UvAnimation {
    pub fn is_none(&self) -> bool {
        self.scroll == [0.0; 2] && self.rotation == 0.0
    }
}

impl Default for Toon {
    /// The defaults of the specification.
    fn default() -> Self {
        Self {
            shade_color: [0.0; 3],
            shade_texture: None,
            shading_shift: 0.0,
            shading_shift_texture: None,
            shading_shift_scale: 1.0,
            shading_toony: 0.9,
            gi_equalization: 0.9,
            matcap_color: [1.0; 3],
            matcap_texture: None,
            rim_color: [0.0; 3],
            rim_fresnel_power: 5.0,
            rim_lift: 0.0,
            rim_texture: None,
            rim_lighting_mix: 1.0,
            outline: Outline { width: OutlineWidth::None, width_texture: None, color: [0.0; 3], lighting_mix: 1.0 },
            uv_animation: UvAnimation::default(),
            writes_depth: false,
            queue_offset: 0,
            in_file: None,
        }
    }
}

impl Toon {
    /// Its own textures: shade, shading shift, rim, outline width, mask of the animation, matcap. All but the last are
    /// read at texture coordinates.
    pub fn textures(&self) -> [Option<TextureRef>; 6] {
        [
            self.shade_texture,
            self.shading_shift_texture,
            self.rim_texture,
            self.outline.width_texture,
            self.uv_animation.mask_texture,
            self.matcap_texture,
        ]
    }

    pub(super) fn uv_textures_mut(&mut self) -> [&mut Option<TextureRef>; 5] {
        [
            &mut self.shade_texture,
            &mut self.shading_shift_texture,
            &mut self.rim_texture,
            &mut self.outline.width_texture,
            &mut self.uv_animation.mask_texture,
        ]
    }

    pub fn color(&self, which: ToonColor) -> [f32; 3] {
        match which {
            ToonColor::Shade => self.shade_color,
            ToonColor::Matcap => self.matcap_color,
            ToonColor::Rim => self.rim_color,
            ToonColor::Outline => self.outline.color,
        }
    }

    pub(super) fn color_mut(&mut self, which: ToonColor) -> &mut [f32; 3] {
        match which {
            ToonColor::Shade => &mut self.shade_color,
            ToonColor::Matcap => &mut self.matcap_color,
            ToonColor::Rim => &mut self.rim_color,
            ToonColor::Outline => &mut self.outline.color,
        }
    }

    /// The same of a head that is `factor` times as large.
    pub(super) fn rescale(&mut self, factor: f32) {
        if let OutlineWidth::World(width) = &mut self.outline.width {
            *width *= factor;
        }
    }

    /// The parameters that differ from those of another toon shading, each with its value in the other one and its own.
    pub fn differences(&self, other: &Self) -> Vec<(&'static str, String, String)> {
        let pairs = other.parameters().into_iter().zip(self.parameters());
        let differing = pairs.filter(|((_, before), (_, now))| before != now);
        differing.map(|((name, before), (_, now))| (name, before, now)).collect()
    }

    /// Names and values of all it has, for lists and comparisons.
    pub fn parameters(&self) -> Vec<(&'static str, String)> {
        let color = |[r, g, b]: [f32; 3]| format!("{r:.3} {g:.3} {b:.3}");
        let width = match self.outline.width {
            OutlineWidth::None => "none".into(),
            OutlineWidth::World(width) => format!("{width} in the world"),
            OutlineWidth::Screen(width) => format!("{width} of the picture's height"),
        };
        let [u, v] = self.uv_animation.scroll;
        let has = |texture: Option<TextureRef>| if texture.is_some() { "yes" } else { "no" }.to_owned();
        let [shade, shift, rim, outline, mask, matcap] = self.textures().map(has);
        vec![
            ("shade texture", shade),
            ("shading shift texture", shift),
            ("rim texture", rim),
            ("outline width texture", outline),
            ("UV mask", mask),
            ("matcap", matcap),
            ("shade colour", color(self.shade_color)),
            ("shading shift", self.shading_shift.to_string()),
            ("shading shift scale", self.shading_shift_scale.to_string()),
            ("shading toony", self.shading_toony.to_string()),
            ("GI equalization", self.gi_equalization.to_string()),
            ("matcap colour", color(self.matcap_color)),
            ("rim colour", color(self.rim_color)),
            ("rim fresnel power", self.rim_fresnel_power.to_string()),
            ("rim lift", self.rim_lift.to_string()),
            ("rim lighting mix", self.rim_lighting_mix.to_string()),
            ("outline width", width),
            ("outline colour", color(self.outline.color)),
            ("outline lighting mix", self.outline.lighting_mix.to_string()),
            ("UV scroll", format!("{u} {v}")),
            ("UV rotation", self.uv_animation.rotation.to_string()),
            ("transparent with Z write", self.writes_depth.to_string()),
            ("render queue offset", self.queue_offset.to_string()),
        ]
    }
}

/// The colours of toon shading that expressions change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToonColor {
    Shade,
    Matcap,
    Rim,
    Outline,
}

impl ToonColor {
    pub const ALL: [Self; 4] = [Self::Shade, Self::Matcap, Self::Rim, Self::Outline];

    /// What it is called on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::Shade => "Shade colour",
            Self::Matcap => "Matcap colour",
            Self::Rim => "Rim colour",
            Self::Outline => "Outline colour",
        }
    }

    /// The type of `materialColorBinds` in VRM 1.0.
    pub fn name_in_vrm1(self) -> &'static str {
        match self {
            Self::Shade => "shadeColor",
            Self::Matcap => "matcapColor",
            Self::Rim => "rimColor",
            Self::Outline => "outlineColor",
        }
    }

    /// The property of VRM 0.x, which has none for the matcap.
    pub fn name_in_vrm0(self) -> Option<&'static str> {
        match self {
            Self::Shade => Some("_ShadeColor"),
            Self::Matcap => None,
            Self::Rim => Some("_RimColor"),
            Self::Outline => Some("_OutlineColor"),
        }
    }

    /// The member of `VRMC_materials_mtoon`.
    pub fn member(self) -> &'static str {
        match self {
            Self::Shade => "shadeColorFactor",
            Self::Matcap => "matcapFactor",
            Self::Rim => "parametricRimColorFactor",
            Self::Outline => "outlineColorFactor",
        }
    }
}
