//! Ways to fail: scripted for the next requests of a route, or drawn at random from a seed.

use std::time::Duration;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

use super::world::fits;

/// What goes wrong with a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    /// 429 for the route, to be tried again after this long.
    RouteLimit(Duration),
    /// 429 for everything.
    GlobalLimit(Duration),
    /// 429 as Discord's front sends it: a page, without any of the usual headers but Retry-After.
    Html429(Duration),
    /// 429 that does not say for how long: of the API, or a page of who knows whom.
    Untold429 {
        page: bool,
    },
    /// This status, and nothing was done: 500, 502, 503, 403.
    Status(u16),
    /// Refused with Discord's number: 50013, 50001 …
    Refused(u64),
    /// 504 although it was done.
    DoneBut504,
    DoneButGarbage,
    /// Nothing is done and nothing is answered, until the client hangs up.
    Hang,
    /// Done, and nothing is answered, until the client hangs up.
    DoneButHang,
    /// Nothing is done, and the connection ends.
    Drop,
    /// Done, and the connection ends without an answer.
    DoneButDrop,
    /// Done and answered, but late.
    Slow(Duration),
}

/// What goes wrong with a link of the gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkFault {
    /// The TCP connection ends.
    Drop,
    /// A close frame with this code, or with none.
    Close(Option<u16>),
    /// Op 7.
    Reconnect,
    /// Op 9.
    Invalidate { resumable: bool },
    /// Nothing comes any more and nothing is answered; the connection stays.
    Freeze,
    /// Events come, heartbeats are not acknowledged.
    NoAcks,
    /// The compressed stream is broken from here on.
    Garble,
    /// A small frame that unpacks to more than anybody wants to hold.
    Bomb,
    /// The event comes twice.
    Duplicate,
    /// The event comes after the next one.
    Reorder,
}

/// Random faults of REST: the probability of each, for every request.
#[derive(Debug)]
pub struct Chaos {
    pub only: Option<String>,
    pub chances: Vec<(f64, Fault)>,
    rng: ChaCha8Rng,
}

impl Chaos {
    pub fn new(seed: u64, chances: impl IntoIterator<Item = (f64, Fault)>) -> Self {
        Self {
            only: None,
            chances: chances.into_iter().collect(),
            rng: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// A bit of everything: one request in five fails somehow.
    pub fn storm(seed: u64) -> Self {
        let short = Duration::from_millis(150);
        Self::new(
            seed,
            [
                (0.04, Fault::RouteLimit(short)),
                (0.01, Fault::GlobalLimit(short)),
                (0.01, Fault::Html429(Duration::from_secs(1))),
                (0.01, Fault::Untold429 { page: false }),
                (0.005, Fault::Untold429 { page: true }),
                (0.03, Fault::Status(500)),
                (0.03, Fault::Status(502)),
                (0.03, Fault::DoneBut504),
                (0.01, Fault::DoneButGarbage),
                (0.005, Fault::Hang),
                (0.005, Fault::DoneButHang),
                (0.015, Fault::Drop),
                (0.015, Fault::DoneButDrop),
            ],
        )
    }

    pub fn only(mut self, pattern: &str) -> Self {
        self.only = Some(pattern.into());
        self
    }

    fn draw(&mut self, method: &str, path: &str) -> Option<Fault> {
        if self
            .only
            .as_ref()
            .is_some_and(|pattern| !fits(pattern, method, path))
        {
            return None;
        }
        pick(&mut self.rng, &self.chances)
    }
}

/// Random faults of the gateway: the probability of each, for every dispatch.
#[derive(Debug)]
pub struct LinkChaos {
    chances: Vec<(f64, LinkFault)>,
    rng: ChaCha8Rng,
}

impl LinkChaos {
    pub fn new(seed: u64, chances: impl IntoIterator<Item = (f64, LinkFault)>) -> Self {
        Self {
            chances: chances.into_iter().collect(),
            rng: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    pub fn draw(&mut self) -> Option<LinkFault> {
        pick(&mut self.rng, &self.chances)
    }
}

fn pick<T: Clone>(rng: &mut ChaCha8Rng, chances: &[(f64, T)]) -> Option<T> {
    let mut draw: f64 = rng.random();
    for (chance, fault) in chances {
        if draw < *chance {
            return Some(fault.clone());
        }
        draw -= chance;
    }
    None
}

#[derive(Debug, Default)]
pub struct Faults {
    script: Vec<(String, Fault, u32)>,
    pub chaos: Option<Chaos>,
}

impl Faults {
    /// The next so many requests that fit fail so.
    pub fn add(&mut self, pattern: &str, fault: Fault, times: u32) {
        self.script.push((pattern.into(), fault, times));
    }

    /// What goes wrong with this request.
    pub fn take(&mut self, method: &str, path: &str) -> Option<Fault> {
        let scripted = self
            .script
            .iter_mut()
            .find(|(pattern, _, left)| *left > 0 && fits(pattern, method, path));
        if let Some((_, fault, left)) = scripted {
            *left -= 1;
            return Some(fault.clone());
        }
        self.chaos
            .as_mut()
            .and_then(|chaos| chaos.draw(method, path))
    }
}
