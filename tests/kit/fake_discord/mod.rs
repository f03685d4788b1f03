//! A Discord on loopback that speaks the real protocol over real sockets: REST and gateway, with a world behind them,
//! and every way of failing that the real one has. It runs on a thread of its own and never speaks to anyone elsewhere.
//!
//! A test uses it like this:
//!
//! ```ignore
//! let fake = FakeDiscord::start(World::small());         // its ids are constants: GUILD, GENERAL, ANNA, MO, BOT …
//! let settings = format!("api_base = {:?}", fake.api()); // the token is TOKEN
//! let hi = fake.says(GENERAL, ANNA, "hi @Juno");          // stored, and dispatched to who may hear it
//! let post = fake.until("an answer", |world| world.posts(GENERAL).first().map(|post| post.text.clone())).await;
//! fake.fault("POST /channels/*/messages", Fault::DoneBut504);   // the next one that fits
//! fake.break_links(LinkFault::Close(Some(4000)));
//! fake.check();                                           // also when dropped: fails with every violation
//! ```
//!
//! * `world/`: the world as plain data, and its builder. `fake.world(|world| …)` reads and changes it without telling
//!   anybody; the closure must not call the fake, which holds its lock.
//! * `people/`: what people do: say, edit, delete, react, type, join, use commands. These are stored and dispatched.
//! * `gateway/`: sessions, resume, intents; faults by `fake.break_links`, `fake.door`, `fake.duplicate_next` …
//! * `rest/`: the routes with Discord's checks and errors; faults by `fake.fault`, `fake.chaos`, `fake.rest_door`; limits
//!   by `fake.limits`.
//! * `openapi.rs`: with `KITH_SHARED` set, bodies and answers are held against Discord's own description.

mod clock;
mod faults;
mod gateway;
mod limits;
mod openapi;
mod people;
mod port;
mod rest;
mod shared_state;
mod wire;
mod world;
mod world_changes;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::oneshot;

pub use clock::{Id, Millis, time_of, timestamp};
pub use faults::{Chaos, Fault, LinkChaos, LinkFault};
pub use gateway::{ConnectionPolicy, intents};
pub use limits::Limits;
pub use world::*;

use crate::PATIENCE;
use shared_state::{Shared, State};

/// The fake. It ends, and checks itself, when it is dropped.
pub struct FakeDiscord {
    shared: Arc<Shared>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl FakeDiscord {
    pub fn start(world: World) -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        let (rest, links) = {
            let _inside = runtime.enter();
            (port::Port::new(), port::Port::new())
        };
        let shared = Arc::new(Shared::new(State {
            world,
            clock: clock::Clock::default(),
            hub: gateway::Hub::default(),
            faults: faults::Faults::default(),
            limits: Limits::default(),
            gateway_url: format!("ws://{}", links.address()),
            rest_url: format!("http://{}", rest.address()),
            tells_date: false,
            nonce_expires: 5 * 60_000,
            violations: Vec::new(),
            description: openapi::description(),
        }));
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::Builder::new()
            .name("fake-discord".into())
            .spawn({
                let shared = shared.clone();
                move || {
                    runtime.block_on(async {
                        tokio::spawn(gateway::listen(links, shared.clone()));
                        tokio::spawn(rest::listen(rest, shared));
                        let _ = stopped.await;
                    });
                }
            });
        Self {
            shared,
            stop: Some(stop),
            thread: Some(thread.expect("a thread")),
        }
    }

    /// The base of REST: `http://127.0.0.1:port/api/v10`.
    pub fn api(&self) -> String {
        format!("{}/api/v10", self.origin())
    }

    /// `http://127.0.0.1:port`, what stands for `https://discord.com`.
    pub fn origin(&self) -> String {
        self.shared.lock().rest_url.clone()
    }

    /// Looks at the world, or changes it without telling anybody. The closure must not call the fake.
    pub fn world<T>(&self, look: impl FnOnce(&mut World) -> T) -> T {
        self.shared.change(|state| look(&mut state.world))
    }

    /// Waits until something is found in the world; `what` is for the sentence if it never is.
    pub async fn until<T>(&self, what: &str, found: impl FnMut(&World) -> Option<T>) -> T {
        self.until_within(PATIENCE, what, found).await
    }

