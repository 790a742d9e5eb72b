//! The light and the look of the surface: the values of the Look page. They are saved with the project; the settings
//! have those that new heads begin with, and the looks that were saved under a name.

use glam::Vec3;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::{Heat, HeatAgainst, Matcap, MeshSet, ViewMode};
use crate::Normals;
use smirk_face::head::Head;

/// A directional light. Its angles refer to the front view: a light with yaw 0 shines from the viewer, and one with yaw
/// +90° from the right of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Light {
    /// Relative brightness. At 1, white paper that faces the light is lit to about middle white.
    pub intensity: f32,
    /// Linear RGB.
    pub color: [f32; 3],
    /// Degrees around the head, positive to the picture's right.
    pub yaw_degrees: f32,
    /// Degrees above the horizon.
    pub pitch_degrees: f32,
}

impl Default for Light {
    fn default() -> Self {
        Self { intensity: 1.0, color: [1.0; 3], yaw_degrees: 0.0, pitch_degrees: 0.0 }
    }
}

impl Light {
    /// Unit vector from the head towards the light, in world space (+y up, +z the face's front).
    pub fn direction_to_light_in_world(&self) -> Vec3 {
        let (yaw, pitch) = (self.yaw_degrees.to_radians(), self.pitch_degrees.to_radians());
        Vec3::new(yaw.sin() * pitch.cos(), pitch.sin(), yaw.cos() * pitch.cos())
    }
}

/// The light and surface of the whole picture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Look {
    /// The main light.
    pub key: Light,
    /// A large light that brightens the side that the key leaves in shade.
    pub fill: Light,
    /// Draws the outline from behind. A dimmer counter-rim is opposite it.
    pub rim: Light,
    /// Brightness of the ambient light.
    pub ambient: f32,
    /// 0..1: how far light wraps around the surface and reddens the edge of shadows, as it does in skin.
    pub softness: f32,
    /// 0..2: strength of highlights.
    pub gloss: f32,
    /// Exposure in stops; 0 changes nothing.
    pub exposure: f32,
    /// Linear RGB behind the head, at its brightest.
    pub background: [f32; 3],
    /// How the light of the scene is shown.
    pub tone: Tone,
    /// Where the normals of the blended shape come from.
    pub normals: Normals,
    /// How lashes that are cards without a texture are drawn.
    pub lashes: LashStyle,
    /// Eyes without a texture are drawn with an iris.
    pub gives_iris: bool,
    /// Whether the colours of vertices are shown.
    pub vertex_colors: VertexColors,
    /// What the picture shows of the surface.
    pub view: ViewMode,
    /// The material of [`ViewMode::Matcap`].
    pub matcap: Matcap,
    /// What [`ViewMode::Heat`] shows.
    pub heat: Heat,
    /// Hair, lashes and brows are left out, so that the face is seen.
    pub isolates_face: bool,
    /// Meshes that are left out. It is saved with a project, by their names, and not here.
    #[serde(skip)]
    pub hidden: MeshSet,
    /// The index of the active material variant of the head, if any. It is not serialized, because a project saves the
    /// name of the variant.
    #[serde(skip)]
    pub variant: Option<usize>,
    /// Which lights shine. It has no effect if the head's file has no lights. It is saved with a project, and not here.
    #[serde(skip)]
    pub lit_by: LitBy,
    /// Whether the picture is transparent where no part of the head covers it, instead of showing the background. It
    /// takes a picture of the accumulated picture ([`Quality::samples`](super::Quality::samples)). It is not saved: an
    /// export asks for it.
    #[serde(skip)]
    pub is_transparent: bool,
}

/// How lashes are drawn that are plain cards, without a texture of hairs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, VariantArray, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum LashStyle {
    #[default]
    AsLashes,
    Hidden,
    /// As the file has them: as cards of one colour.
    AsInFile,
}

impl LashStyle {
    /// All of them, in the order in which they are offered.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// What it is called on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::AsLashes => "As lashes",
            Self::Hidden => "Hidden",
            Self::AsInFile => "As in the file",
        }
    }

    /// What it is called on the command line.
    pub fn keyword(self) -> &'static str {
        self.into()
    }
}

/// Whether the colours of vertices, by which glTF multiplies the base colour, are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VertexColors {
    #[default]
    AsInFile,
    /// As if the file had none: some programs store masks in them, which would blacken the textures.
    Ignored,
}

