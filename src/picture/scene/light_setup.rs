//! Named light set-ups: arrangements of the lights that photographers use.

use super::{Light, Look};

/// An arrangement of key, fill, rim and ambient light with its exposure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LightSetup {
    /// Short lighting of the three-quarter view: the key is on the side that is turned away from the viewer, so that the nearer
    /// cheek and jaw are modelled by shade. The default.
    ShortKey,
    /// A soft, high key from the front: few shadows, as for cosmetics.
    Beauty,
    /// A high key from the side that leaves a lit triangle on the cheek in shade.
    Rembrandt,
    /// Even light from everywhere, to judge shapes and textures.
    FlatCheck,
}

impl LightSetup {
    /// All of them, in the order in which they are offered.
    pub const ALL: [Self; 4] = [Self::ShortKey, Self::Beauty, Self::Rembrandt, Self::FlatCheck];

    /// What it is called on the screen.
    pub fn label(self) -> &'static str {
        match self {
            Self::ShortKey => "Short key",
            Self::Beauty => "Beauty",
            Self::Rembrandt => "Rembrandt",
            Self::FlatCheck => "Flat check",
        }
    }

    /// The set-up whose lights a look has, if it has those of any.
    pub fn of(look: &Look) -> Option<Self> {
        Self::ALL.into_iter().find(|setup| setup.applied_to(*look) == *look)
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
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_is_recognised_by_its_lights() {
        let own = Look { gloss: 0.2, ..Look::default() };
        assert_eq!(LightSetup::of(&own), Some(LightSetup::ShortKey));
        for setup in LightSetup::ALL {
            let look = setup.applied_to(own);
            assert_eq!(LightSetup::of(&look), Some(setup));
            assert_eq!((look.gloss, look.within_reason()), (0.2, look));
        }
        assert_eq!(LightSetup::of(&Look { ambient: 0.3, ..own }), None);
    }
}
