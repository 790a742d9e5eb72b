//! The 54 expressions: ARKit's names where it has one, in 27 pairs.

/// Which half of the face moves; left is the character's own, +x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// +x.
    Left,
    /// -x.
    Right,
    /// Both halves.
    Whole,
}

/// One expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expression {
    /// The name without the side.
    pub base: &'static str,
    /// The half that moves.
    pub side: Side,
}

impl Expression {
    /// The name in the file.
    pub fn name(&self) -> String {
        let side = match self.side {
            Side::Left => "Left",
            Side::Right => "Right",
            Side::Whole => "",
        };
        format!("{}{side}", self.base)
    }
}

/// Expressions with a left and a right half.
const SIDED: [&str; 20] = [
    "eyeBlink",
    "eyeSquint",
    "eyeWide",
    "eyeLookUp",
    "eyeLookDown",
    "eyeLookIn",
    "eyeLookOut",
    "browDown",
    "browInnerUp",
    "browOuterUp",
    "cheekPuff",
    "cheekSquint",
    "noseSneer",
    "mouthSmile",
    "mouthFrown",
    "mouthDimple",
    "mouthStretch",
    "mouthPress",
    "mouthUpperUp",
    "mouthLowerDown",
];

/// Expressions of the whole face, in pairs.
const WHOLE: [&str; 14] = [
    "mouthLeft",
    "mouthRight",
    "jawLeft",
    "jawRight",
    "jawOpen",
    "jawForward",
    "mouthPucker",
    "mouthFunnel",
    "mouthRollUpper",
    "mouthRollLower",
    "mouthShrugUpper",
    "mouthShrugLower",
    "mouthClose",
    "tongueOut",
];

/// All expressions, pair after pair.
pub fn all() -> Vec<Expression> {
    let sided = SIDED.iter().flat_map(|&base| [Side::Left, Side::Right].map(|side| Expression { base, side }));
    sided.chain(WHOLE.iter().map(|&base| Expression { base, side: Side::Whole })).collect()
}
