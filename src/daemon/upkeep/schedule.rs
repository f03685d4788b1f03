//! When what is done by the clock is due, and whether the clock is believed.

use super::clock_trust::{ClockFinding, ClockTrust};
use super::regular_task::RegularTask;
use kith_core::chat::{Millis, SECOND};
use kith_store::{Store, StoreError, StoreReply};
use kith_system::clock;

/// Channel states are saved at most this often.
const SAVE_EVERY: Millis = SECOND;
const CHORES_EVERY: Millis = 15 * 60 * SECOND;
/// What could not be written anew when somebody was forgotten is tried again this often.
const REWRITE_EVERY: Millis = 15 * 60 * SECOND;
const PRUNE_EVERY: Millis = 6 * 60 * 60 * SECOND;

/// When what is done, and whether the clock it is done by is believed.
pub(in crate::daemon) struct Upkeep {
    save_at: Option<Millis>,
    prune: RegularTask,
    chores: RegularTask,
    rewrite: RegularTask,
    clock: ClockTrust,
    /// The correction of the machine's clock that was told, in milliseconds.
    told_correction: Millis,
}

impl Upkeep {
    pub async fn load(store: &Store, now: Millis) -> Result<Self, StoreError> {
        let (prune, chores) = (
            RegularTask::new(now, PRUNE_EVERY),
            RegularTask::new(now, CHORES_EVERY),
        );
        Ok(Self {
            save_at: None,
            prune,
            chores,
            rewrite: RegularTask::new(now, REWRITE_EVERY),
            clock: ClockTrust::load(store, now).await?,
            told_correction: 0,
        })
    }

    /// What comes first. A clock that was set back leaves nothing due later than from now on.
    pub fn next_due(&mut self, now: Millis) -> Millis {
        self.save_at = self.save_at.map(|at| at.min(now + SAVE_EVERY));
        let regular = self.prune.next_due(now).min(self.chores.next_due(now));
        let regular = regular.min(self.rewrite.next_due(now));
        self.save_at.map_or(regular, |at| at.min(regular))
    }

    pub fn are_chores_due(&mut self, now: Millis) -> bool {
        self.chores.is_due(now)
    }

    pub fn is_pruning_due(&mut self, now: Millis) -> bool {
        self.prune.is_due(now)
    }

    pub fn is_rewriting_due(&mut self, now: Millis) -> bool {
        self.rewrite.is_due(now)
    }

    /// Whether what changed is to be saved now. `is_wanted`: whether there is something to save.
    pub fn is_saving_due(&mut self, now: Millis, is_wanted: impl FnOnce() -> bool) -> bool {
        match self.save_at {
            None => {
                self.save_at = is_wanted().then_some(now + SAVE_EVERY);
                false
            }
            Some(at) if at <= now => {
                self.save_at = None;
                true
            }
            Some(_) => false,
        }
    }

    pub fn is_clock_trusted(&self) -> bool {
        self.clock.is_sure()
    }

    /// How far the machine's clock is behind, in milliseconds, where that is news.
    pub fn take_clock_correction(&mut self) -> Option<Millis> {
        let correction = clock::correction();
        (std::mem::replace(&mut self.told_correction, correction) != correction)
            .then_some(correction)
    }

    pub fn record_external_time(&mut self, newest: Option<Millis>) {
        self.clock.record_external_time(newest);
    }

    /// What is new about the clock, and what of it is kept over a restart.
    pub fn check_clock(
        &mut self,
        now: Millis,
        store: &Store,
    ) -> (Option<ClockFinding>, StoreReply<()>) {
        let finding = self.clock.check(now, clock::monotonic());
        (finding, self.clock.save(store))
    }
}
