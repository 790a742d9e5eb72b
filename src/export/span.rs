//! The frames that an export covers.

use std::ops::RangeInclusive;

use crate::ExportError;
use smirk_face::motion::FrameRate;
use smirk_session::Session;

/// Frames of the timeline: frame `n` is at `n / rate` seconds. Both ends are included, so that a span is never empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameSpan {
    pub rate: FrameRate,
    pub first: i64,
    pub last: i64,
}

impl FrameSpan {
    /// The largest number of frames: more than nine hours at 30 frames per second.
    pub const MOST: i64 = 1_000_000;

    pub fn new(rate: FrameRate, first: i64, last: i64) -> Result<Self, ExportError> {
        match () {
            () if first < 0 || last < first => Err(failed!(
                "frames {first} to {last} are none of a timeline that starts at frame 0: give the first and then the last"
            )),
            () if last - first >= Self::MOST || last >= i64::from(i32::MAX) => {
                let (count, most) = (i128::from(last) - i128::from(first) + 1, Self::MOST);
                Err(failed!(
                    "frames {first} to {last} are {count}, and an export has at most {most}, up to frame {}: export them in parts, or \
                     with fewer frames per second",
                    i32::MAX - 1
                ))
            }
            () => Ok(Self { rate, first, last }),
        }
    }

    /// The frames of what plays, from in to out: frame 0 alone if nothing is animated. Where playback ends with the
    /// timeline between two frames, the later one is the last, so that the end of the motion is not lost.
    pub fn of_session(session: &Session, rate: FrameRate) -> Result<Self, ExportError> {
        Self::between(session.range_secs(), session.timeline_secs(), rate)
    }

    /// The frames of the whole timeline, whatever its in and out points. Otherwise as [`Self::of_session`].
    pub fn of_timeline(session: &Session, rate: FrameRate) -> Result<Self, ExportError> {
        let end_secs = session.timeline_secs();
        Self::between([0.0, end_secs], end_secs, rate)
    }

    fn between([start_secs, end_secs]: [f32; 2], timeline_secs: f32, rate: FrameRate) -> Result<Self, ExportError> {
        /// A time that is closer than this to a frame, in frames, is at that frame.
        const SAME: f64 = 0.01;
        let (start, end) = (rate.frame_at(start_secs), rate.frame_at(end_secs));
        let first = (start - SAME).ceil().max(0.0) as i64;
        let is_cut = end_secs < timeline_secs;
        let last = if is_cut { (end + SAME).floor() } else { (end - SAME).ceil() } as i64;
        Self::new(rate, first, last.max(first))
    }

    /// The number of frames, at least 1.
    pub fn count(&self) -> usize {
        (self.last - self.first + 1).max(1) as usize
    }

    pub fn frames(&self) -> RangeInclusive<i64> {
        self.first..=self.last
    }

    pub fn secs_of(&self, frame: i64) -> f64 {
        frame as f64 / self.rate.frames_per_sec()
    }

    pub fn duration_secs(&self) -> f64 {
        self.secs_of(self.last - self.first)
    }

    /// Puts a session at a frame, as [`show_at`] does.
    pub fn show(&self, session: &mut Session, frame: i64) {
        show_at(session, self.secs_of(frame));
    }
}

/// Puts a session at a time of its timeline. The result depends on the time only, and not on what was shown before:
/// blinks, gaze and a sequence with a clock of its own start with the timeline, no live face is shown, and transitions
/// that were running have ended. Two processes that export parts of a timeline therefore write what one process would.
pub fn show_at(session: &mut Session, secs: f64) {
    session.show_moment(0.0);
    session.clock.skip(secs);
    session.clock.sequence.time_secs = secs;
    session.clock.timeline.playing = false;
    session.clock.timeline.time_secs = secs as f32;
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use smirk_face::head::{Asset, Clip, Curve, Head, Interpolation, Mesh, Track};
    use smirk_scene::{BlendMode, Look};
    use smirk_session::HeadSource;

    fn session(clip_secs: f32) -> Session {
        let mesh = Mesh::with_targets(["eyeBlinkLeft", "jawOpen"]);
        let curve = Curve::new(Interpolation::Linear, vec![0.0, clip_secs], vec![0.0, 0.0, 0.0, 1.0], 2).unwrap();
        let clip = Clip::new("open".into(), vec![Track { first_target: 0, curve }]);
        let head = Head::new(Asset { name: "a".into(), meshes: vec![mesh], clips: vec![clip], ..Asset::default() });
        Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu)
    }

    fn thirty() -> FrameRate {
        FrameRate::nearest(30.0)
    }

    #[test]
    fn the_span_of_a_session_is_what_plays() {
        let mut session = session(2.0);
        let span = |session: &Session| FrameSpan::of_session(session, thirty()).unwrap().frames();
        assert_eq!(span(&session), 0..=60);
        session.timeline_mut().edit_range(|timeline| timeline.set_in(Some(0.5)));
        session.timeline_mut().edit_range(|timeline| timeline.set_out(Some(1.51)));
        assert_eq!(span(&session), 15..=45, "frame 45 is at 1.5 s, frame 46 after the end");
        assert_eq!(FrameSpan::of_session(&session, FrameRate::nearest(24.0)).unwrap().frames(), 12..=36);
        assert_eq!(FrameSpan::of_timeline(&session, thirty()).unwrap().frames(), 0..=60);
        session.clips_mut().select(None);
        assert_eq!(span(&session), 0..=0);
        assert_eq!(span(&self::session(1.99)), 0..=60, "the end of a clip between two frames is not lost");
    }

    #[test]
    fn frames_that_are_none_or_too_many_are_refused() {
        let of = |first, last| FrameSpan::new(thirty(), first, last);
        assert_eq!(of(3, 7).map(|span| (span.count(), span.secs_of(6))).unwrap(), (5, 0.2));
        let refusal = |first, last| of(first, last).unwrap_err().to_string();
        assert!(refusal(7, 3).starts_with("frames 7 to 3 are none of a timeline"));
        assert!(refusal(-1, 3).starts_with("frames -1 to 3 are none of a timeline"));
        assert!(refusal(0, FrameSpan::MOST).starts_with("frames 0 to 1000000 are 1000001"));
        assert!(of(i64::MAX, i64::MAX).is_err() && of(i64::MIN, i64::MAX).is_err());
        // A timeline of half an hour has more frames than an export at a thousand frames a second.
        let (session, rate) = (session(1800.0), FrameRate::nearest(1000.0));
        for refused in [FrameSpan::of_session(&session, rate), FrameSpan::of_timeline(&session, rate)] {
            let message = refused.unwrap_err().to_string();
            assert!(message.contains("0 to 1800000 are 1800001") && message.contains("at most 1000000"), "{message}");
        }
    }

    #[test]
    fn a_frame_is_the_same_whatever_was_shown_before() {
        let mut session = session(4.0);
        session.edits.blink.enabled = true;
        let span = FrameSpan::of_session(&session, thirty()).unwrap();
        let shown = |session: &mut Session, frame| {
            span.show(session, frame);
            session.weights().to_vec()
        };
        let in_order: Vec<_> = span.frames().map(|frame| shown(&mut session, frame)).collect();
        assert!(in_order.iter().any(|weights| weights[0] > 0.9), "no blink");
        session.glide(2.0, |session| session.channels_mut([1]).set(1.0));
        session.edits.sliders.clear();
        for frame in span.frames().rev() {
            assert_eq!(shown(&mut session, frame), in_order[frame as usize], "{frame}");
        }
        assert!((in_order[60][1] - 0.5).abs() < 1e-6);
    }
}
