//! How live faces are received and recorded on this machine. It is kept with the settings of the program, since phones
//! and networks belong to a place and not to a project.

use std::net::{IpAddr, SocketAddr};

use serde::{Deserialize, Serialize};

use smirk_files::live::{Protocol, SendFormat, Transport};

/// How live faces are received and recorded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LiveSetup {
    /// Whether other machines are heard too, and not this one alone.
    pub allows_network: bool,
    /// What is listened for: a port for each protocol and transport.
    pub ports: Vec<LivePort>,
    /// The only sender that is heard; none for whichever sends first.
    pub sender: Option<FixedSender>,
    /// The address of the phone that is asked to send; empty to ask none.
    pub phone: String,
    pub phone_protocol: Protocol,
    /// How many frames are held back: 0, 1 or 2.
    pub buffer_frames: u8,
    /// How long the face stays after it was lost, in seconds.
    pub hold_secs: f32,
    /// The seconds from the key to the start of a recording.
    pub countdown_secs: u8,
    /// What the names of recordings begin with.
    pub take_name: String,
    pub microphone: MicrophoneChoice,
    pub microphone_moves_mouth: bool,
    /// Whether a captured face that has a mouth keeps it.
    pub keeps_captured_mouth: bool,
    pub send: SendSetup,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MicrophoneChoice {
    #[default]
    None,
    Default,
    Named {
        /// What the system calls it.
        id: String,
        name: String,
    },
}

/// Where the face is sent on to, and in which form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SendSetup {
    pub format: SendFormat,
    /// The address and port of the program that receives them.
    pub to: String,
}

impl Default for SendSetup {
    fn default() -> Self {
        let format = SendFormat::Vmc0;
        Self { format, to: format!("127.0.0.1:{}", format.port()) }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LivePort {
    pub protocol: Protocol,
    pub transport: Transport,
    pub port: u16,
    pub is_on: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixedSender {
    pub protocol: Protocol,
    pub address: IpAddr,
    /// The name of the performer or the device; empty if the protocol has none.
    pub subject: String,
}

impl Default for LiveSetup {
    fn default() -> Self {
        Self {
            allows_network: false,
            ports: usual_ports(),
            sender: None,
            phone: String::new(),
            phone_protocol: Protocol::IFacialMocap,
            buffer_frames: 0,
            hold_secs: 0.5,
            countdown_secs: 0,
            take_name: "Take".into(),
            microphone: MicrophoneChoice::None,
            microphone_moves_mouth: false,
            keeps_captured_mouth: false,
            send: SendSetup::default(),
        }
    }
}

/// The ports at which the apps send by default.
fn usual_ports() -> Vec<LivePort> {
    let mut ports = Vec::new();
    for &protocol in Protocol::ALL {
        for &(transport, port) in protocol.ports() {
            ports.push(LivePort { protocol, transport, port, is_on: true });
        }
    }
    ports
}

impl LiveSetup {
    pub const LONGEST_COUNTDOWN_SECS: u8 = 10;
    /// The longest time that a lost face stays.
    pub const LONGEST_HOLD_SECS: f32 = 5.0;
    pub const MOST_BUFFER_FRAMES: u8 = 2;
    /// The lowest port: those below belong to the system.
    pub const LOWEST_PORT: u16 = 1024;

    /// The phone that is asked to send: the typed address, with the port of its app unless another was typed. None if
    /// there is none.
    pub fn phone_address(&self) -> Option<SocketAddr> {
        let phone = self.phone.trim();
        match phone.parse() {
            Ok(address) => Some(address),
            Err(_) => Some(SocketAddr::new(phone.parse().ok()?, self.phone_protocol.phone_port()?)),
        }
    }

    /// The id of the microphone that moves the mouth, which the default one does not have; none if none does.
    pub fn mouth_microphone(&self) -> Option<Option<String>> {
        match &self.microphone {
            MicrophoneChoice::Default => Some(None),
            MicrophoneChoice::Named { id, .. } => Some(Some(id.clone())),
            MicrophoneChoice::None => None,
        }
        .filter(|_| self.microphone_moves_mouth)
    }

    /// The same with values that make sense: those of a file may be any.
    pub fn within_reason(self) -> Self {
        let hold_secs = if self.hold_secs.is_finite() { self.hold_secs } else { Self::default().hold_secs };
        let mut ports = usual_ports();
        for port in &mut ports {
            let mut own =
                self.ports.iter().filter(|own| (own.protocol, own.transport) == (port.protocol, port.transport));
            if let Some(own) = own.next().filter(|own| own.port >= Self::LOWEST_PORT) {
                *port = *own;
            }
        }
        Self {
            ports,
            buffer_frames: self.buffer_frames.min(Self::MOST_BUFFER_FRAMES),
            hold_secs: hold_secs.clamp(0.0, Self::LONGEST_HOLD_SECS),
            countdown_secs: self.countdown_secs.min(Self::LONGEST_COUNTDOWN_SECS),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setup_of_any_file_listens_for_every_protocol_at_a_port_that_can_be_opened() {
        let text = r#"{"ports":[{"protocol":"vmc","transport":"udp","port":40000,"is_on":false},
            {"protocol":"openseeface","transport":"udp","port":80,"is_on":true}],"hold_secs":1e30,"buffer_frames":200}"#;
        let setup = serde_json::from_str::<LiveSetup>(text).unwrap().within_reason();
        let port = |protocol: Protocol| setup.ports.iter().find(|port| port.protocol == protocol).unwrap();
        assert_eq!((port(Protocol::Vmc).port, port(Protocol::Vmc).is_on), (40_000, false));
        assert_eq!(port(Protocol::OpenSeeFace).port, 11573);
        assert_eq!(setup.ports.len(), LiveSetup::default().ports.len());
        assert_eq!((setup.buffer_frames, setup.hold_secs), (2, 5.0));
        let text = serde_json::to_string(&setup).unwrap();
        assert_eq!(serde_json::from_str::<LiveSetup>(&text).unwrap(), setup);
        assert!(!LiveSetup::default().allows_network);
        let phone = |phone: &str| LiveSetup { phone: phone.into(), ..LiveSetup::default() }.phone_address();
        assert_eq!(phone(" 192.168.0.12"), Some(([192, 168, 0, 12], 49983).into()));
        assert_eq!(phone("192.168.0.12:49993"), Some(([192, 168, 0, 12], 49993).into()));
        assert_eq!((phone(""), phone("my phone")), (None, None));
    }
}
