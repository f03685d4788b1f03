//! A port that can be shut and opened again, and that nobody else gets meanwhile: shut, it is bound and nobody listens.

use std::net::{Ipv4Addr, SocketAddr};

use tokio::net::{TcpListener, TcpSocket};

/// Connections that may wait to be accepted.
const WAITING: u32 = 1_024;

pub struct Port {
    address: SocketAddr,
    state: State,
}

enum State {
    Open(TcpListener),
    Shut(TcpSocket),
    /// Between the two.
    Moving,
}

impl Port {
    /// A free one, open. Within a runtime only.
    pub fn new() -> Self {
        let socket = bound((Ipv4Addr::LOCALHOST, 0).into());
        let address = socket.local_addr().expect("a bound socket");
        Self {
            address,
            state: State::Open(listening(socket)),
        }
    }

    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// From now on connections are refused.
    pub fn shut(&mut self) {
        if matches!(self.state, State::Open(_)) {
            // Bound before the other end is let go of.
            self.state = State::Shut(bound(self.address));
        }
    }

    /// Accepts connections again, if it did not.
    pub fn open(&mut self) -> &TcpListener {
        self.state = match std::mem::replace(&mut self.state, State::Moving) {
            State::Shut(socket) => State::Open(listening(socket)),
            open => open,
        };
        match &self.state {
            State::Open(listener) => listener,
            State::Shut(_) | State::Moving => panic!("a port that is neither open nor shut"),
        }
    }
}

fn bound(address: SocketAddr) -> TcpSocket {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_reuseaddr(true).expect("an option");
    socket.set_reuseport(true).expect("an option");
    socket.bind(address).expect("a port on loopback");
    socket
}

fn listening(socket: TcpSocket) -> TcpListener {
    socket.listen(WAITING).expect("a port to listen at")
}
