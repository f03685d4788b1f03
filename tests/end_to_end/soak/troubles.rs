//! What goes wrong in a soak, and how it is mended.

use std::time::Duration;

use super::driver::Soak;
use super::plan::Trouble;
use super::record::TimeSpan;
use crate::discord::fake_discord::{Chaos, ConnectionPolicy, LinkFault};
use crate::discord::storm::faults::draw_link_fault;

use rand::RngExt;

const MINUTE: i64 = 60_000;
/// The longest that the companion waits for a model that hangs.
const HANGS: Duration = Duration::from_secs(3);
/// How long it may take to be there again after a link was mended.
const BACK: Duration = Duration::from_secs(20);

impl Soak {
    pub(super) async fn breaks(&mut self, trouble: Trouble) {
        let fake = &self.test.fake;
        self.links = self.count_links();
        match trouble {
            Trouble::BrokenLink => fake.break_links(draw_link_fault(&mut self.chance)),
            Trouble::NoGateway => {
                fake.door(ConnectionPolicy::Refused);
                fake.break_links(LinkFault::Drop);
            }
            Trouble::NoRest => fake.rest_door(ConnectionPolicy::Refused),
            Trouble::FailingRest => fake.chaos(Some(Chaos::storm(self.chance.random()))),
            Trouble::FailingModel(status) => self.parrot.fails(Some(status)),
            Trouble::HangingModel => self.parrot.fails(Some(0)),
            Trouble::WrongClock(minutes) => self.set_clock(minutes),
            Trouble::FullDisk => {
                if let Some(disk) = &self.disk {
                    disk.fills();
                    self.is_disk_full = true;
                }
            }
            Trouble::Killed => {
                self.test.kith.kill();
                self.kills.push(self.time.now());
            }
        }
    }

    pub(super) async fn mends(&mut self, trouble: Trouble) {
        let fake = &self.test.fake;
        match trouble {
            // One that is frozen would be noticed only after two heartbeats.
            Trouble::BrokenLink if self.count_links() == self.links => {
                fake.break_links(LinkFault::Drop);
            }
            Trouble::BrokenLink => {}
            Trouble::NoGateway => fake.door(ConnectionPolicy::Open),
            Trouble::NoRest => fake.rest_door(ConnectionPolicy::Open),
            Trouble::FailingRest => fake.chaos(None),
            Trouble::FailingModel(_) => self.parrot.fails(None),
            Trouble::HangingModel => {
                // Whoever waits for it gives up by the real time.
                self.rests(HANGS).await;
                self.parrot.fails(None);
            }
            Trouble::WrongClock(_) => self.set_clock(0),
            Trouble::FullDisk => {
                if let Some(disk) = &self.disk {
                    disk.has_room();
                    self.is_disk_full = false;
                }
            }
            Trouble::Killed => self.test.kith.start(),
        }
        let is_link_lost = matches!(
            trouble,
            Trouble::BrokenLink | Trouble::NoGateway | Trouble::Killed
        );
        if is_link_lost {
            self.until_linked(self.links + 1).await;
        }
    }

    /// How many sessions were ever begun or resumed.
    pub(super) fn count_links(&self) -> usize {
        self.test.fake.world(|world| {
            let resumed = world.log.resumes.iter().filter(|resume| resume.granted);
            world.log.identifies.len() + resumed.count()
        })
    }

    fn set_clock(&mut self, minutes: i64) {
        let now = self.time.now();
        self.time.set_wrong(minutes * MINUTE);
        match minutes {
            0 => {
                if let Some(span) = self.wrong_clock.last_mut() {
                    // What was decided by the wrong time is said within minutes.
                    span.until = now + 20 * MINUTE;
                }
            }
            _ => self.wrong_clock.push(TimeSpan {
                from: now,
                until: i64::MAX,
            }),
        }
    }

    /// Waits until it has a link again, and so many in all.
    pub(super) async fn until_linked(&self, links: usize) {
        let begun = kith_system::clock::monotonic();
        while self.test.fake.connected() == 0 || self.count_links() < links {
            assert!(
                begun.elapsed() < BACK,
                "it never came back\n{}",
                self.test.log()
            );
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }
}
