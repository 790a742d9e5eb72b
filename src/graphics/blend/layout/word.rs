//! Two numbers packed in a word of 32 bits, so that reading them takes few instructions.
//!
//! Two numbers of one kind are the halves of the word, the first in the lower half. A position and a normal share it unequally,
//! since a normal needs fewer bits: the position is the whole word read as an integer, and the normal is what remains when the
//! position's [`POSITION_BITS`] are shifted out. The bits of the normal change the position by less than a step, and the rounding
//! of the position takes this into account. Numbers are in units of the word; the lower half is shifted to the upper one to be read.

/// The number of bits for the position in a word that holds a position and a normal. `POSITION_BITS` in `morph/sum.wgsl`.
pub(in crate::blend) const POSITION_BITS: u32 = 18;

/// The number of bits of each of two numbers of one kind.
pub(in crate::blend) const HALF_BITS: u32 = u32::BITS / 2;

/// The difference between neighbouring values of such a number, in units of the word.
pub(in crate::blend) const HALF_STEP: f32 = (1_u32 << HALF_BITS) as f32;

/// A position and a normal in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::blend) struct Woven(pub u32);

impl Woven {
    /// The word whose numbers are nearest to these, which must be within the range of their bits.
    #[inline(always)]
    pub(crate) fn new(position: f32, normal: f32) -> Self {
        const NORMAL_BITS: u32 = u32::BITS - POSITION_BITS;
        const LIMIT: i32 = 1 << (POSITION_BITS - 1);
        const NORMAL_LIMIT: i32 = 1 << (NORMAL_BITS - 1);
        let low = rounded(normal / (1_u32 << POSITION_BITS) as f32, NORMAL_LIMIT) as u32;
        let low = low & ((1 << NORMAL_BITS) - 1);
        let high = rounded_f64((f64::from(position) - f64::from(low)) / f64::from(1_u32 << NORMAL_BITS), LIMIT);
        Self((high as u32) << NORMAL_BITS | low)
    }

    #[inline(always)]
    pub(crate) fn position(self) -> f32 {
        self.0 as i32 as f32
    }

    #[inline(always)]
    pub(crate) fn normal(self) -> f32 {
        (self.0 << POSITION_BITS) as i32 as f32
    }
}

/// Two numbers of one kind in a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::blend) struct Halves(pub u32);

impl Halves {
    /// The word whose numbers are nearest to these, which must be within the range of their bits.
    #[inline(always)]
    pub(crate) fn new(numbers: [f32; 2]) -> Self {
        const LIMIT: i32 = 1 << (HALF_BITS - 1);
        let [first, second] = numbers.map(|number| rounded(number / HALF_STEP, LIMIT) as u32);
        Self(second << HALF_BITS | first & ((1 << HALF_BITS) - 1))
    }

    #[inline(always)]
    pub(crate) fn first(self) -> f32 {
        (self.0 << HALF_BITS) as i32 as f32
    }

    #[inline(always)]
    pub(crate) fn second(self) -> f32 {
        (self.0 >> HALF_BITS << HALF_BITS) as i32 as f32
    }
}

/// The nearest integer in `-limit..limit`, halves away from zero as [`f64::round`] rounds them. Unlike that, it compiles to a few
/// instructions on every processor, and to those that work on several numbers at once. `limit` is at most 2^23.
#[inline(always)]
fn rounded(number: f32, limit: i32) -> i32 {
    let whole = (number as i32).clamp(-limit, limit - 1);
    let rest = number - whole as f32;
    (whole + i32::from(rest >= 0.5) - i32::from(rest <= -0.5)).clamp(-limit, limit - 1)
}

/// [`rounded`] of numbers with more digits than an `f32` has.
#[inline(always)]
fn rounded_f64(number: f64, limit: i32) -> i32 {
    let whole = (number as i32).clamp(-limit, limit - 1);
    let rest = number - f64::from(whole);
    (whole + i32::from(rest >= 0.5) - i32::from(rest <= -0.5)).clamp(-limit, limit - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_as_the_standard_library_does() {
        let numbers = [0.0, 0.499_999_999, 0.5, 0.500_000_1, 1.5, 2.5, 6.999, 7.49, 7.5, 7.6, 8.0, 8.5, 9.0, 1e9, 1e30];
        for number in numbers.into_iter().flat_map(|number: f64| [number, -number]) {
            assert_eq!(rounded_f64(number, 8), (number.round() as i32).clamp(-8, 7), "{number}");
            let number = number as f32;
            assert_eq!(rounded(number, 8), (number.round() as i32).clamp(-8, 7), "{number}");
        }
        assert_eq!((rounded(f32::NAN, 8), rounded_f64(f64::NAN, 8)), (0, 0));
    }

    #[test]
    fn a_word_reads_as_the_numbers_it_was_made_from() {
        let steps = [(1_u32 << (u32::BITS - POSITION_BITS)) as f32, (1_u32 << POSITION_BITS) as f32];
        let largest = [steps[0], steps[1], HALF_STEP].map(|step| 2.0_f32.powi(31) - step);
        for (first, second) in [(1.0, 1.0), (-1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (0.3, -0.7), (-1e-9, 0.5)] {
            let woven = Woven::new(first * largest[0], second * largest[1]);
            // An f32 holds 24 of the word's 31 bits.
            assert!((woven.position() - first * largest[0]).abs() <= 0.5 * steps[0] + 128.0, "{first}, {second}");
            assert!((woven.normal() - second * largest[1]).abs() <= 0.5 * steps[1], "{first}, {second}");
            let halves = Halves::new([first * largest[2], second * largest[2]]);
            assert!((halves.first() - first * largest[2]).abs() <= 0.5 * HALF_STEP, "{first}, {second}");
            assert!((halves.second() - second * largest[2]).abs() <= 0.5 * HALF_STEP, "{first}, {second}");
            assert_eq!(bytemuck::cast::<_, [i16; 2]>(halves.0)[0], (halves.first() / HALF_STEP) as i16);
        }
        assert_eq!((Woven::new(0.0, 0.0), Halves::new([0.0; 2])), (Woven(0), Halves(0)));
    }
}
