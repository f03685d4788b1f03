//! What breaks in a storm, and when it is mended.

use super::*;

/// One of the ways in which links of the gateway break.
pub fn draw_link_fault(chance: &mut ChaCha8Rng) -> LinkFault {
    let codes = [
        None,
        Some(1000),
        Some(1001),
        Some(4000),
        Some(4001),
        Some(4008),
    ];
    match chance.random_range(0..43) {
        0..10 => LinkFault::Drop,
        10..20 => LinkFault::Close(codes[chance.random_range(0..codes.len())]),
        20..24 => LinkFault::Reconnect,
        24..28 => LinkFault::Invalidate { resumable: true },
        28..36 => LinkFault::Invalidate { resumable: false },
        36..40 => LinkFault::Close(Some(4009)),
        40..42 => LinkFault::Freeze,
        _ => LinkFault::NoAcks,
    }
}

impl Storm {
    /// Mends what has been broken long enough, and perhaps breaks something else.
    pub(super) fn break_something(&mut self) {
        let fake = &self.test.fake;
        if self.opens.is_some_and(|at| at <= self.step) {
            self.opens = None;
            fake.door(ConnectionPolicy::Open);
        }
        if self.reached.is_some_and(|at| at <= self.step) {
            self.reached = None;
            fake.rest_door(ConnectionPolicy::Open);
        }
        if !self.is_made_to_wait && self.texts.len() > self.size.messages as usize / 3 {
            self.is_made_to_wait = true;
            fake.fault(
                &format!("POST /channels/{GENERAL}/messages"),
                Fault::RouteLimit(LONGER_THAN_ANYBODY_WAITS),
            );
        }
        if self.draw_fault() {
            self.faults += 1;
        }
    }

    /// Breaks one thing or none, by chance.
    fn draw_fault(&mut self) -> bool {
        let fake = &self.test.fake;
        let is_gust = (self.step / GUST).is_multiple_of(2);
        let count = self.chance.random_range(2..5);
        let draw = self.chance.random_range(0..1000);
        match draw {
            0..60 if !is_gust => return false,
            0..43 => fake.break_links(draw_link_fault(&mut self.chance)),
            43..47 => {
                fake.forget_sessions();
                fake.break_links(LinkFault::Drop);
            }
            47..52 => {
                let doors = [
                    ConnectionPolicy::Refused,
                    ConnectionPolicy::Slammed,
                    ConnectionPolicy::Closing(None),
                    ConnectionPolicy::Closing(Some(4000)),
                ];
                fake.door(doors[self.chance.random_range(0..doors.len())]);
                fake.break_links(LinkFault::Drop);
                self.opens = Some(self.step + self.chance.random_range(2..15));
            }
            52..56 => fake.keep_for_resume(if count == 2 { 3 } else { 10_000 }),
            56..60 => fake.faults("GET /channels/*/messages", Fault::Status(503), 12),
            60..64 => fake.fault("POST /channels/*/messages", Fault::DoneBut504),
            64..66 => fake.fault("POST /channels/*/messages", Fault::DoneButDrop),
            66..68 => fake.faults(
                "POST /channels/*/messages",
                Fault::Untold429 { page: count == 2 },
                count,
            ),
            68..70 => fake.faults("POST /channels/*/messages", Fault::Refused(50_013), 2),
            130..135 if self.reached.is_none() => {
                fake.rest_door(if count == 2 {
                    ConnectionPolicy::Slammed
                } else {
                    ConnectionPolicy::Refused
                });
                self.reached = Some(self.step + self.chance.random_range(20..200));
            }
            70..100 => fake.duplicate_next(count),
            100..130 if self.reordered + APART / 2 < self.step => {
                self.reordered = self.step;
                fake.reorder_next(count);
            }
            _ => return false,
        }
        true
    }

    pub(super) fn kills(&mut self) {
        self.test.kith.kill();
        self.kills += 1;
        if self.chance.random_bool(0.5) {
            // As if it had been away for long: Discord knows its nonces no more.
            self.test.fake.world(|world| {
                let messages = world
                    .channels
                    .values_mut()
                    .flat_map(|channel| channel.messages.values_mut());
                messages.for_each(|message| message.nonce = None);
            });
        }
    }
}
