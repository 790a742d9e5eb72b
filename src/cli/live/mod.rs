//! The commands of live capture.

pub(super) mod listen;
pub(super) mod send;

use std::net::{SocketAddr, ToSocketAddrs};

/// The address that an option names: a name or an address, with the port behind a colon unless it is `port`.
fn address(option: &str, text: &str, port: u16) -> anyhow::Result<SocketAddr> {
    let with_port = text.to_socket_addrs().or_else(|_| (text, port).to_socket_addrs());
    let mut found: Vec<SocketAddr> = with_port.map(Iterator::collect).unwrap_or_default();
    // Most apps know addresses of four numbers only.
    found.sort_by_key(|address| !address.is_ipv4());
    found.into_iter().next().ok_or_else(|| {
        anyhow::anyhow!(
            "{option} {text}: is no address that can be found; give one such as 192.168.1.20 or 127.0.0.1:{port}"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_the_usual_port_unless_they_name_one() {
        let of = |text| address("--to", text, 39539).map(|address| address.to_string()).ok();
        assert_eq!(of("192.168.1.20").unwrap(), "192.168.1.20:39539");
        assert_eq!(of("127.0.0.1:1234").unwrap(), "127.0.0.1:1234");
        assert_eq!(of("[::1]:5").unwrap(), "[::1]:5");
        assert_eq!(of("::1").unwrap(), "[::1]:39539");
        assert!(of("").is_none() && of("127.0.0.1:99999").is_none());
    }
}