    pub async fn until_true(&self, what: &str, mut holds: impl FnMut(&World) -> bool) {
        self.until(what, |world| holds(world).then_some(())).await;
    }

    /// The same of what may take long.
    pub async fn until_within<T>(
        &self,
        most: Duration,
        what: &str,
        mut found: impl FnMut(&World) -> Option<T>,
    ) -> T {
        let mut news = self.shared.news();
        let end = tokio::time::Instant::now() + most;
        loop {
            if let Some(found) = found(&self.shared.lock().world) {
                return found;
            }
            if tokio::time::timeout_at(end, news.changed()).await.is_err() {
                let state = self.shared.lock();
                let requests = state.world.log.requests.iter().rev().take(30);
                let requests: Vec<String> = requests
                    .map(|asked| {
                        format!(
                            "{} {} {:?} {}",
                            asked.method, asked.path, asked.status, asked.body
                        )
                    })
                    .collect();
                panic!(
                    "never: {what}\nnewest requests:\n{}\nviolations: {:#?}",
                    requests.join("\n"),
                    state.violations
                );
            }
        }
    }

    /// What the bot has in a channel, oldest first.
    pub fn posts(&self, channel: Id) -> Vec<Message> {
        self.shared
            .lock()
            .world
            .posts(channel)
            .into_iter()
            .cloned()
            .collect()
    }

    /// The requests so far that fit a pattern like `POST /channels/*/messages`, oldest first; see [`Request::fits`].
    pub fn requests(&self, pattern: &str) -> Vec<Request> {
        self.shared
            .lock()
            .world
            .requests(pattern)
            .into_iter()
            .cloned()
            .collect()
    }

    /// The time of the fake world.
    pub fn now(&self) -> Millis {
        self.shared.lock().clock.now()
    }

    /// From here on it is this time, and time goes on.
    pub fn set_now(&self, now: Millis) {
        self.shared.change(|state| state.clock.set(now));
    }

    /// From here on it is this time, and every answer says so in its `Date`, as Discord's do.
    pub fn tells_date(&self, now: Millis) {
        self.shared.change(|state| {
            state.clock.set(now);
            state.tells_date = true;
        });
    }

    /// How long an enforced nonce keeps a message from being said twice; 5 minutes unless it is set.
    pub fn nonces_expire_after(&self, milliseconds: Millis) {
        self.shared
            .change(|state| state.nonce_expires = milliseconds);
    }

    /// The next request that fits fails so.
    pub fn fault(&self, pattern: &str, fault: Fault) {
        self.faults(pattern, fault, 1);
    }

    /// The next so many requests that fit fail so.
    pub fn faults(&self, pattern: &str, fault: Fault, times: u32) {
        self.shared
            .change(|state| state.faults.add(pattern, fault, times));
    }

    /// REST's door: open; refused, so that nobody listens; or slammed, so that connections end before anything is asked.
    /// Connections that are up end, too.
    pub fn rest_door(&self, door: ConnectionPolicy) {
        self.shared.rest_door.send_replace(door);
        // The fake has a thread of its own: no request comes before the door is what it is to be.
        while *self.shared.rest_door_stands.borrow() != door {
            std::thread::yield_now();
        }
    }

    /// The limits that a 429 imposed are over.
    pub fn lifts_limits(&self) {
        self.shared.change(|state| state.limits.lift());
    }

    /// From now on requests fail at random; none: no more.
    pub fn chaos(&self, chaos: Option<Chaos>) {
        self.shared.change(|state| state.faults.chaos = chaos);
    }

    pub fn limits(&self, change: impl FnOnce(&mut Limits)) {
        self.shared.change(|state| change(&mut state.limits));
    }

    /// What was wrong so far, and forgets it: for tests that provoke it.
    pub fn take_violations(&self) -> Vec<String> {
        self.shared
            .change(|state| std::mem::take(&mut state.violations))
    }

    /// Fails if anything the client sent or the fake answered was not as Discord describes it.
    pub fn check(&self) {
        assert!(
            !self.shared.is_broken(),
            "the fake itself panicked; its words are above"
        );
        let violations = self.take_violations();
        assert!(
            violations.is_empty(),
            "{} violations:\n{}",
            violations.len(),
            violations.join("\n")
        );
    }
}

impl Drop for FakeDiscord {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        if !std::thread::panicking() {
            self.check();
        }
    }
}
