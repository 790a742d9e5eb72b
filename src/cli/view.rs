//! `--view`: from where.

use crate::scene::View;

/// Reads a preset's name, or yaw and pitch in degrees.
pub fn view(text: &str) -> Result<View, String> {
    match text {
        "front" => return Ok(View::Front),
        "threequarter" => return Ok(View::ThreeQuarter),
        "left" => return Ok(View::Left),
        "right" => return Ok(View::Right),
        _ => {}
    }
    let angle = |text: &str| text.trim().parse::<f32>().ok().filter(|degrees| degrees.is_finite());
    text.split_once(',')
        .and_then(|(yaw, pitch)| Some(View::Angles { yaw_degrees: angle(yaw)?, pitch_degrees: angle(pitch)? }))
        .ok_or_else(|| "front, threequarter, left, right, or two angles in degrees such as 30,-10".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_and_angles_are_read() {
        assert_eq!(view("left"), Ok(View::Left));
        assert_eq!(view("-30,10"), Ok(View::Angles { yaw_degrees: -30.0, pitch_degrees: 10.0 }));
        assert!(view("nan,1").is_err() && view("up").is_err());
    }
}
