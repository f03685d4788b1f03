//! Who may ask Discord now and who waits: buckets of routes, the limit for all requests together, and who goes first.
//! Pure: time is handed in; `client.rs` asks, and asks again. A request waits for its own bucket only, never behind one that waits for another.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use tokio::time::Instant;

use super::allowance::RequestAllowance;
use super::request::RequestPriority;
use super::response::RateLimitHeaders;
use kith_core::back_off::compute_back_off;

/// From this many on, buckets that hold nothing any more are dropped.
const MANY_BUCKETS: usize = 512;
/// Requests at once in a bucket nothing is known of.
const UNKNOWN_LIMIT: u32 = 1;

/// A place in the queue: the more important first, then who came first.
pub(super) type QueuePosition = (RequestPriority, u64);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct RateLimitBucket {
    /// Method and path without ids.
    pub route: String,
    /// The channel, guild or webhook.
    pub major: String,
    /// Whether it counts into the limit for all requests.
    pub counts_globally: bool,
}

/// A bucket's name and the major parameter.
type Key = (String, String);

#[derive(Clone, Copy, Debug)]
struct Bucket {
    remaining: u32,
    /// When the window ends; none before the first answer in it.
    ends: Option<Instant>,
    in_flight: u32,
    /// Refusals for haste in a row that named no time.
    untimed_refusals: u32,
}

#[derive(Debug)]
pub(super) struct RequestQueue {
    allowance: RequestAllowance,
    last_number: u64,
    waiting: BTreeMap<QueuePosition, RateLimitBucket>,
    in_flight: HashMap<QueuePosition, (RateLimitBucket, Key)>,
    known_limits: HashMap<String, (String, u32)>,
    buckets: HashMap<Key, Bucket>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SendTime {
    /// It is on its way.
    Now,
    At(Instant),
    /// When one that is on its way has come back.
    AfterAnother,
}

impl RequestQueue {
    /// All requests together keep to an allowance, which others may share.
    pub fn new(allowance: RequestAllowance) -> Self {
        Self {
            allowance,
            last_number: 0,
            waiting: BTreeMap::new(),
            in_flight: HashMap::new(),
            known_limits: HashMap::new(),
            buckets: HashMap::new(),
        }
    }

    /// A new place, to be entered once or again and again.
    pub fn create_position(&mut self, priority: RequestPriority) -> QueuePosition {
        self.last_number += 1;
        (priority, self.last_number)
    }

    pub fn enqueue(&mut self, place: QueuePosition, bucket_id: RateLimitBucket) {
        self.waiting.insert(place, bucket_id);
    }

    /// Lets everybody go who may; answers how many others than `place` went, and how it stands with `place`. Who only
    /// waits for the limit of all requests looks at nobody else, so that many who wait cost little.
    pub fn dispatch(&mut self, place: QueuePosition, now: Instant) -> (usize, SendTime) {
        if let Some(until) = self.find_global_wait_end(place, now) {
            return (0, SendTime::At(until));
        }
        let (mut others, mut mine) = (0, SendTime::Now);
        let places: Vec<QueuePosition> = self.waiting.keys().copied().collect();
        for waiting in places {
            let go = self.try_start(waiting, now);
            if waiting == place {
                mine = go;
            } else if go == SendTime::Now {
                others += 1;
            }
        }
        (others, mine)
    }

    pub fn is_in_flight(&self, place: QueuePosition) -> bool {
        self.in_flight.contains_key(&place)
    }

    /// Learns what an answer says about the bucket a request on its way was counted in.
    pub fn record_rate_limit(
        &mut self,
        place: QueuePosition,
        rates: Option<RateLimitHeaders>,
        now: Instant,
    ) {
        let Some((bucket_id, key)) = self.in_flight.get(&place) else {
            return;
        };
        self.buckets
            .entry(key.clone())
            .and_modify(|bucket| bucket.untimed_refusals = 0);
        let Some(rates) = rates else {
            // Without a limit anybody told of there is none.
            self.known_limits
                .entry(bucket_id.route.clone())
                .or_insert_with(|| (bucket_id.route.clone(), u32::MAX));
            return;
        };
        let named = (rates.bucket.clone(), bucket_id.major.clone());
        self.known_limits
            .insert(bucket_id.route.clone(), (rates.bucket, rates.limit.max(1)));
        let left = rates.remaining;
        let bucket = self.buckets.entry(named);
        let bucket = bucket
            .and_modify(|bucket| bucket.remaining = bucket.remaining.min(left))
            .or_insert(Bucket::with_remaining(left));
        bucket.ends = Some(now + rates.reset_after);
    }

    /// The bucket of a request on its way, or everything, is closed for a while.
    pub fn close_bucket(&mut self, place: QueuePosition, everywhere: bool, until: Instant) {
        if everywhere {
            return self.allowance.close_until(until);
        }
        let Some((bucket_id, _)) = self.in_flight.get(&place) else {
            return;
        };
        let key = self.find_key(bucket_id);
        let bucket = self
            .buckets
            .entry(key)
            .or_insert(Bucket::with_remaining(UNKNOWN_LIMIT));
        bucket.remaining = 0;
        bucket.ends = bucket.ends.max(Some(until));
    }

