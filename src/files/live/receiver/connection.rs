//! Connections over TCP: streams of texts, and WebSockets.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

use tungstenite::handshake::HandshakeError;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Error, Message, WebSocket};

use super::Arrivals;
use super::peers::{MAX_PACKET_BYTES, PATIENCE, is_timeout, take_packet};
use super::status::SenderId;
use crate::live::protocol::{Decoder, Protocol, TextStream, Transport};
use smirk_base::job::{Job, JobControl, OnDrop};

const MAX_CONNECTIONS: usize = 4;
/// A connection on which nothing arrives for so long is closed, so that it does not keep others out.
const IDLE: Duration = Duration::from_secs(15);
/// How long a program may take to open a WebSocket, and to send one message from its first byte to its last.
const MESSAGE: Duration = Duration::from_secs(5);

pub(super) fn accept(
    listener: &TcpListener,
    protocol: Protocol,
    transport: Transport,
    arrivals: &Arrivals,
    control: &JobControl,
) {
    let mut connections: Vec<Job<()>> = Vec::new();
    while !control.is_cancelled() {
        connections.retain_mut(|connection| connection.poll().is_none());
        match listener.accept() {
            // One too many is closed at once.
            Ok(_) if connections.len() == MAX_CONNECTIONS => {}
            Ok((stream, address)) => {
                let from = SenderId { protocol, transport, address, subject: "".into() };
                connections.push(connect(stream, from, arrivals.clone()));
            }
            Err(_) => std::thread::sleep(PATIENCE / 2),
        }
    }
    connections.iter().for_each(Job::cancel);
}

fn connect(stream: TcpStream, from: SenderId, arrivals: Arrivals) -> Job<()> {
    let name = format!("live from {}", from.address.port());
    Job::spawn(
        &name,
        OnDrop::Join,
        || (),
        move |control| {
            let is_ready = stream.set_nonblocking(false).and_then(|()| stream.set_read_timeout(Some(PATIENCE)));
            // A program that reads nothing would otherwise hold the answer to its ping for ever.
            let is_ready = is_ready.and_then(|()| stream.set_write_timeout(Some(PATIENCE)));
            if is_ready.is_ok() {
                let mut connection = Connection { decoder: Decoder::new(from.protocol), from, arrivals };
                match connection.from.transport {
                    Transport::WebSocket => connection.read_messages(stream, control),
                    Transport::Udp | Transport::Tcp => connection.read_texts(stream, control),
                }
            }
        },
    )
}

struct Connection {
    from: SenderId,
    decoder: Decoder,
    arrivals: Arrivals,
}

impl Connection {
    fn packet(&mut self, packet: &[u8]) {
        take_packet(&mut self.decoder, &self.from, packet, Instant::now(), &self.arrivals);
    }

    fn read_texts(&mut self, mut stream: TcpStream, control: &JobControl) {
        let (mut texts, mut buffer, mut last) = (TextStream::default(), vec![0; 1 << 14], Instant::now());
        while !control.is_cancelled() && last.elapsed() < IDLE {
            match stream.read(&mut buffer) {
                Ok(0) => return,
                Ok(length) => {
                    texts.push(&buffer[..length], |text| self.packet(text));
                    last = Instant::now();
                }
                Err(error) if is_timeout(&error) => {}
                Err(_) => return,
            }
        }
    }

    /// Reads the messages of a WebSocket, texts and binary ones alike.
    fn read_messages(&mut self, stream: TcpStream, control: &JobControl) {
        let Some(mut socket) = open_web_socket(stream, control) else { return };
        let mut last = Instant::now();
        while !control.is_cancelled() && last.elapsed() < IDLE {
            match socket.read() {
                Ok(Message::Text(text)) => self.packet(text.as_bytes()),
                Ok(Message::Binary(bytes)) => self.packet(&bytes),
                // These may come between the parts of a message, which they do not make whole.
                Ok(Message::Ping(payload) | Message::Pong(payload)) => {
                    socket.get_mut().message.control_frame(payload.len());
                    last = Instant::now();
                    continue;
                }
                Ok(Message::Close(_) | Message::Frame(_)) => continue,
                Err(Error::Io(error)) if is_timeout(&error) => continue,
                Err(_) => return,
            }
            socket.get_mut().message = MessageClock::default();
            last = Instant::now();
        }
        let _ = socket.close(None);
        let _ = socket.flush();
    }
}

/// A stream whose reader asks for bytes until a message is whole, however slowly they come: reading fails once the job
/// is cancelled or the message has taken too long.
struct MessageStream<'a> {
    stream: TcpStream,
    control: &'a JobControl,
    message: MessageClock,
}

/// How long the message that is not whole yet has been arriving.
#[derive(Debug, Default)]
struct MessageClock {
    began: Option<Instant>,
    bytes: usize,
}

impl MessageClock {
    fn add(&mut self, bytes: usize, now: Instant) {
        self.began.get_or_insert(now);
        self.bytes += bytes;
    }

    /// Takes out a control frame: a ping, or the answer to one. If nothing else has arrived, no message has begun.
    fn control_frame(&mut self, payload_bytes: usize) {
        /// The length of the header of a control frame, with the mask of a client.
        const HEADER_BYTES: usize = 6;
        self.bytes = self.bytes.saturating_sub(HEADER_BYTES + payload_bytes);
        if self.bytes == 0 {
            self.began = None;
        }
    }

    fn is_late(&self, now: Instant) -> bool {
        self.began.is_some_and(|began| now.duration_since(began) > MESSAGE)
    }
}

impl Read for MessageStream<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.control.is_cancelled() || self.message.is_late(Instant::now()) {
            return Err(ErrorKind::ConnectionAborted.into());
        }
        let length = self.stream.read(buffer)?;
        self.message.add(length, Instant::now());
        Ok(length)
    }
}

impl Write for MessageStream<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

fn open_web_socket(stream: TcpStream, control: &JobControl) -> Option<WebSocket<MessageStream<'_>>> {
    let config = WebSocketConfig::default()
        .read_buffer_size(1 << 14)
        .max_message_size(Some(4 * MAX_PACKET_BYTES))
        .max_frame_size(Some(4 * MAX_PACKET_BYTES));
    let began = Instant::now();
    let mut handshake = tungstenite::accept_with_config(
        MessageStream { stream, control, message: MessageClock::default() },
        Some(config),
    );
    loop {
        match handshake {
            Ok(mut socket) => {
                socket.get_mut().message = MessageClock::default();
                return Some(socket);
            }
            Err(HandshakeError::Interrupted(waiting)) if !control.is_cancelled() && began.elapsed() < MESSAGE => {
                handshake = waiting.handshake();
            }
            Err(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pings_do_not_lift_the_limit_of_a_message() {
        let start = Instant::now();
        let after = |secs: u64| start + Duration::from_secs(secs);
        let mut message = MessageClock::default();
        // Pings alone are no message, however long they go on.
        for secs in 0..20 {
            message.add(6 + 4, after(secs));
            message.control_frame(4);
            assert!(!message.is_late(after(secs + 6)));
        }
        // The first part of a message, and pings between it and the parts that follow.
        message.add(100, after(20));
        for secs in 21..=25 {
            message.add(6, after(secs));
            message.control_frame(0);
            assert!(!message.is_late(after(secs)));
        }
        message.add(1 + 6, after(26));
        message.control_frame(0);
        assert!(message.is_late(after(26)));
    }
}
