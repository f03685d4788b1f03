//! Whom a process talks to, as Linux tells it: no test may ever reach beyond this machine. Elsewhere nothing is known.

use std::collections::HashSet;
use std::fs;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The peers of a process's sockets that are not on loopback.
pub fn beyond_loopback(process: u32) -> Vec<IpAddr> {
    let sockets = sockets(process);
    let tables = ["tcp", "tcp6", "udp", "udp6"];
    let lines = tables.map(|table| {
        fs::read_to_string(format!("/proc/{process}/net/{table}")).unwrap_or_default()
    });
    let peers = lines
        .iter()
        .flat_map(|table| table.lines().skip(1))
        .filter_map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let (peer, socket) = (fields.get(2)?, fields.get(9)?);
            sockets
                .contains(*socket)
                .then(|| address(peer.split(':').next()?))
                .flatten()
        });
    peers
        .filter(|peer| !peer.is_unspecified() && !peer.to_canonical().is_loopback())
        .collect()
}

fn sockets(process: u32) -> HashSet<String> {
    let Ok(files) = fs::read_dir(format!("/proc/{process}/fd")) else {
        return HashSet::new();
    };
    let targets = files
        .flatten()
        .filter_map(|file| fs::read_link(file.path()).ok());
    let number = |target: std::path::PathBuf| {
        Some(
            target
                .to_str()?
                .strip_prefix("socket:[")?
                .strip_suffix(']')?
                .to_owned(),
        )
    };
    targets.filter_map(number).collect()
}

/// An address as the tables write it: words of four bytes, each in the machine's order.
fn address(hex: &str) -> Option<IpAddr> {
    let words: Vec<[u8; 4]> = (0..hex.len() / 8)
        .map(|at| u32::from_str_radix(&hex[at * 8..at * 8 + 8], 16).map(u32::to_ne_bytes))
        .collect::<Result<_, _>>()
        .ok()?;
    match words.as_flattened() {
        four if four.len() == 4 => Some(Ipv4Addr::from(<[u8; 4]>::try_from(four).ok()?).into()),
        sixteen => Some(Ipv6Addr::from(<[u8; 16]>::try_from(sixteen).ok()?).into()),
    }
}
