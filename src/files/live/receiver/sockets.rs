//! Opens sockets, and receives datagrams.

use std::io;
use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::time::{Duration, Instant};

use super::peers::{MAX_PACKET_BYTES, PATIENCE, Peers, is_timeout};
use super::settings::{ListenError, ListenSettings, SocketSettings};
use super::status::Listening;
use super::{Arrivals, connection};
use crate::live::protocol::Transport;
use smirk_base::job::{Job, JobControl, OnDrop};

pub(super) fn open(
    socket: SocketSettings,
    settings: &ListenSettings,
    arrivals: &Arrivals,
) -> Result<(Listening, Job<()>), ListenError> {
    let SocketSettings { protocol, transport, port } = socket;
    let address = SocketAddr::new(settings.bind_address(), port);
    let failed = |error: io::Error| ListenError::new(&error, protocol, transport, address);
    let name = format!("live {port}");
    let arrivals = arrivals.clone();
    let (address, job) = match transport {
        Transport::Udp => {
            let socket = UdpSocket::bind(address).map_err(failed)?;
            socket.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
            let address = socket.local_addr().map_err(failed)?;
            let peers = Peers::new(protocol, settings.phone(protocol), address.port(), arrivals);
            (address, Job::spawn(&name, OnDrop::Join, || (), move |control| receive(&socket, peers, control)))
        }
        Transport::Tcp | Transport::WebSocket => {
            let listener = TcpListener::bind(address).map_err(failed)?;
            listener.set_nonblocking(true).map_err(failed)?;
            let address = listener.local_addr().map_err(failed)?;
            let accept =
                move |control: &JobControl| connection::accept(&listener, protocol, transport, &arrivals, control);
            (address, Job::spawn(&name, OnDrop::Join, || (), accept))
        }
    };
    Ok((Listening { protocol, transport, address }, job))
}

fn receive(socket: &UdpSocket, mut peers: Peers, control: &JobControl) {
    let mut buffer = vec![0; MAX_PACKET_BYTES];
    // A packet that cannot be sent is sent again later, or its loss is seen by the silence of the phone.
    let send = |to: SocketAddr, packets: Vec<Vec<u8>>| {
        packets.iter().for_each(|packet| drop(socket.send_to(packet, to)));
    };
    while !control.is_cancelled() {
        match socket.recv_from(&mut buffer) {
            Ok((length, from)) => send(from, peers.packet(from, &buffer[..length], Instant::now())),
            Err(error) if is_timeout(&error) => {}
            // An earlier packet to a phone did not arrive, which some systems report here.
            Err(_) => std::thread::sleep(Duration::from_millis(5)),
        }
        if let Some((phone, packets)) = peers.due(Instant::now()) {
            send(phone, packets);
        }
    }
    if let Some((phone, packet)) = peers.goodbye() {
        send(phone, vec![packet]);
    }
}
