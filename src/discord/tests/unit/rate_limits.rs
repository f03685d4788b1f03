//! What the queue of requests promises, in simulated time.

use super::*;

const LONG: Duration = Duration::from_secs(3600);
const SECOND: Duration = Duration::from_secs(1);

struct SimulatedQueue {
    queue: RequestQueue,
    now: Instant,
}

impl SimulatedQueue {
    fn new(per_second: usize) -> Self {
        Self {
            queue: RequestQueue::new(RequestAllowance::new(per_second)),
            now: Instant::now(),
        }
    }

    fn ask(
        &mut self,
        priority: RequestPriority,
        route: &str,
        major: &str,
    ) -> (QueuePosition, SendTime) {
        let place = self.queue.create_position(priority);
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

    fn receive_answer(
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

    fn retry(&mut self, place: QueuePosition) -> SendTime {
        self.queue.dispatch(place, self.now).1
    }
}

#[test]
fn of_an_unknown_route_one_goes_at_a_time_and_then_the_headers_decide() {
    let mut simulation = SimulatedQueue::new(50);
    let (first, _) = simulation.speak("POST send", "1");
    let (second, waits) = simulation.speak("POST send", "1");
    assert_eq!(waits, SendTime::AfterAnother);
    simulation.receive_answer(first, "b", 3, 2, 5);
    assert_eq!(simulation.retry(second), SendTime::Now);
    assert_eq!(simulation.speak("POST send", "1").1, SendTime::Now);
    let ends = simulation.now + Duration::from_secs(5);
    assert_eq!(simulation.speak("POST send", "1").1, SendTime::At(ends));
    assert_eq!(
        simulation.speak("POST send", "2").1,
        SendTime::Now,
        "another channel has a bucket of its own"
    );
    assert_eq!(
        simulation.speak("GET x", "1").1,
        SendTime::Now,
        "so has another route"
    );
}

#[test]
fn routes_of_one_bucket_share_it() {
    let mut simulation = SimulatedQueue::new(50);
    let (first, _) = simulation.speak("PUT reaction", "1");
    simulation.receive_answer(first, "b", 1, 0, 5);
    let (other, _) = simulation.speak("DELETE reaction", "2");
    simulation.receive_answer(other, "b", 1, 0, 5);
    assert_ne!(simulation.speak("DELETE reaction", "1").1, SendTime::Now);
    simulation.now += Duration::from_secs(5);
    assert_eq!(simulation.speak("PUT reaction", "3").1, SendTime::Now);
}

#[test]
fn a_window_that_is_over_is_full_again() {
    let mut simulation = SimulatedQueue::new(50);
    let (first, _) = simulation.speak("a", "1");
    simulation.receive_answer(first, "b", 2, 0, 5);
    let (waits, go) = simulation.speak("a", "1");
    let SendTime::At(until) = go else {
        panic!("{go:?}")
    };
    simulation.now = until;
    assert_eq!(simulation.retry(waits), SendTime::Now);
}

#[test]
fn who_is_refused_for_haste_waits_and_nobody_else_does() {
    let mut simulation = SimulatedQueue::new(50);
    let (place, _) = simulation.speak("a", "1");
    let until = simulation.now + LONG;
    simulation.queue.close_bucket(place, false, until);
    simulation.queue.release_position(place);
    assert_eq!(simulation.speak("a", "1").1, SendTime::At(until));
    let (place, other) = simulation.speak("a", "2");
    assert_eq!(other, SendTime::Now);
    simulation.queue.close_bucket(place, true, until);
    assert_eq!(
        simulation.speak("b", "3").1,
        SendTime::At(until),
        "a global refusal closes everything"
    );
}

#[test]
fn no_second_sees_more_than_its_share_and_speech_goes_first() {
    let mut simulation = SimulatedQueue::new(4);
    let majors = ["1", "2", "3", "4", "5"].map(str::to_owned);
    let ask = |simulation: &mut SimulatedQueue, priority| {
        majors
            .iter()
            .map(|major| simulation.ask(priority, "a", major).1)
            .collect()
    };
    let go: Vec<SendTime> = ask(&mut simulation, RequestPriority::Background);
    assert_eq!(
        go.iter().filter(|go| **go == SendTime::Now).count(),
        2,
        "the log channel has half of it: {go:?}"
    );
    let go: Vec<SendTime> = ask(&mut simulation, RequestPriority::Speech);
    assert_eq!(
        go.iter().filter(|go| **go == SendTime::Now).count(),
        2,
        "{go:?}"
    );
    let (last, waits) = simulation.speak("b", "9");
    assert_eq!(waits, SendTime::At(simulation.now + SECOND));
    simulation.now += SECOND;
    assert_eq!(
        simulation.retry(last),
        SendTime::Now,
        "three that speak wait, and go before the log channel"
    );
}

#[test]
fn who_gives_up_leaves_no_trace() {
    let mut simulation = SimulatedQueue::new(50);
    let (first, _) = simulation.speak("a", "1");
    let (second, _) = simulation.speak("a", "1");
    simulation.queue.release_position(first);
    simulation.queue.release_position(second);
    assert_eq!(simulation.speak("a", "1").1, SendTime::Now);
    assert!(simulation.queue.waiting.is_empty());
}

#[test]
fn a_route_without_limits_has_none() {
    let mut simulation = SimulatedQueue::new(50);
    let (first, _) = simulation.speak("a", "");
    simulation
        .queue
        .record_rate_limit(first, None, simulation.now);
    simulation.queue.release_position(first);
    assert_eq!(
        (simulation.speak("a", "").1, simulation.speak("a", "").1),
        (SendTime::Now, SendTime::Now)
    );
}

#[test]
fn buckets_do_not_pile_up() {
    let mut simulation = SimulatedQueue::new(50);
    for channel in 0..5_000 {
        simulation.now += SECOND;
        let (place, _) = simulation.speak("a", &channel.to_string());
        simulation.receive_answer(place, "b", 5, 4, 1);
    }
    assert!(simulation.queue.buckets.len() <= MANY_BUCKETS);
}

#[test]
fn queues_that_share_an_allowance_count_together_and_a_busy_one_has_what_another_leaves() {
    let allowance = RequestAllowance::new(4);
    let mut queues = [allowance.clone(), allowance.clone()].map(|allowance| SimulatedQueue {
        queue: RequestQueue::new(allowance),
        now: Instant::now(),
    });
    queues[1].now = queues[0].now;
    let mut speak = |queue: usize, channel: &str| queues[queue].speak("say", channel).1;
    assert_eq!(speak(0, "1"), SendTime::Now);
    assert_eq!(
        ["2", "3", "4"].map(|channel| speak(1, channel)),
        [SendTime::Now; 3]
    );
    assert!(matches!(speak(0, "5"), SendTime::At(_)));
    // Who waits goes first.
    allowance.set_per_second(6);
    assert_eq!(speak(0, "6"), SendTime::Now);
    assert!(matches!(speak(1, "7"), SendTime::At(_)));
}
