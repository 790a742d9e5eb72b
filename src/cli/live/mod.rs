//! The commands of live capture.

pub(super) mod listen;
pub(super) mod send;

use std::net::{IpAddr, SocketAddr, ToSocketAddrs};

use anyhow::bail;

use smirk_base::names::printable;

/// The address that an option names: a name or an address, with the port behind a colon unless it is `port`.
fn address(option: &str, text: &str, port: u16) -> anyhow::Result<SocketAddr> {
    let with_port = text.to_socket_addrs().or_else(|_| (text, port).to_socket_addrs());
    let advice = format!("give one such as 192.168.1.20 or 127.0.0.1:{port}");
    let text = printable(text);
    // Most apps know addresses of four numbers only.
    match with_port.into_iter().flatten().min_by_key(|address| !address.is_ipv4()) {
        None => bail!("{option} {text}: is no address that can be found; {advice}"),
        Some(address) if address.port() == 0 => usage!("{option} {text}: no program has port 0; {advice}"),
        Some(address) if is_of_many(address.ip()) => {
            usage!("{option} {text}: is an address of many devices or of none, not of one; {advice}")
        }
        Some(address) => Ok(address),
    }
}

/// Whether an address stands for all devices of a network, or for none.
fn is_of_many(address: IpAddr) -> bool {
    let is_broadcast = matches!(address, IpAddr::V4(address) if address.is_broadcast());
    is_broadcast || address.is_unspecified()
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
        for (text, words) in [
            ("127.0.0.1:0", "port 0"),
            ("255.255.255.255", "many devices"),
            ("0.0.0.0:9", "many devices"),
            ("[::]:9", "many devices"),
        ] {
            let error = address("--to", text, 39539).unwrap_err().to_string();
            assert!(error.contains(text) && error.contains(words), "{error}");
        }
    }
}
