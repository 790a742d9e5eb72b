//! How B is shown.

/// How B is shown, besides while it is held.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ComparisonView {
    /// Where its picture is.
    pub shown: ShownB,
    /// The opacity of B over A, from 0 to 1.
    pub opacity: f32,
}

impl Default for ComparisonView {
    fn default() -> Self {
        Self { shown: ShownB::default(), opacity: 0.5 }
    }
}

/// Where the picture of B is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShownB {
    /// In the place of A, while the key B is held.
    #[default]
    Held,
    /// Beside A, through the same camera.
    Beside,
    /// Over A, half transparent.
    Over,
}

impl ShownB {
    /// All of them, in the order of the menu.
    pub(super) const ALL: [Self; 3] = [Self::Held, Self::Beside, Self::Over];

    /// What the panels call it.
    pub fn label(self) -> &'static str {
        match self {
            Self::Held => "Hold B",
            Self::Beside => "Side by side",
            Self::Over => "Onion skin",
        }
    }

    pub(super) fn purpose(self) -> &'static str {
        match self {
            Self::Held => "A fills the picture; hold B to see the other",
            Self::Beside => "A and B side by side, through one camera",
            Self::Over => "B half transparent over A",
        }
    }

    /// The one that follows, in a circle.
    pub fn next(self) -> Self {
        match self {
            Self::Held => Self::Beside,
            Self::Beside => Self::Over,
            Self::Over => Self::Held,
        }
    }
}