/// Which lights shine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LitBy {
    /// Key, fill and rim.
    #[default]
    Smirk,
    /// The lights of the head's file.
    File,
}

impl Look {
    /// Whether the picture shows the difference from what the face is compared with.
    pub fn shows_comparison(&self) -> bool {
        self.view == ViewMode::Heat && self.heat.against == HeatAgainst::Compared
    }

    /// The same view of the same head with the lights, the shading and the background of another look.
    pub fn styled_as(self, other: Self) -> Self {
        let Self { view, matcap, heat, isolates_face, variant, lit_by, vertex_colors, hidden, .. } = self;
        Self { view, matcap, heat, isolates_face, variant, lit_by, vertex_colors, hidden, ..other }
    }

    /// The same look; if it shows that difference, of the materials instead.
    pub fn without_comparison(self) -> Self {
        if self.shows_comparison() { Self { view: ViewMode::Shaded, ..self } } else { self }
    }

    /// The look that a head begins with: for one of toon materials the lights of avatars, unless others than the usual
    /// ones were chosen for all heads.
    pub fn for_head(self, head: &Head) -> Self {
        let has_usual_lights = LightSetup::ShortKey.applied_to(self) == self;
        if head.has_toon() && has_usual_lights { LightSetup::Avatar.applied_to(self) } else { self }
    }

    /// The same look without the choices that are valid for one head only: variant, lights, vertex colours and hidden
    /// meshes.
    pub fn of_any_head(self) -> Self {
        let (vertex_colors, hidden) = (VertexColors::AsInFile, MeshSet::default());
        let heat = Heat { channel: None, ..self.heat };
        Self { variant: None, lit_by: LitBy::Smirk, vertex_colors, hidden, heat, ..self }
    }

    /// The same look of the whole head in its materials.
    pub fn of_materials(self) -> Self {
        let (view, matcap, heat) = (ViewMode::Shaded, Matcap::default(), Heat::default());
        Self { view, matcap, heat, isolates_face: false, hidden: MeshSet::default(), ..self }
    }

    /// The same look; a default look of earlier versions becomes that of this one.
    pub fn renewed(self) -> Self {
        let light =
            |intensity, color, yaw_degrees, pitch_degrees| Light { intensity, color, yaw_degrees, pitch_degrees };
        let first = Self {
            key: light(1.45, [1.0, 0.94, 0.87], 12.0, 36.0),
            fill: light(0.5, [1.0, 0.96, 0.94], -55.0, 10.0),
            rim: light(1.5, [0.9, 0.95, 1.0], 162.0, 32.0),
            ambient: 0.18,
            softness: 0.6,
            gloss: 1.0,
            exposure: 0.0,
            background: [0.045, 0.05, 0.06],
            tone: Tone::default(),
            ..self
        };
        let second = Self {
            key: light(2.0, [1.0, 0.92, 0.83], -26.0, 36.0),
            fill: light(0.16, [1.0, 0.96, 0.94], 62.0, 10.0),
            rim: light(1.4, [0.9, 0.95, 1.0], 163.0, 32.0),
            ambient: 0.05,
            exposure: 0.2,
            background: [0.06, 0.066, 0.076],
            ..first
        };
        if [first, second].contains(&self) {
            let Self { key, fill, rim, ambient, softness, gloss, exposure, background, .. } = Self::default();
            return Self { key, fill, rim, ambient, softness, gloss, exposure, background, ..self };
        }
        self
    }

    /// The same look with every number clamped to a range that gives a visible picture, because a file may hold any
    /// number.
    pub fn within_reason(self) -> Self {
        let sane = |value: f32, least: f32, most: f32| if value.is_finite() { value.clamp(least, most) } else { least };
        let color = |color: [f32; 3]| color.map(|part| sane(part, 0.0, 1.0));
        let light = |light: Light| Light {
            intensity: sane(light.intensity, 0.0, 100.0),
            color: color(light.color),
            yaw_degrees: sane(light.yaw_degrees, -180.0, 180.0),
            pitch_degrees: sane(light.pitch_degrees, -90.0, 90.0),
        };
        Self {
            key: light(self.key),
            fill: light(self.fill),
            rim: light(self.rim),
            ambient: sane(self.ambient, 0.0, 100.0),
            softness: sane(self.softness, 0.0, 1.0),
            gloss: sane(self.gloss, 0.0, 2.0),
            exposure: sane(self.exposure, -10.0, 10.0),
            background: color(self.background),
            ..self
        }
    }
}

