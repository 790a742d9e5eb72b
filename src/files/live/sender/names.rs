//! The names of values, matched with ARKit's shapes in any dialect.

use super::finite;
use smirk_face::head::{ARKIT_SHAPES, ChannelNames, canonical_name};

/// The names of values, and which of them are ARKit's shapes.
#[derive(Debug)]
pub(super) struct Names {
    /// Per shape of [`ARKIT_SHAPES`], the values that mean it: one, or the two sides of a shape that has none.
    shapes: Vec<Vec<usize>>,
    /// As `shapes`, without values whose names are of another dialect, such as the presets of VRM.
    spelled: Vec<Vec<usize>>,
    /// The values that are in none of the latter, with their names.
    others: Vec<(usize, String)>,
}

impl Names {
    pub(super) fn new(names: &[String]) -> Self {
        let alike = ChannelNames::from_names(names);
        let shapes = ARKIT_SHAPES.iter().map(|shape| alike.alike(shape)).collect();
        let spelled: Vec<Vec<usize>> = ARKIT_SHAPES.iter().map(|shape| alike.spelled_alike(shape)).collect();
        let others = (0..names.len())
            .filter(|index| !spelled.iter().any(|values| values.contains(index)))
            .map(|index| (index, names[index].clone()))
            .collect();
        Self { shapes, spelled, others }
    }

    /// The values of [`ARKIT_SHAPES`]: 0 without a name, and the mean of two sides.
    pub(super) fn shapes<'a>(&'a self, values: &'a [f32]) -> impl Iterator<Item = f32> + 'a {
        self.shapes.iter().map(|indices| mean(indices, values))
    }

    /// [`ARKIT_SHAPES`] that have a name, with their values; then the other names with theirs.
    pub(super) fn named<'a>(&'a self, values: &'a [f32]) -> impl Iterator<Item = (Named<'a>, f32)> + 'a {
        let shapes = ARKIT_SHAPES.iter().zip(&self.spelled).filter(|(_, indices)| !indices.is_empty());
        let shapes = shapes.map(|(shape, indices)| (Named::Shape(shape), mean(indices, values)));
        let others = self.others.iter().map(|(index, name)| (Named::Other(name), mean(&[*index], values)));
        shapes.chain(others)
    }
}

/// The mean of some values; 0 of none.
fn mean(indices: &[usize], values: &[f32]) -> f32 {
    indices.iter().map(|index| values.get(*index).map_or(0.0, |value| finite(*value))).sum::<f32>()
        / indices.len().max(1) as f32
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Named<'a> {
    /// A shape of ARKit, as in [`ARKIT_SHAPES`].
    Shape(&'static str),
    Other(&'a str),
}

/// A shape of ARKit with a small first letter, and with `_L` or `_R` for its side if `has_short_side`.
pub(super) fn camel_case(shape: &str, has_short_side: bool) -> String {
    let mut name = shape.to_owned();
    if let Some(first) = name.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    let canonical = canonical_name(shape);
    // The left of `jawLeft` is a direction.
    if !has_short_side || ["jaw_l", "jaw_r", "mouth_l", "mouth_r"].contains(&canonical.as_str()) {
        return name;
    }
    for (side, short) in [("Left", "_L"), ("Right", "_R")] {
        if let Some(stem) = name.strip_suffix(side) {
            return format!("{stem}{short}");
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_found_in_every_dialect() {
        let names = ["eyeBlink_L", "BrowInnerUp_L", "browInnerUpRight", "aa", "jaw_open"].map(str::to_owned);
        let names = Names::new(&names);
        let values = [0.1, 0.2, 0.6, 0.3, f32::NAN];
        let shapes: Vec<f32> = names.shapes(&values).collect();
        let of = |name| shapes[ARKIT_SHAPES.iter().position(|shape| *shape == name).unwrap()];
        assert_eq!((of("EyeBlinkLeft"), of("BrowInnerUp"), of("JawOpen"), of("TongueOut")), (0.1, 0.4, 0.0, 0.0));
        let named: Vec<_> = names.named(&values).collect();
        assert_eq!(named.len(), 4);
        assert_eq!(named[3], (Named::Other("aa"), 0.3));
    }

    #[test]
    fn names_of_other_dialects_are_shapes_and_keep_their_names() {
        let names = Names::new(&["blinkLeft", "CTRL_expressions_mouthCornerPullR"].map(str::to_owned));
        let shapes: Vec<f32> = names.shapes(&[0.25, 0.5]).collect();
        let of = |name| shapes[ARKIT_SHAPES.iter().position(|shape| *shape == name).unwrap()];
        assert_eq!((of("EyeBlinkLeft"), of("MouthSmileRight")), (0.25, 0.5));
        let named: Vec<_> = names.named(&[0.25, 0.5]).map(|(name, _)| name).collect();
        assert_eq!(named, [Named::Other("blinkLeft"), Named::Other("CTRL_expressions_mouthCornerPullR")]);
    }

    #[test]
    fn names_of_facial_mocap_have_a_small_first_letter_and_short_sides() {
        assert_eq!(camel_case("EyeBlinkLeft", true), "eyeBlink_L");
        assert_eq!(camel_case("EyeBlinkLeft", false), "eyeBlinkLeft");
        assert_eq!(camel_case("JawLeft", true), "jawLeft");
        assert_eq!(camel_case("MouthRight", true), "mouthRight");
        assert_eq!(camel_case("TongueOut", true), "tongueOut");
    }
}
