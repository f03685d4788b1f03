//! What is erased on request: people, places, what is old; and what is kept of a person, for who wants to know.

use serde_json::Value;

use crate::append::AppendOutcome;
use crate::connection_threads::JobKind;
use crate::db::Database;
use crate::erase::{AttachedText, erase_attached};
use crate::export::export;
use crate::forget::unfinished::ForgettingStep;
use crate::forget::unremembered::forget_unremembered;
use crate::forget::{ForgetResult, finish, forget};
use crate::handle::{Store, StoreReply};
use crate::leavers::target::ForgetTarget;
use crate::place_erasure::{erase_channel, erase_rows};
use crate::prune::prune;
use crate::write_ahead_log::empty_log;
use kith_core::chat::{ChannelId, GuildId, Millis, UserId};
use kith_core::manual_override::OverrideScope;

impl Store {
    /// Empties the write-ahead log now, so that it holds no erased text any more. Happens by itself a few
    /// seconds after each deletion.
    pub fn scrub(&self) -> StoreReply<()> {
        self.write_as(JobKind::Upkeep, empty_log)
    }

    /// Takes the texts of files that are gone out of whatever repeats them.
    pub fn erase_attached(
        &self,
        mut texts: Vec<AttachedText>,
        at: Millis,
    ) -> StoreReply<AppendOutcome> {
        self.write(move |db| {
            let erasure = erase_attached(db, &mut texts, at)?;
            Ok(AppendOutcome {
                reworded: erasure.reworded,
                erased: erasure.erased,
                ..AppendOutcome::default()
            })
        })
    }

    /// Erases a person, in these channels or everywhere: what they wrote (for good: nothing brings it back, also not what comes
    /// late), their reactions, their direct messages whole, every word of the turns that may have been shown any of it, what
    /// the companion remembers of them, and their name and words in its own lines. In other people's lines a call of them
    /// (`@Name`) becomes `@someone`; more is not changed there, for it is others who said it.
    ///
    /// When it answers no file holds any of it; on a server whose tables somebody else reads just then it does so later
    /// ([`Store::finish_rewriting`]). What they write after `at` is kept like anybody's. A wish of theirs
    /// stays: it names nobody.
    ///
    /// # Errors
    /// Part of it may be done; asked again it does the rest, and so does [`Store::finish_forgetting`]. With no room for a second
    /// copy of the database on the disk all is erased, but unused pages may still hold some of it.
    pub fn forget_person(
        &self,
        user: UserId,
        channels: Option<Vec<ChannelId>>,
        at: Millis,
    ) -> StoreReply<ForgetResult> {
        self.run_in_steps(move |store| {
            // A failure may have cut one off: what it was about to do is known by nothing else.
            let (_, reworded) = finish(store, |step| step.may_concern(user))?;
            let target = ForgetTarget::new(user, channels, &store.channels().wait()?);
            Ok(forget(store, &target, at)?.after(reworded))
        })
    }

    /// Finishes the forgetting of people that a failure or the end of the process cut off; answers how many there were. To
    /// be asked at the start, before anything is read that may still be of them.
    ///
    /// # Errors
    /// Part of it may be done; asked again it does the rest.
    pub fn finish_forgetting(&self) -> StoreReply<usize> {
        self.run_in_steps(|store| Ok(finish(store, |_| true)?.0))
    }

    /// Writes anew what could not be when somebody was forgotten, for somebody else was reading it. To be asked now and then.
    ///
    /// # Errors
    /// Asked again it does the rest.
    pub fn finish_rewriting(&self) -> StoreReply<()> {
        self.run_in_steps(|store| {
            finish(store, |step| matches!(step, ForgettingStep::Rewrite)).map(drop)
        })
    }

    /// Erases what was written before `before` by people who wish not to be remembered, as thoroughly as if they had
    /// deleted it themselves; with it go the lines of core memory that name or quote them, and their words in what the
    /// companion said. Takes a bounded number at a time and answers with what went: call it until that is no message.
    pub fn forget_unremembered(&self, before: Millis) -> StoreReply<ForgetResult> {
        self.run_in_steps(move |store| forget_unremembered(store, before))
    }

    /// Erases channels, of a `guild` how far it was heard, and what the companion and its tools remember of these places
    /// as a whole. In many commits, so that nobody waits long behind it.
    ///
    /// # Errors
    /// Part of it may be done; asked again it does the rest.
    pub fn erase_places(
        &self,
        channels: Vec<ChannelId>,
        guild: Option<GuildId>,
        at: Millis,
    ) -> StoreReply<()> {
        self.run_in_steps(move |store| {
            channels
                .iter()
                .try_for_each(|channel| erase_channel(store, *channel, at))?;
            let Some(guild) = guild else {
                return Ok(());
            };
            let small = move |db: &mut Database| erase_rows(db, OverrideScope::Guild(guild), at);
            store.write(small).wait()
        })
    }

    /// Removes what is older than `before`: messages with their words, reactions and decisions, turns and finished
    /// deliveries. Tombstones stay for good: they hold ids only, and an import may bring anything old. Takes a bounded number
    /// at a time and answers how many messages and turns went: call it until it answers 0.
    pub fn prune(&self, before: Millis) -> StoreReply<usize> {
        self.write(move |db| prune(db, before))
    }

    /// Everything that is kept about a person, in these channels or everywhere: their names and wish, what they wrote
    /// with what was thought of it, their reactions, where they were mentioned, what is remembered of them, what the
    /// companion summed up, means to do or waits for that is about them, what it wanted done about them, and what they
    /// set by hand. Times are UTC.
    pub fn export_person(
        &self,
        user: UserId,
        channels: Option<Vec<ChannelId>>,
    ) -> StoreReply<Value> {
        self.run_in_steps(move |store| {
            let known = store.channels().wait()?;
            export(store, ForgetTarget::new(user, channels, &known), known)
        })
    }
}