impl Default for Look {
    fn default() -> Self {
        let light =
            |intensity, color, yaw_degrees, pitch_degrees| Light { intensity, color, yaw_degrees, pitch_degrees };
        Self {
            key: light(2.1, [1.0, 0.925, 0.84], -30.0, 36.0),
            fill: light(0.18, [0.9, 0.95, 1.0], 58.0, 4.0),
            rim: light(1.3, [0.9, 0.95, 1.0], 170.0, 40.0),
            ambient: 0.05,
            softness: 0.75,
            gloss: 1.0,
            exposure: 0.25,
            background: [0.06, 0.066, 0.076],
            tone: Tone::AgX,
            normals: Normals::Auto,
            lashes: LashStyle::AsLashes,
            gives_iris: true,
            vertex_colors: VertexColors::AsInFile,
            view: ViewMode::Shaded,
            matcap: Matcap::Porcelain,
            heat: Heat::default(),
            isolates_face: false,
            hidden: MeshSet::default(),
            variant: None,
            lit_by: LitBy::Smirk,
            is_transparent: false,
        }
    }
}

/// How the light of the scene is shown. Colours that are shown without lighting (KHR_materials_unlit) and those of toon
/// shading (MToon) are never changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, VariantArray)]
pub enum Tone {
    /// As film does: bright colours go to white without changing their hue (T. Sobotka's AgX).
    #[default]
    AgX,
    /// Colours stay as they are, and only highlights are compressed (Khronos PBR Neutral).
    Neutral,
}

impl Tone {
    /// All of them, in the order in which they are offered.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// What it is called on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::AgX => "AgX",
            Self::Neutral => "PBR Neutral",
        }
    }
}

/// A look that an artist has named, for any head.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NamedLook {
    /// What the artist calls it.
    pub name: String,
    /// The look, without what is valid for one head only.
    pub look: Look,
}

/// An arrangement of key, fill, rim and ambient light with its exposure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, VariantArray)]
pub enum LightSetup {
    /// Short lighting of the three-quarter view: the key is on the side that is turned away from the viewer, so that
    /// the nearer cheek and jaw are modelled by shade. The default.
    ShortKey,
    /// A soft, high key from the front: few shadows, as for cosmetics.
    Beauty,
    /// A high key from the side that leaves a lit triangle on the cheek in shade.
    Rembrandt,
    /// Even light from everywhere, to judge shapes and textures.
    FlatCheck,
    /// One light from the front, and a little from everywhere: together they show the colours of toon materials as they
    /// were painted.
    Avatar,
}

