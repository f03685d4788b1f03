//! The client: waits for its turn in the queue, asks, reads what Discord says about its limits (a 429 above all), and asks
//! again after a while where that is safe.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use reqwest::StatusCode;
use serde_json::Value;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

use super::ability::{AbilityPlace, DiscordAbility};
use super::allowance::RequestAllowance;
use super::disabled_abilities::DisabledAbilities;
use super::error::RestError;
use super::rate_limits::{QueuePosition, RateLimitBucket, RequestQueue, SendTime};
use super::refusal_breaker::RefusalCounter;
use super::request::{RequestPriority, RestRequest, RetrySafety};
use super::response::ResponseVerdict;
use super::settings::{DeliveryFence, RequestPacing, RestSettings};
use super::transport::RestTransport;
use kith_core::back_off::{apply_jitter, compute_back_off};
use kith_core::chat::{ChannelId, GuildId};
use kith_core::secret::Secret;
use kith_system::clock;

/// The way to Discord's API. Cheap to clone; all clones share the limits.
#[derive(Clone)]
pub struct RestClient(Arc<RestClientState>);

struct RestClientState {
    transport: RestTransport,
    token: Secret,
    pace: RequestPacing,
    fence: Option<DeliveryFence>,
    queue: Mutex<RequestQueue>,
    /// Somebody who waits may be able to go, or must look again how long to wait.
    queue_changed: Notify,
    refusals: Mutex<RefusalCounter>,
    disabled_abilities: Mutex<DisabledAbilities>,
    token_is_wrong: AtomicBool,
}

impl RestClient {
    /// Asks nothing yet. The error is a sentence about the setting that is wrong.
    pub fn new(settings: RestSettings) -> Result<Self, String> {
        let transport = RestTransport::new(&settings)?;
        let RestSettings {
            token,
            pace,
            allowance,
            fence,
            ..
        } = settings;
        let allowance = allowance.unwrap_or_else(|| RequestAllowance::new(pace.per_second));
        Ok(Self(Arc::new(RestClientState {
            transport,
            token,
            queue: Mutex::new(RequestQueue::new(allowance)),
            pace,
            fence,
            queue_changed: Notify::new(),
            refusals: Mutex::default(),
            disabled_abilities: Mutex::default(),
            token_is_wrong: AtomicBool::new(false),
        })))
    }

    /// Makes a request and answers with the body, null where there is none. Waits its turn, tries again where the
    /// call's [`RetrySafety`] allows it, and gives up after [`RequestPacing::total`] or the call's own limit.
    ///
    /// # Errors
    /// See [`RestError`]; [`RestError::can_have_happened`] says whether Discord may have done it all the same.
    pub async fn call(&self, call: RestRequest) -> Result<Value, RestError> {
        let shared = &*self.0;
        let deadline = Instant::now() + call.timeout.unwrap_or(shared.pace.total);
        let begun = clock::now();
        let place = lock(&shared.queue).create_position(call.priority);
        // A try that nobody knows the end of; what a later one says without asking does not undo it.
        let mut uncertain_error = None;
        let mut last_error = None;
        let mut tries = 0;
        loop {
            tries += 1;
            let seat = match self.acquire_ticket(&call, place, deadline).await {
                Ok(seat) => seat,
                Err(error) => return Err(uncertain_error.unwrap_or(error)),
            };
            // Whoever asked looks again whether it was done, and whether it is still wanted.
            if call.safety == RetrySafety::ByNonce
                && let Some(error) = uncertain_error.as_ref().or(last_error.as_ref())
                && !shared.pace.is_nonce_known(begun, clock::now())
            {
                return Err(error.clone());
            }
            if call.expires_at.is_some_and(|at| at <= clock::now()) {
                return Err(uncertain_error.unwrap_or(RestError::Expired));
            }
            let (error, wait) = match self.attempt_request(&call, &seat, deadline).await {
                ResponseVerdict::Done(value) => return Ok(value),
                ResponseVerdict::Limited { wait, .. } => (
                    RestError::RateLimited {
                        retry_after: wait.unwrap_or_default(),
                    },
                    Duration::ZERO,
                ),
                ResponseVerdict::Refused(error) => {
                    (error, compute_retry_wait(&shared.pace, tries, place.1))
                }
            };
            drop(seat);
            let unsafe_to_repeat = call.safety == RetrySafety::Once && error.can_have_happened();
            let until = Instant::now() + wait;
            if unsafe_to_repeat
                || !error.is_transient()
                || tries >= shared.pace.tries
                || until >= deadline
            {
                let nobody_knows = !error.can_have_happened() && error.is_transient();
                return Err(uncertain_error.filter(|_| nobody_knows).unwrap_or(error));
            }
            tracing::debug!(route = %call.route, tries, "asks Discord again: {error}");
            uncertain_error = Some(error.clone())
                .filter(RestError::can_have_happened)
                .or(uncertain_error);
            last_error = Some(error);
            sleep_until(until).await;
        }
    }

