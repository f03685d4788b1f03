//! Runs a shard: opens its next connection, neither too soon nor too often, nor at the price of a session that may not be
//! started, and decides what follows when one ends.

use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use tokio::sync::watch;
use tokio::time::{sleep_until, timeout};

use super::{Shard, ShardContext};
use crate::gateway::close::{CloseAction, FatalClose};
use crate::gateway::connection::{ConnectionEnd, GatewayConnection};
use crate::gateway::dial::GatewaySocket;
use kith_system::clock;

/// After so many links in a row that Discord took and on which no session came up, the old session is given up.
const GIVE_UP_AFTER: u32 = 4;
impl Shard {
    /// Runs until `stop` is true, Discord refuses for good, or nobody listens any more.
    pub async fn run(mut self, stop: Arc<watch::Sender<bool>>) {
        let (mut stopped, out) = (stop.subscribe(), self.out.clone());
        loop {
            let upstream = tokio::select! {
                upstream = self.dial() => upstream,
                _ = stopped.wait_for(|stop| *stop) => return,
                () = out.closed() => return,
            };
            let mut connection = GatewayConnection::new(upstream);
            let end = tokio::select! {
                Err(end) = connection.forward_events(&mut self) => end,
                _ = stopped.wait_for(|stop| *stop) => ConnectionEnd::Stopped,
            };
            let refused = self.record_end(&connection, &end).await;
            connection.close(&end).await;
            if let Some(reason) = refused {
                self.report_refusal(reason, &stop).await;
            }
            if end == ConnectionEnd::Stopped || refused.is_some() {
                return;
            }
        }
    }

    /// Opens a link, however long it takes. A try that gets no answer does not hold up the next one.
    async fn dial(&mut self) -> GatewaySocket {
        self.refresh_session_limit().await;
        let mut tries: FuturesUnordered<BoxFuture<'static, Result<GatewaySocket, String>>> =
            FuturesUnordered::new();
        loop {
            let mut at = self.back_off.not_before();
            if self.session.is_none() {
                at = at.max(self.reserve_session_start().await);
            }
            tokio::select! {
                () = sleep_until(at.into()) => {
                    self.back_off.record_try(clock::monotonic(), &self.common.times);
                    tries.push(Box::pin(open_socket(Arc::clone(&self.common), self.resume_url())));
                }
                Some(tried) = tries.next() => match tried {
                    // What was waited for may have taken longer than the turn to start a session lasts.
                    Ok(upstream) if self.session.is_some() || self.reserve_session_start().await <= clock::monotonic() => {
                        self.back_off.record_open(clock::monotonic());
                        return upstream;
                    }
                    Ok(_) => {}
                    Err(why) => {
                        self.back_off.record_unreachable(clock::monotonic(), &self.common.times);
                        self.report_failure(&why).await;
                    }
                },
            }
        }
    }

    /// Keeps book of a link that ended; answers whether Discord refuses for good.
    async fn record_end(
        &mut self,
        connection: &GatewayConnection,
        end: &ConnectionEnd,
    ) -> Option<FatalClose> {
        let ConnectionEnd::Lost { next, why } = end else {
            return None;
        };
        let (now, times) = (clock::monotonic(), self.common.times);
        let lasted = connection.uptime();
        let seconds = lasted.unwrap_or_default().as_secs();
        tracing::info!(
            shard = self.number,
            why,
            ?next,
            seconds,
            "a link to Discord ended"
        );
        if let CloseAction::Stop(reason) = next {
            return Some(*reason);
        }
        // That a session cannot go on is no fault of the link: the next one begins a new session, and at once.
        let is_lost = *next == CloseAction::NewSession && self.session.take().is_some();
        match lasted {
            Some(lasted) => {
                self.lost_at = Some(connection.last_received());
                self.common.links.set(self.number, false);
                self.back_off.record_end(lasted, now, &times);
            }
            None if is_lost => {}
            None => {
                match connection.has_received_hello() {
                    true => self.back_off.record_refusal(now, &times),
                    false => self.back_off.record_unreachable(now, &times),
                }
                self.report_failure(why).await;
                if self.back_off.refusal_count() >= GIVE_UP_AFTER {
                    self.session = None;
                }
            }
        }
        None
    }
}

/// One try. The error says why no link came of it.
pub async fn open_socket(
    common: Arc<ShardContext>,
    resume_url: Option<String>,
) -> Result<GatewaySocket, String> {
    let resume_url = resume_url.and_then(|url| common.dialer.check_resume_url(&url));
    match timeout(common.times.dial, common.dialer.dial(resume_url.as_ref())).await {
        Ok(dialed) => dialed.map_err(|why| why.to_string()),
        Err(_) => Err(format!("no answer in {} s", common.times.dial.as_secs())),
    }
}