    /// The bucket of a request on its way is closed though nobody says for how long: twice as long each time in a row.
    /// Answers for how long.
    pub fn back_off_bucket(
        &mut self,
        place: QueuePosition,
        (first, most): (Duration, Duration),
        now: Instant,
    ) -> Duration {
        let Some(key) = self
            .in_flight
            .get(&place)
            .map(|(bucket_id, _)| self.find_key(bucket_id))
        else {
            return first;
        };
        let untimed_refusals = self
            .buckets
            .get(&key)
            .map_or(0, |bucket| bucket.untimed_refusals);
        let wait = compute_back_off(first, untimed_refusals, most);
        self.close_bucket(place, false, now + wait);
        self.buckets
            .entry(key)
            .and_modify(|bucket| bucket.untimed_refusals = untimed_refusals + 1);
        wait
    }

    /// It came back, or nobody waits for it any more.
    pub fn release_position(&mut self, place: QueuePosition) {
        self.waiting.remove(&place);
        let Some((bucket_id, key)) = self.in_flight.remove(&place) else {
            return;
        };
        let limit = self.find_limit(&bucket_id);
        if let Some(bucket) = self.buckets.get_mut(&key) {
            bucket.in_flight = bucket.in_flight.saturating_sub(1);
            if bucket.ends.is_none() {
                bucket.remaining = limit.saturating_sub(bucket.in_flight);
            }
        }
    }

    fn find_key(&self, bucket_id: &RateLimitBucket) -> Key {
        let name = self
            .known_limits
            .get(&bucket_id.route)
            .map_or(&bucket_id.route, |(bucket, _)| bucket);
        (name.clone(), bucket_id.major.clone())
    }

    fn find_limit(&self, bucket_id: &RateLimitBucket) -> u32 {
        self.known_limits
            .get(&bucket_id.route)
            .map_or(UNKNOWN_LIMIT, |(_, limit)| *limit)
    }

    /// Until when the limit of all requests together keeps who waits at this place.
    fn find_global_wait_end(&self, place: QueuePosition, now: Instant) -> Option<Instant> {
        let counts = self.waiting.get(&place)?.counts_globally;
        let wait_end = || self.allowance.find_wait_end(place.0, now);
        counts.then(wait_end).flatten()
    }

    fn try_start(&mut self, place: QueuePosition, now: Instant) -> SendTime {
        if let Some(until) = self.find_global_wait_end(place, now) {
            return SendTime::At(until);
        }
        let Some(bucket_id) = self.waiting.get(&place) else {
            return SendTime::Now;
        };
        let (bucket_id, key) = (bucket_id.clone(), self.find_key(bucket_id));
        let go = self.check_capacity(&bucket_id, &key, now);
        if go != SendTime::Now {
            return go;
        }
        // Another queue may have been quicker.
        if bucket_id.counts_globally
            && let Err(until) = self.allowance.take(place.0, now)
        {
            return SendTime::At(until);
        }
        self.start_request(place, bucket_id, key, now);
        go
    }

    fn check_capacity(&mut self, bucket_id: &RateLimitBucket, key: &Key, now: Instant) -> SendTime {
        let limit = self.find_limit(bucket_id);
        let Some(bucket) = self.buckets.get_mut(key) else {
            return SendTime::Now;
        };
        if bucket.ends.is_some_and(|ends| ends <= now) {
            bucket.ends = None;
            bucket.remaining = limit.saturating_sub(bucket.in_flight);
        }
        match bucket.ends {
            _ if bucket.remaining > 0 => SendTime::Now,
            Some(ends) => SendTime::At(ends),
            None => SendTime::AfterAnother,
        }
    }

    fn start_request(
        &mut self,
        place: QueuePosition,
        bucket_id: RateLimitBucket,
        key: Key,
        now: Instant,
    ) {
        self.waiting.remove(&place);
        if self.buckets.len() >= MANY_BUCKETS {
            self.buckets.retain(|_, bucket| {
                bucket.in_flight > 0 || bucket.ends.is_some_and(|ends| ends > now)
            });
        }
        let limit = self.find_limit(&bucket_id);
        let bucket = self
            .buckets
            .entry(key.clone())
            .or_insert(Bucket::with_remaining(limit));
        bucket.remaining = bucket.remaining.saturating_sub(1);
        bucket.in_flight += 1;
        self.in_flight.insert(place, (bucket_id, key));
    }
}

impl Bucket {
    const fn with_remaining(remaining: u32) -> Self {
        Self {
            remaining,
            ends: None,
            in_flight: 0,
            untimed_refusals: 0,
        }
    }
}

#[cfg(test)]
#[path = "../tests/unit/rate_limits.rs"]
mod tests;