impl LightSetup {
    /// All of them, in the order in which they are offered.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// What it is called on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::ShortKey => "Short key",
            Self::Beauty => "Beauty",
            Self::Rembrandt => "Rembrandt",
            Self::FlatCheck => "Flat check",
            Self::Avatar => "Avatar",
        }
    }

    /// `look` with the lights of this set-up.
    pub fn applied_to(self, look: Look) -> Look {
        const WARM: [f32; 3] = [1.0, 0.92, 0.83];
        const PLAIN: [f32; 3] = [1.0, 0.96, 0.94];
        const COOL: [f32; 3] = [0.9, 0.95, 1.0];
        let light =
            |intensity, color, yaw_degrees, pitch_degrees| Light { intensity, color, yaw_degrees, pitch_degrees };
        match self {
            Self::ShortKey => {
                let Look { key, fill, rim, ambient, exposure, .. } = Look::default();
                Look { key, fill, rim, ambient, exposure, ..look }
            }
            Self::Beauty => Look {
                key: light(1.35, PLAIN, -4.0, 42.0),
                fill: light(0.5, PLAIN, 8.0, -20.0),
                rim: light(0.8, COOL, 165.0, 40.0),
                ambient: 0.14,
                exposure: 0.2,
                ..look
            },
            Self::Rembrandt => Look {
                key: light(2.1, WARM, -52.0, 42.0),
                fill: light(0.08, COOL, 65.0, 5.0),
                rim: light(1.5, COOL, 156.0, 28.0),
                ambient: 0.025,
                exposure: 0.3,
                ..look
            },
            Self::FlatCheck => Look {
                key: light(0.35, [1.0; 3], 0.0, 30.0),
                fill: light(0.35, [1.0; 3], 0.0, 0.0),
                rim: light(0.0, [1.0; 3], 150.0, 32.0),
                ambient: 0.55,
                exposure: 0.0,
                ..look
            },
            Self::Avatar => Look {
                key: light(0.9, [1.0; 3], 20.0, 30.0),
                fill: light(0.0, [1.0; 3], 0.0, 0.0),
                rim: light(0.0, [1.0; 3], 150.0, 32.0),
                ambient: 0.1,
                exposure: 0.0,
                ..look
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_usual_look_stays_as_it_is_and_extreme_numbers_are_clamped() {
        assert_eq!(Look::default().within_reason(), Look::default());
        let senseless =
            Look { ambient: 1e30, exposure: f32::NAN, normals: Normals::Recomputed, ..Look::default() }.within_reason();
        assert_eq!((senseless.ambient, senseless.exposure), (100.0, -10.0));
        assert_eq!(senseless.normals, Normals::Recomputed, "a choice has no range");
    }

    #[test]
    fn the_default_of_earlier_versions_becomes_todays_and_other_looks_stay() {
        let earlier: Look = serde_json::from_str(
            r#"{"key":{"intensity":1.45,"color":[1.0,0.94,0.87],"yaw_degrees":12.0,"pitch_degrees":36.0},
                "fill":{"intensity":0.5,"color":[1.0,0.96,0.94],"yaw_degrees":-55.0,"pitch_degrees":10.0},
                "rim":{"intensity":1.5,"color":[0.9,0.95,1.0],"yaw_degrees":162.0,"pitch_degrees":32.0},
                "ambient":0.18,"softness":0.6,"gloss":1.0,"exposure":0.0,"background":[0.045,0.05,0.06],
                "normals":"recomputed"}"#,
        )
        .unwrap();
        assert_eq!(earlier.renewed(), Look { normals: Normals::Recomputed, ..Look::default() });
        let second: Look = serde_json::from_str(
            r#"{"key":{"intensity":2.0,"color":[1.0,0.92,0.83],"yaw_degrees":-26.0,"pitch_degrees":36.0},
                "fill":{"intensity":0.16,"color":[1.0,0.96,0.94],"yaw_degrees":62.0,"pitch_degrees":10.0},
                "rim":{"intensity":1.4,"color":[0.9,0.95,1.0],"yaw_degrees":163.0,"pitch_degrees":32.0},
                "ambient":0.05,"softness":0.6,"gloss":1.0,"exposure":0.2,"background":[0.06,0.066,0.076]}"#,
        )
        .unwrap();
        assert_eq!(second.renewed(), Look::default());
        let changed = Look { gloss: 0.9, ..earlier };
        assert_eq!(changed.renewed(), changed);
    }

    #[test]
    fn a_head_of_toon_materials_begins_in_the_light_of_avatars() {
        use smirk_face::head::{Asset, Material};
        let of = |toon| {
            let materials = vec![Material { toon, ..Material::default() }];
            Head::new(Asset { materials, ..Asset::default() })
        };
        let (plain, avatar) = (of(None), of(Some(Box::default())));
        let usual = Look { gloss: 0.2, ..Look::default() };
        assert_eq!(usual.for_head(&plain), usual);
        assert_eq!(usual.for_head(&avatar), LightSetup::Avatar.applied_to(usual));
        let chosen = LightSetup::Rembrandt.applied_to(usual);
        assert_eq!(chosen.for_head(&avatar), chosen, "the artist's own default counts");
    }

    #[test]
    fn set_ups_differ_in_their_lights_and_keep_the_rest() {
        let own = Look { gloss: 0.2, ..Look::default() };
        assert_eq!(LightSetup::ShortKey.applied_to(own), own);
        for &setup in LightSetup::ALL {
            let look = setup.applied_to(own);
            assert_eq!((look.gloss, look.within_reason()), (0.2, look));
            assert!(LightSetup::ALL.iter().all(|&other| other == setup || other.applied_to(own) != look));
        }
    }
}
