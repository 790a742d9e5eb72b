//! Asking a phone for data.

use std::time::{Duration, Instant};

use super::Protocol;
use super::facial_mocap::HELLO_V2;

const INTERVAL: Duration = Duration::from_secs(1);
/// For how many seconds VTube Studio sends after it was asked: a few requests may be lost.
const VTUBE_STUDIO_SECS: u8 = 5;
/// The port at which Facemotion3d waits for a greeting of its own.
const FACEMOTION3D_PORT: u16 = 49993;
/// What Facemotion3d waits for there.
const FACEMOTION3D_HELLO: &str = "FACEMOTION3D_OtherStreaming";

/// What a phone is sent again and again.
#[derive(Debug)]
pub(super) struct Asking {
    request: Vec<u8>,
    /// Whether the phone goes on by itself once it sends.
    goes_on: bool,
    last: Option<Instant>,
    last_frame: Option<Instant>,
}

impl Asking {
    /// The request of a protocol to a phone that waits at `phone_port`; its answers come to `own_port`. None if the
    /// apps of the protocol need not be asked.
    pub(super) fn new(protocol: Protocol, phone_port: u16, own_port: u16) -> Option<Self> {
        let (request, goes_on) = match protocol {
            Protocol::IFacialMocap if phone_port == FACEMOTION3D_PORT => (FACEMOTION3D_HELLO.to_owned(), true),
            Protocol::IFacialMocap => (HELLO_V2.to_owned(), true),
            Protocol::VTubeStudio => {
                let request = serde_json::json!({
                    "messageType": "iOSTrackingDataRequest",
                    "time": VTUBE_STUDIO_SECS,
                    "sentBy": "Smirk",
                    "ports": [own_port],
                });
                (request.to_string(), false)
            }
            Protocol::LiveLinkFace | Protocol::Vmc | Protocol::OpenSeeFace | Protocol::MediaPipe => return None,
        };
        Some(Self { request: request.into_bytes(), goes_on, last: None, last_frame: None })
    }

    pub(super) fn frame(&mut self, received: Instant) {
        self.last_frame = Some(received);
    }

    pub(super) fn due(&mut self, now: Instant) -> Option<Vec<u8>> {
        if within(self.last, INTERVAL, now) || (self.goes_on && within(self.last_frame, 2 * INTERVAL, now)) {
            return None;
        }
        self.last = Some(now);
        Some(self.request.clone())
    }
}

fn within(moment: Option<Instant>, most: Duration, now: Instant) -> bool {
    moment.is_some_and(|moment| now.saturating_duration_since(moment) < most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phones_are_asked_once_a_second_until_they_send_by_themselves() {
        let start = Instant::now();
        let at = |millis: u64| start + Duration::from_millis(millis);
        let mut text = Asking::new(Protocol::IFacialMocap, 49983, 1).unwrap();
        assert_eq!(text.due(at(0)).unwrap(), HELLO_V2.as_bytes());
        assert!(text.due(at(900)).is_none() && text.due(at(1000)).is_some());
        text.frame(at(1500));
        assert!(text.due(at(2500)).is_none() && text.due(at(3600)).is_some(), "silence");
        let mut phone = Asking::new(Protocol::VTubeStudio, 21412, 11125).unwrap();
        let request: serde_json::Value = serde_json::from_slice(&phone.due(at(0)).unwrap()).unwrap();
        assert_eq!((&request["ports"][0], &request["sentBy"]), (&11125.into(), &"Smirk".into()));
        phone.frame(at(900));
        assert!(phone.due(at(1000)).is_some(), "it stops by itself");
        let old = Asking::new(Protocol::IFacialMocap, 49993, 1).unwrap().due(at(0)).unwrap();
        assert_eq!(old, FACEMOTION3D_HELLO.as_bytes());
        assert!(Asking::new(Protocol::Vmc, 1, 1).is_none());
    }
}
