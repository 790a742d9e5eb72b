//! The arguments of OSC messages.

use rosc::{OscMessage, OscType};

use super::super::error::PacketError;

/// The first arguments of a message that are numbers, from `first` on. An error if there are fewer than `N`, or if one of them is
/// not finite. Surplus arguments are ignored.
pub(super) fn floats<const N: usize>(
    message: &OscMessage,
    first: usize,
    expected: &'static str,
) -> Result<[f32; N], PacketError> {
    let mut numbers = [0.0; N];
    for (at, number) in numbers.iter_mut().enumerate() {
        *number = match message.args.get(first + at) {
            Some(OscType::Float(value)) => *value,
            _ => return Err(PacketError::OscArguments { address: message.addr.clone(), expected }),
        };
        if !number.is_finite() {
            return Err(PacketError::NotFinite { column: message.addr.clone() });
        }
    }
    Ok(numbers)
}
