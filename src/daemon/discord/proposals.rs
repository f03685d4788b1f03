//! What waits for a moderator's click on Discord: deeds are judged, asked about in a log channel and carried out here; the
//! cards of deeds and of calls say what was decided.

use std::time::Duration;

use super::super::approvals::{Came, News};
use super::super::{Daemon, Inner};
use super::moderation::{self, Rules};
use crate::clock;
use crate::core::chat::{Channel, ChannelId, GuildId, MessageId, ProposalId, TurnId, UserId};
use crate::core::moderation::{Act, Obstacle};
use crate::core::proposal::{Proposal, State, Wanted};
use crate::core::report::Hindrance;
use crate::observe::card::{self, Quote, Readers, Telling};
use crate::platform::discord::Question;
use crate::turn::tasks;

/// How long judging and doing may take, all tries included.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

impl Daemon {
    /// A turn asks for a deed.
    pub(in crate::daemon) fn moderate(&self, turn: TurnId, call: u32, act: Act, causes: Vec<UserId>) {
        let moderation = self.core.lane(act.channel).map(|lane| lane.policy().moderation.clone()).unwrap_or_default();
        let rules = Rules { moderation, has_log: self.log_to_ask_in(act.guild).is_some(), causes };
        let discord = self.away.as_ref().map(|away| away.discord.clone());
        let (store, inner) = (self.store.clone(), self.inner.clone());
        tokio::spawn(async move {
            let asked = (turn, call);
            let judging = async {
                match discord {
                    Some(discord) => moderation::judge(&discord, &store, &rules, asked, act.clone()).await,
                    None => Came::Refused(Obstacle::SwitchedOff),
                }
            };
            // Whatever happens, the turn hears of it.
            let came = tasks::within(PATIENCE, "judging a deed", judging).await.unwrap_or_else(|why| {
                tracing::error!("{why}");
                Came::Refused(Obstacle::Failed(Hindrance::NoAnswer))
            });
            let wanted = Wanted::Deed(act);
            let _ = inner.send(Inner::Proposals(Box::new(News::Judged { asked, wanted, came }))).await;
        });
    }

    /// Carries out a deed that was decided on. `again`: an earlier run may have done it.
    pub(in crate::daemon) fn do_deed(&mut self, proposal: Proposal, told: Option<(TurnId, u32)>, again: bool) {
        let (Some(away), Wanted::Deed(act)) = (&self.away, proposal.wanted.clone()) else { return };
        let (discord, store, inner) = (away.discord.clone(), self.store.clone(), self.inner.clone());
        tokio::spawn(async move {
            let doing = moderation::carry_out(&discord, &store, &proposal, &act, again);
            let done = tasks::within(PATIENCE, "a deed that was decided on", doing).await;
            let (state, settled) = done.unwrap_or_else(|why| {
                tracing::error!("{why}");
                (State::Failed(Obstacle::Failed(Hindrance::NoAnswer)), None)
            });
            let is_known = settled.is_some();
            let proposal = settled.unwrap_or(proposal);
            let news = News::CarriedOut { state, proposal, is_known, told };
            let _ = inner.send(Inner::Proposals(Box::new(news))).await;
        });
    }

    /// Asks in the log channel whether it may be done; looks first whether that is asked already.
    pub(in crate::daemon) fn ask_moderators(&self, proposal: &Proposal, before: bool) {
        let guild = proposal.wanted.guild();
        let (Some(log), Some(channel)) = (self.log_to_ask_in(guild), self.place_of(proposal.wanted.channel())) else {
            return;
        };
        let card = self.card_of(proposal, &channel);
        let Some(away) = &self.away else { return };
        let about = match &proposal.wanted {
            Wanted::Deed(act) => Some(act.user),
            Wanted::Call(_) => None,
        };
        let (id, until) = (proposal.id, proposal.expires);
        let before = before.then(|| away.discord.me());
        away.discord.log().ask(log, Question { id, about, guild, card, until }, before);
    }

    /// Whether the card in the log channel would show all of it.
    pub(in crate::daemon) fn is_shown_whole(&self, proposal: &Proposal) -> bool {
        let (Some(away), Some(channel)) = (&self.away, self.place_of(proposal.wanted.channel())) else { return true };
        away.discord.log().shows_whole(proposal.wanted.guild(), self.card_of(proposal, &channel))
    }

    /// The card of a proposal says what was decided.
    pub(in crate::daemon) fn show_decided(&self, proposal: &Proposal) {
        let channel = self.place_of(proposal.wanted.channel());
        let (Some(away), Some(channel), Some(card)) = (&self.away, channel, proposal.card) else { return };
        if proposal.state.is_settled() {
            away.discord.log().answered(card, proposal.wanted.guild(), self.card_of(proposal, &channel));
        }
    }

    /// A card stands in a log channel.
    pub(super) fn carded(&self, id: ProposalId, log: ChannelId, message: MessageId) {
        let Some(away) = &self.away else { return };
        let (store, inner, entries) = (self.store.clone(), self.inner.clone(), away.discord.log().clone());
        tokio::spawn(async move {
            match store.proposal_card(id, (log, message), clock::now()).await {
                Ok(None) => entries.delete(vec![(log, message)]),
                Ok(Some(proposal)) => {
                    let _ = inner.send(Inner::Proposals(Box::new(News::Carded(proposal)))).await;
                }
                Err(error) => tracing::error!(%error, "a card of a log channel is not on record and will not expire"),
            }
        });
    }

    /// Where somebody is asked: the guild's own log channel, else the host's.
    pub(in crate::daemon) fn log_to_ask_in(&self, guild: GuildId) -> Option<ChannelId> {
        self.settings.log_channel(guild).or(self.settings.discord.log.channel)
    }

    /// A channel that has a lane, or that Discord tells of.
    pub(in crate::daemon) fn place_of(&self, id: ChannelId) -> Option<Channel> {
        let lane = self.core.lane(id).map(|lane| lane.channel.clone());
        lane.or_else(|| self.away.as_ref()?.channel(id))
    }

    fn card_of(&self, proposal: &Proposal, channel: &Channel) -> card::Card {
        let own = self.settings.log_channel(proposal.wanted.guild()).is_some();
        let name = self.guild_name(channel.guild).filter(|_| !own);
        let readers = if own { Readers::Guild } else { Readers::Host };
        let (guild, language) = (name.as_deref(), self.settings.language.unwrap_or_default());
        card::of_proposal(proposal, &Telling { channel, guild, readers, quote: Quote::Shown, language })
    }
}
