//! The relay of a shard: serenity's links come in on loopback, and for each one is opened to Discord. Here is decided
//! what follows when one ends.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;

use tokio::sync::{mpsc, watch};
use tokio::time::timeout;

use super::Dispatch;
use super::close::{Next, Reason};
use super::door::{Client, Door};
use super::link::{End, Link};
use super::sessions::Boot;
use super::shard::{Shard, Wish};
use crate::clock;

/// After so many links in a row on which no session came up, the old session is given up.
const GIVE_UP_AFTER: u32 = 4;

/// A relay.
pub struct Relay {
    shard: Shard,
    door: Door,
    boots: mpsc::UnboundedSender<Boot>,
    stop: Arc<watch::Sender<bool>>,
}

impl Relay {
    /// A relay for a shard. `boots` begins sessions in serenity; once `stop` is true all ends.
    pub async fn open(
        shard: Shard,
        boots: mpsc::UnboundedSender<Boot>,
        stop: Arc<watch::Sender<bool>>,
    ) -> io::Result<Self> {
        let door = Door::open(&shard.common.token, shard.number).await?;
        Ok(Self { shard, door, boots, stop })
    }

    /// Runs until the gateway is stopped or Discord refuses for good.
    pub async fn run(mut self) {
        let mut stop = self.stop.subscribe();
        let mut waiting = None;
        self.boot();
        loop {
            let client = match waiting.take() {
                Some(client) => client,
                None => tokio::select! {
                    client = self.client() => client,
                    _ = stop.wait_for(|stop| *stop) => return,
                },
            };
            let mut link = Link::new(client);
            let end = tokio::select! {
                Err(end) = serve(&mut self.shard, &mut link) => end,
                // serenity opens its next link before it lets go of the one it has.
                client = self.door.next() => {
                    waiting = client;
                    End::Left
                }
                _ = stop.wait_for(|stop| *stop) => End::Stopped,
            };
            let next = self.ended(&link, &end).await;
            link.leave(&end, next).await;
            if let Next::Stop(reason) = next {
                self.refuse(reason).await;
            }
            if end == End::Stopped || matches!(next, Next::Stop(_)) {
                return;
            }
        }
    }

    /// Waits until serenity comes. Where it stays away its thread has lost this shard, and it is begun anew behind
    /// another door, so that the two cannot meet.
    async fn client(&mut self) -> Client {
        loop {
            match timeout(self.shard.common.times.absent, self.door.next()).await {
                Ok(Some(client)) => return client,
                Ok(None) | Err(_) => tracing::warn!(shard = self.shard.number, "serenity stays away; begun anew"),
            }
            match Door::open(&self.shard.common.token, self.shard.number).await {
                Ok(door) => self.door = door,
                Err(why) => tracing::error!(%why, "no port on loopback to be had"),
            }
            self.boot();
        }
    }

    fn boot(&self) {
        let boot = Boot {
            shard: self.shard.number,
            relay: self.door.address().to_owned(),
            standing: Arc::clone(&self.shard.standing),
        };
        // If its thread has died, it is noticed by its staying away.
        drop(self.boots.send(boot));
    }

    /// Keeps book of a link that ended; answers what follows.
    async fn ended(&mut self, link: &Link, end: &End) -> Next {
        let (next, why) = match end {
            End::Lost { next, why } => (*next, why.as_str()),
            End::Left => (Next::Resume, "serenity left"),
            End::Stopped => (Next::Resume, "stopped"),
        };
        let Some(watch) = link.watch() else { return next };
        let lasted = watch.heard.saturating_duration_since(watch.opened);
        tracing::info!(shard = self.shard.number, why, ?next, seconds = lasted.as_secs(), "a link to Discord ended");
        let was_up = {
            let mut stands = self.shard.standing.lock();
            if stands.is_up {
                stands.lost_at = Some(watch.heard);
            }
            std::mem::take(&mut stands.is_up)
        };
        if *end == End::Stopped || matches!(next, Next::Stop(_)) {
            return next;
        }
        if was_up {
            self.shard.back_off.ended(lasted, clock::monotonic(), &self.shard.common.times);
            return next;
        }
        self.shard.failed(why).await;
        if self.shard.back_off.failures() >= GIVE_UP_AFTER { Next::NewSession } else { next }
    }

    /// Ends everything; only the first shard that is refused says why.
    async fn refuse(&mut self, reason: Reason) {
        if self.stop.send_if_modified(|stop| !std::mem::replace(stop, true)) {
            let text = reason.told(self.shard.common.language).to_owned();
            self.shard.outlet.give(Dispatch::Fatal(text)).await;
        }
    }
}

/// Opens a link to Discord for serenity and passes everything on.
async fn serve(shard: &mut Shard, link: &mut Link) -> Result<Infallible, End> {
    let mut wish = link.wish().await?;
    let upstream = loop {
        tokio::select! {
            upstream = shard.dial(wish) => break upstream,
            resumes = link.hold() => {
                resumes?;
                wish = Wish::Resume;
            }
        }
    };
    link.pass(upstream, shard).await
}