    /// Whether something is not known to be refused in a channel, or was refused long enough ago to be tried again.
    pub fn has_ability(&self, channel: ChannelId, ability: DiscordAbility) -> bool {
        !lock(&self.0.disabled_abilities).contains(
            AbilityPlace::Channel(channel),
            ability,
            Instant::now(),
        )
    }

    /// From when on something that was refused in a channel is worth trying again; none if it was not.
    pub fn retry_time(&self, channel: ChannelId, ability: DiscordAbility) -> Option<Instant> {
        lock(&self.0.disabled_abilities).find_retry_time(AbilityPlace::Channel(channel), ability)
    }

    /// A channel or its permissions changed, or a person wrote in this direct message: what was refused there is
    /// tried again. Threads have their parent's permissions: tell of each.
    pub fn clear_refusals(&self, channel: ChannelId) {
        lock(&self.0.disabled_abilities).clear_place(AbilityPlace::Channel(channel));
    }

    /// A guild's roles or the companion's own changed: what was refused in it and in these channels of it is tried
    /// again.
    pub fn clear_guild_refusals(
        &self,
        guild: GuildId,
        channels: impl IntoIterator<Item = ChannelId>,
    ) {
        lock(&self.0.disabled_abilities).clear_place(AbilityPlace::Guild(guild));
        channels
            .into_iter()
            .for_each(|channel| self.clear_refusals(channel));
    }

    pub fn pace(&self) -> &RequestPacing {
        &self.0.pace
    }

    fn find_objection(&self, call: &RestRequest) -> Option<RestError> {
        let shared = &*self.0;
        if shared.token_is_wrong.load(Ordering::Relaxed) && !call.route.is_signed_by_path() {
            return Some(RestError::Unauthorized);
        }
        if let Some((spot, ability)) = call
            .route
            .required_ability(&call.method)
            .filter(|_| call.trial_ability.is_none())
            && lock(&shared.disabled_abilities).contains(spot, ability, Instant::now())
        {
            return Some(RestError::AbilityDisabled(ability));
        }
        // Only deliveries are worth doing until a certain time.
        let is_fenced = |fence: &DeliveryFence| call.expires_at.is_some() && !fence.is_open();
        if shared.fence.as_ref().is_some_and(is_fenced) {
            let why = "another process may have taken this partition over";
            return Some(RestError::Unreachable(why.into()));
        }
        let refused = lock(&shared.refusals).update_breaker(&shared.pace, Instant::now());
        let is_vital = call.priority == RequestPriority::Vital || call.route.is_signed_by_path();
        let refused = refused.filter(|_| !is_vital)?;
        Some(RestError::CircuitOpen { refused })
    }

