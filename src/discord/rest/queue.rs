//! Who may ask Discord now and who waits: buckets of routes, the limit for all requests together, and who goes first.
//! Pure: time is handed in. A request waits for its own bucket only, never behind one that waits for another.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Duration;

use tokio::time::Instant;

use super::answer::RateLimitHeaders;
use super::call::RequestPriority;
use kith_core::back_off::compute_back_off;

/// Discord's limit for all requests together counts by this.
const SECOND: Duration = Duration::from_secs(1);
/// From this many on, buckets that hold nothing any more are dropped.
const MANY_BUCKETS: usize = 512;
/// Requests at once in a bucket nothing is known of.
const UNKNOWN_LIMIT: u32 = 1;

/// A place in the queue: the more important first, then who came first.
pub(super) type QueuePosition = (RequestPriority, u64);

/// What a request is counted under.
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

/// All requests that wait or are on their way.
#[derive(Debug)]
pub(super) struct RequestQueue {
    per_second: usize,
    last_number: u64,
    waiting: BTreeMap<QueuePosition, RateLimitBucket>,
    in_flight: HashMap<QueuePosition, (RateLimitBucket, Key)>,
    /// The bucket's name and limit, by route.
    known_limits: HashMap<String, (String, u32)>,
    buckets: HashMap<Key, Bucket>,
    /// When the last requests left.
    sent_at: VecDeque<Instant>,
    closed_until: Option<Instant>,
}

/// When a request may go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SendTime {
    /// It is on its way.
    Now,
    /// Not before this.
    At(Instant),
    /// When one that is on its way has come back.
    AfterAnother,
}

impl RequestQueue {
    /// At most `per_second` requests in any second.
    pub fn new(per_second: usize) -> Self {
        Self {
            per_second: per_second.max(2),
            last_number: 0,
            waiting: BTreeMap::new(),
            in_flight: HashMap::new(),
            known_limits: HashMap::new(),
            buckets: HashMap::new(),
            sent_at: VecDeque::new(),
            closed_until: None,
        }
    }

    /// A new place, to be entered once or again and again.
    pub fn place(&mut self, priority: RequestPriority) -> QueuePosition {
        self.last_number += 1;
        (priority, self.last_number)
    }

    /// Waits at this place.
    pub fn enqueue(&mut self, place: QueuePosition, bucket_id: RateLimitBucket) {
        self.waiting.insert(place, bucket_id);
    }

    /// Lets everybody go who may; answers how many others than `place` went, and how it stands with `place`. Who only
    /// waits for the limit of all requests looks at nobody else, so that many who wait cost little.
    pub fn dispatch(&mut self, place: QueuePosition, now: Instant) -> (usize, SendTime) {
        while self
            .sent_at
            .front()
            .is_some_and(|left| *left + SECOND <= now)
        {
            self.sent_at.pop_front();
        }
        let counts = self
            .waiting
            .get(&place)
            .is_some_and(|bucket_id| bucket_id.counts_globally);
        if let Some(until) = self.find_global_wait_end(place.0, now).filter(|_| counts) {
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

    /// Whether a place is on its way.
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
            self.closed_until = self.closed_until.max(Some(until));
            return;
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

    /// Until when the limit for all requests together lets nobody of this priority go.
    fn find_global_wait_end(&self, priority: RequestPriority, now: Instant) -> Option<Instant> {
        if let Some(until) = self.closed_until.filter(|until| *until > now) {
            return Some(until);
        }
        let most = if priority == RequestPriority::Background {
            self.per_second / 2
        } else {
            self.per_second
        };
        let left = self
            .sent_at
            .len()
            .checked_sub(most)
            .and_then(|index| self.sent_at.get(index))?;
        Some(*left + SECOND)
    }

    fn try_start(&mut self, place: QueuePosition, now: Instant) -> SendTime {
        let Some(bucket_id) = self.waiting.get(&place) else {
            return SendTime::Now;
        };
        if let Some(until) = self
            .find_global_wait_end(place.0, now)
            .filter(|_| bucket_id.counts_globally)
        {
            return SendTime::At(until);
        }
        let (bucket_id, key) = (bucket_id.clone(), self.find_key(bucket_id));
        let go = self.check_capacity(&bucket_id, &key, now);
        if go == SendTime::Now {
            self.start_request(place, bucket_id, key, now);
        }
        go
    }

    /// Whether there is room in a bucket.
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
        if bucket_id.counts_globally {
            self.sent_at.push_back(now);
        }
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
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(3600);

    struct Desk {
        queue: RequestQueue,
        now: Instant,
    }

    impl Desk {
        fn new(per_second: usize) -> Self {
            Self {
                queue: RequestQueue::new(per_second),
                now: Instant::now(),
            }
        }

        fn ask(
            &mut self,
            priority: RequestPriority,
            route: &str,
            major: &str,
        ) -> (QueuePosition, SendTime) {
            let place = self.queue.place(priority);
            self.queue.enqueue(
                place,
                RateLimitBucket {
                    route: route.into(),
                    major: major.into(),
                    counts_globally: true,
                },
            );
            (place, self.queue.dispatch(place, self.now).1)
        }

        fn speak(&mut self, route: &str, major: &str) -> (QueuePosition, SendTime) {
            self.ask(RequestPriority::Speech, route, major)
        }

        fn answered(
            &mut self,
            place: QueuePosition,
            bucket: &str,
            limit: u32,
            remaining: u32,
            seconds: u64,
        ) {
            let reset_after = Duration::from_secs(seconds);
            let rates = RateLimitHeaders {
                bucket: bucket.into(),
                limit,
                remaining,
                reset_after,
            };
            self.queue.record_rate_limit(place, Some(rates), self.now);
            self.queue.release_position(place);
        }

        fn go(&mut self, place: QueuePosition) -> SendTime {
            self.queue.dispatch(place, self.now).1
        }
    }

    #[test]
    fn of_an_unknown_route_one_goes_at_a_time_and_then_the_headers_decide() {
        let mut desk = Desk::new(50);
        let (first, _) = desk.speak("POST send", "1");
        let (second, waits) = desk.speak("POST send", "1");
        assert_eq!(waits, SendTime::AfterAnother);
        desk.answered(first, "b", 3, 2, 5);
        assert_eq!(desk.go(second), SendTime::Now);
        assert_eq!(desk.speak("POST send", "1").1, SendTime::Now);
        let ends = desk.now + Duration::from_secs(5);
        assert_eq!(desk.speak("POST send", "1").1, SendTime::At(ends));
        assert_eq!(
            desk.speak("POST send", "2").1,
            SendTime::Now,
            "another channel has a bucket of its own"
        );
        assert_eq!(
            desk.speak("GET x", "1").1,
            SendTime::Now,
            "so has another route"
        );
    }

    #[test]
    fn routes_of_one_bucket_share_it() {
        let mut desk = Desk::new(50);
        let (first, _) = desk.speak("PUT reaction", "1");
        desk.answered(first, "b", 1, 0, 5);
        let (other, _) = desk.speak("DELETE reaction", "2");
        desk.answered(other, "b", 1, 0, 5);
        assert_ne!(desk.speak("DELETE reaction", "1").1, SendTime::Now);
        desk.now += Duration::from_secs(5);
        assert_eq!(desk.speak("PUT reaction", "3").1, SendTime::Now);
    }

    #[test]
    fn a_window_that_is_over_is_full_again() {
        let mut desk = Desk::new(50);
        let (first, _) = desk.speak("a", "1");
        desk.answered(first, "b", 2, 0, 5);
        let (waits, go) = desk.speak("a", "1");
        let SendTime::At(until) = go else {
            panic!("{go:?}")
        };
        desk.now = until;
        assert_eq!(desk.go(waits), SendTime::Now);
    }

    #[test]
    fn who_is_refused_for_haste_waits_and_nobody_else_does() {
        let mut desk = Desk::new(50);
        let (place, _) = desk.speak("a", "1");
        let until = desk.now + LONG;
        desk.queue.close_bucket(place, false, until);
        desk.queue.release_position(place);
        assert_eq!(desk.speak("a", "1").1, SendTime::At(until));
        let (place, other) = desk.speak("a", "2");
        assert_eq!(other, SendTime::Now);
        desk.queue.close_bucket(place, true, until);
        assert_eq!(
            desk.speak("b", "3").1,
            SendTime::At(until),
            "a global refusal closes everything"
        );
    }

    #[test]
    fn no_second_sees_more_than_its_share_and_speech_goes_first() {
        let mut desk = Desk::new(4);
        let majors = ["1", "2", "3", "4", "5"].map(str::to_owned);
        let ask = |desk: &mut Desk, priority| {
            majors
                .iter()
                .map(|major| desk.ask(priority, "a", major).1)
                .collect()
        };
        let go: Vec<SendTime> = ask(&mut desk, RequestPriority::Background);
        assert_eq!(
            go.iter().filter(|go| **go == SendTime::Now).count(),
            2,
            "the log channel has half of it: {go:?}"
        );
        let go: Vec<SendTime> = ask(&mut desk, RequestPriority::Speech);
        assert_eq!(
            go.iter().filter(|go| **go == SendTime::Now).count(),
            2,
            "{go:?}"
        );
        let (last, waits) = desk.speak("b", "9");
        assert_eq!(waits, SendTime::At(desk.now + SECOND));
        desk.now += SECOND;
        assert_eq!(
            desk.go(last),
            SendTime::Now,
            "three that speak wait, and go before the log channel"
        );
    }

    #[test]
    fn who_gives_up_leaves_no_trace() {
        let mut desk = Desk::new(50);
        let (first, _) = desk.speak("a", "1");
        let (second, _) = desk.speak("a", "1");
        desk.queue.release_position(first);
        desk.queue.release_position(second);
        assert_eq!(desk.speak("a", "1").1, SendTime::Now);
        assert!(desk.queue.waiting.is_empty());
    }

    #[test]
    fn a_route_without_limits_has_none() {
        let mut desk = Desk::new(50);
        let (first, _) = desk.speak("a", "");
        desk.queue.record_rate_limit(first, None, desk.now);
        desk.queue.release_position(first);
        assert_eq!(
            (desk.speak("a", "").1, desk.speak("a", "").1),
            (SendTime::Now, SendTime::Now)
        );
    }

    #[test]
    fn buckets_do_not_pile_up() {
        let mut desk = Desk::new(50);
        for channel in 0..5_000 {
            desk.now += SECOND;
            let (place, _) = desk.speak("a", &channel.to_string());
            desk.answered(place, "b", 5, 4, 1);
        }
        assert!(desk.queue.buckets.len() <= MANY_BUCKETS);
    }
}