    async fn acquire_ticket(
        &self,
        call: &RestRequest,
        place: QueuePosition,
        deadline: Instant,
    ) -> Result<QueueTicket<'_>, RestError> {
        let shared = &*self.0;
        let bucket_id = RateLimitBucket {
            route: format!("{} {}", call.method, call.route.template()),
            major: call.route.major_parameter(),
            counts_globally: !call.route.is_signed_by_path(),
        };
        lock(&shared.queue).enqueue(place, bucket_id);
        let seat = QueueTicket { shared, place };
        loop {
            if let Some(objection) = self.find_objection(call) {
                return Err(objection);
            }
            let queue_changed = shared.queue_changed.notified();
            let now = Instant::now();
            let until = match seat.check_turn(now) {
                SendTime::Now => return Ok(seat),
                SendTime::At(time) => time,
                SendTime::AfterAnother => deadline,
            };
            if now >= deadline || until > deadline {
                return Err(RestError::RateLimited {
                    retry_after: until - now,
                });
            }
            tokio::select! {
                () = queue_changed => {}
                () = sleep_until(until) => {}
            }
        }
    }

    async fn attempt_request(
        &self,
        call: &RestRequest,
        seat: &QueueTicket<'_>,
        deadline: Instant,
    ) -> ResponseVerdict {
        let shared = &*self.0;
        let answer = match shared
            .transport
            .send_request(call, &shared.pace, deadline)
            .await
        {
            Ok(answer) => answer,
            Err(error) => return ResponseVerdict::Refused(error),
        };
        let now = Instant::now();
        if !answer.status.is_server_error() && answer.status != StatusCode::TOO_MANY_REQUESTS {
            lock(&shared.queue).record_rate_limit(seat.place, answer.rate_limit_headers(), now);
        }
        let mut verdict = answer.to_verdict(&shared.token);
        match &mut verdict {
            ResponseVerdict::Limited {
                wait, everywhere, ..
            } => {
                let waits = (shared.pace.first_wait, shared.pace.longest_wait);
                let mut queue = lock(&shared.queue);
                match *wait {
                    Some(wait) => queue.close_bucket(seat.place, *everywhere, now + wait),
                    None => *wait = Some(queue.back_off_bucket(seat.place, waits, now)),
                }
                tracing::debug!(route = %call.route, everywhere, "Discord asks to wait {wait:?}");
            }
            ResponseVerdict::Refused(RestError::Unauthorized) if call.route.is_signed_by_path() => {
                let detail = "the interaction has expired".to_owned();
                return ResponseVerdict::Refused(RestError::NotFound {
                    code: 0,
                    said: detail,
                });
            }
            ResponseVerdict::Refused(error @ RestError::Unauthorized) => {
                shared.token_is_wrong.store(true, Ordering::Relaxed);
                tracing::error!("{error}");
            }
            ResponseVerdict::Refused(error) => self.record_refusal(call, error),
            ResponseVerdict::Done(_) => self.record_success(call),
        }
        let shared_bucket = matches!(verdict, ResponseVerdict::Limited { shared: true, .. });
        if matches!(answer.status.as_u16(), 401 | 403 | 429) && !shared_bucket {
            self.count_refusal(now);
        }
        verdict
    }

    fn record_refusal(&self, call: &RestRequest, error: &RestError) {
        let Some((spot, ability)) = call.route.required_ability(&call.method) else {
            return;
        };
        let (ability, now) = (call.trial_ability.unwrap_or(ability), Instant::now());
        let off = lock(&self.0.disabled_abilities).record_refusal(
            spot,
            ability,
            error,
            (&self.0.pace, now),
        );
        // That each is deleted by itself then is no reason to give the bot more than it asks for.
        if let Some(off) = off.filter(|off| *off != DiscordAbility::DeleteMany) {
            let (what, permission) = off.labels();
            let place = match spot {
                AbilityPlace::Channel(id) => format!("channel {id}"),
                AbilityPlace::Guild(id) => format!("server {id}"),
            };
            let cure = match error.is_out_of_sight() {
                true => String::new(),
                false => format!(": give it the permission \"{permission}\""),
            };
            tracing::warn!(
                place,
                "Discord does not let it {what} there ({error}), so that is only tried again when the permissions there \
                 change, somebody speaks to it, or minutes have passed{cure}"
            );
        }
    }

    fn record_success(&self, call: &RestRequest) {
        let Some((spot, ability)) = call.route.required_ability(&call.method) else {
            return;
        };
        let mut off = lock(&self.0.disabled_abilities);
        call.trial_ability
            .into_iter()
            .chain([ability])
            .for_each(|ability| off.record_success(spot, ability));
    }

    fn count_refusal(&self, now: Instant) {
        let mut refusals = lock(&self.0.refusals);
        if refusals.count(&self.0.pace, now)
            && let Some(refused) = refusals.update_breaker(&self.0.pace, now)
        {
            tracing::error!("{}", RestError::CircuitOpen { refused });
        }
    }
}

/// A place in the queue, waiting or on its way; given back when it is dropped, also by who gives up waiting.
struct QueueTicket<'a> {
    shared: &'a RestClientState,
    place: QueuePosition,
}

impl QueueTicket<'_> {
    /// How it stands with this place; wakes others who may go.
    fn check_turn(&self, now: Instant) -> SendTime {
        let mut queue = lock(&self.shared.queue);
        let (others, mine) = queue.dispatch(self.place, now);
        if others > 0 {
            self.shared.queue_changed.notify_waiters();
        }
        if queue.is_in_flight(self.place) {
            SendTime::Now
        } else {
            mine
        }
    }
}

impl Drop for QueueTicket<'_> {
    fn drop(&mut self) {
        lock(&self.shared.queue).release_position(self.place);
        self.shared.queue_changed.notify_waiters();
    }
}

/// How long to wait before try number `tries + 1`, half of it by chance so that many requests do not come back at once.
fn compute_retry_wait(pace: &RequestPacing, tries: u32, place: u64) -> Duration {
    let wait = compute_back_off(pace.first_wait, tries.saturating_sub(1), pace.longest_wait);
    apply_jitter(wait, clock::now().unsigned_abs() ^ place)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
