//! What waits for a moderator's click: asked in a log channel, carried out or dropped when somebody decides, given up when
//! nobody does, and told to the companion. What a stop left open is taken up again.

use std::time::Duration;

use super::super::{Daemon, Inner};
use super::moderation::{self, Came, Rules};
use crate::clock;
use crate::core::call::CallResult;
use crate::core::chat::{Channel, ChannelId, MessageId, Millis, ProposalId, TurnId, UserId};
use crate::core::event::{Event, TurnEvent};
use crate::core::moderation::{Act, Obstacle};
use crate::core::persona::Language;
use crate::core::proposal::{Proposal, State, doing};
use crate::core::report::Hindrance;
use crate::observe::card::{self, Quote, Readers, Telling};
use crate::platform::discord::Question;
use crate::store::Pending;
use crate::turn::tasks;

/// How long judging and doing may take, all tries included.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

/// What the daemon's own tasks tell of proposals.
pub(in crate::daemon) enum News {
    /// A deed that a turn asked for was judged.
    Judged { asked: (TurnId, u32), act: Act, came: Came },
    /// A deed was done, or could not be; with the turn and the call that wait for it, if they do.
    CarriedOut { state: State, proposal: Proposal, is_known: bool, told: Option<(TurnId, u32)> },
    /// Nobody decided on these in time.
    Expired(Vec<Proposal>),
    /// A card was posted for one that was settled meanwhile.
    Carded(Proposal),
    /// These were open when it stopped.
    Open(Vec<Proposal>),
}

impl Daemon {
    /// A turn asks for a deed.
    pub(in crate::daemon) fn moderate(&self, turn: TurnId, call: u32, act: Act, causes: Vec<UserId>) {
        let moderation = self.core.lane(act.channel).map(|lane| lane.policy().moderation.clone()).unwrap_or_default();
        let rules = Rules { moderation, has_log: self.log_to_ask_in(&act).is_some(), causes };
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
            let _ = inner.send(Inner::Proposals(Box::new(News::Judged { asked, act, came }))).await;
        });
    }

    pub(in crate::daemon) fn news_of_proposals(&mut self, news: News) {
        match news {
            News::Judged { asked, act, came } => self.judged(asked, &act, came),
            News::CarriedOut { state, proposal, is_known, told } => self.carried_out(state, &proposal, is_known, told),
            News::Expired(all) => all.iter().for_each(|proposal| self.came_out(proposal)),
            News::Carded(proposal) => self.show_decided(&proposal),
            News::Open(all) => all.into_iter().for_each(|proposal| self.take_up(proposal)),
        }
    }

    fn judged(&mut self, asked: (TurnId, u32), act: &Act, came: Came) {
        let language = self.language_in(act.channel);
        let result = match came {
            Came::Runs(proposal) => return self.carry_out(proposal, Some(asked), false),
            Came::Waits(proposal) => {
                self.ask_moderators(&proposal, false);
                let what = doing(act, language);
                CallResult::pending(language.pick(
                    format!(
                        "not done yet: a moderator has to approve that you {what}; you will be told what comes of it"
                    ),
                    format!("还没有执行：{what}需要管理成员批准；结果会告诉你"),
                ))
            }
            Came::Refused(obstacle) => self.not_done(act, obstacle),
        };
        self.call_done(asked, result);
    }

    fn not_done(&self, act: &Act, obstacle: Obstacle) -> CallResult {
        let language = self.language_in(act.channel);
        self.log_not_done(act, obstacle);
        let why = obstacle.told(language);
        CallResult::error(language.pick(format!("not done: {why}"), format!("没有执行：{why}")))
    }

    fn call_done(&mut self, (turn, call): (TurnId, u32), result: CallResult) {
        self.handle(Event::Turn { turn, event: TurnEvent::CallDone { call, result } });
    }

    /// Asks in the log channel whether it may be done; looks first whether that is asked already.
    fn ask_moderators(&mut self, proposal: &Proposal, before: bool) {
        let act = &proposal.act;
        let (Some(log), Some(channel)) = (self.log_to_ask_in(act), self.channel_of_act(act)) else { return };
        let card = self.card_of(proposal, &channel);
        let Some(away) = &mut self.away else { return };
        away.waiting.insert(proposal.id, proposal.expires);
        let (id, about, guild, until) = (proposal.id, act.user, act.guild, proposal.expires);
        let before = before.then(|| away.discord.me());
        away.discord.log().ask(log, Question { id, about, guild, card, until }, before);
    }

    /// Somebody has just decided.
    pub(super) fn decided_on(&mut self, proposal: Proposal) {
        if let Some(away) = &mut self.away {
            away.waiting.remove(&proposal.id);
        }
        match proposal.state {
            State::Approved => self.carry_out(proposal, None, false),
            _ => self.came_out(&proposal),
        }
    }

    fn carry_out(&mut self, proposal: Proposal, told: Option<(TurnId, u32)>, again: bool) {
        let Some(away) = &self.away else { return };
        let (discord, store, inner) = (away.discord.clone(), self.store.clone(), self.inner.clone());
        tokio::spawn(async move {
            let doing = moderation::carry_out(&discord, &store, &proposal, again);
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

    fn carried_out(&mut self, state: State, proposal: &Proposal, is_known: bool, told: Option<(TurnId, u32)>) {
        let act = &proposal.act;
        tracing::info!(guild = %act.guild, deed = act.deed.name(), done = state == State::Done, "moderation");
        match (told, state) {
            (Some(asked), State::Failed(obstacle)) => {
                let result = self.not_done(act, obstacle);
                self.call_done(asked, result);
            }
            (Some(asked), _) => {
                let language = self.language_in(act.channel);
                let what = doing(act, language);
                self.call_done(
                    asked,
                    CallResult::ok(language.pick(format!("done: {what}"), format!("已执行：{what}"))),
                );
            }
            (None, _) if is_known => self.came_out(proposal),
            // Somebody in it was forgotten.
            (None, _) => {}
        }
    }

    /// It is settled: the card says so, and the companion is told.
    fn came_out(&mut self, proposal: &Proposal) {
        self.show_decided(proposal);
        if let Some(away) = &mut self.away {
            away.waiting.remove(&proposal.id);
        }
        self.tell_outcome(proposal);
    }

    /// What came of it stands in the channel's next prompt, once. A channel at rest reads it from the store when it wakes.
    fn tell_outcome(&mut self, proposal: &Proposal) {
        let channel = proposal.act.channel;
        let (Some(away), Some(lane)) = (&mut self.away, self.core.lane(channel)) else { return };
        if away.untold.insert(proposal.id, channel).is_none() {
            let what = proposal.outcome(lane.policy().persona.language);
            self.handle(Event::Outcome { channel, what });
        }
    }

    /// The card of a proposal says what was decided.
    pub(super) fn show_decided(&self, proposal: &Proposal) {
        let channel = self.channel_of_act(&proposal.act);
        let (Some(away), Some(channel), Some(card)) = (&self.away, channel, proposal.card) else { return };
        if proposal.state.is_settled() {
            away.discord.log().answered(card, proposal.act.guild, self.card_of(proposal, &channel));
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

    /// When the time of the next proposal is over, once every guild is there to be told.
    pub(in crate::daemon) fn next_expiry(&self) -> Option<Millis> {
        self.away.as_ref().filter(|away| away.is_complete)?.waiting.values().min().copied()
    }

    /// Gives up what nobody decided on in time.
    pub(in crate::daemon) fn expire_proposals(&mut self, now: Millis) {
        if self.next_expiry().is_none_or(|next| next > now) {
            return;
        }
        let Some(away) = &mut self.away else { return };
        away.waiting.retain(|_, expires| *expires > now);
        let lost = "what nobody decided on in time stays open until a restart";
        self.hear_of(self.store.expire_proposals(now), News::Expired, lost);
    }

    /// All guilds have come: what a stop left open goes on.
    pub(super) fn take_up_proposals(&self) {
        let lost = "what was approved before the stop is not carried out";
        self.hear_of(self.store.open_proposals(), News::Open, lost);
    }

    /// The loop hears what the store tells of proposals; where it does not, the log says what is `lost`.
    fn hear_of(&self, told: Pending<Vec<Proposal>>, news: fn(Vec<Proposal>) -> News, lost: &'static str) {
        let inner = self.inner.clone();
        tokio::spawn(async move {
            match told.await {
                Ok(all) => {
                    let _ = inner.send(Inner::Proposals(Box::new(news(all)))).await;
                }
                Err(error) => tracing::error!(%error, "{lost}"),
            }
        });
    }

    fn take_up(&mut self, proposal: Proposal) {
        let is_asked = self.away.as_ref().is_some_and(|away| away.waiting.contains_key(&proposal.id));
        match proposal.state {
            // What was decided on since it started is under way.
            State::Approved if self.is_earlier(proposal.decided) => self.carry_out(proposal, None, true),
            State::Waiting if proposal.card.is_none() && is_asked && self.is_earlier(Some(proposal.made)) => {
                self.ask_moderators(&proposal, true);
            }
            _ => {}
        }
    }

    fn is_earlier(&self, at: Option<Millis>) -> bool {
        self.away.as_ref().is_some_and(|away| at.is_none_or(|at| at < away.started))
    }

    /// What came of proposals before a restart is told with the channel's next prompt.
    pub(in crate::daemon) async fn bring_back_outcomes(&mut self, channel: ChannelId) {
        let untold = self.store.untold_proposals(channel).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "what came of proposals is not told");
            Vec::new()
        });
        untold.iter().for_each(|proposal| self.tell_outcome(proposal));
    }

    /// A prompt of a channel is on its way: what came of proposals there stands in it.
    pub(in crate::daemon) fn told_outcomes(&mut self, channel: ChannelId) {
        let Some(away) = &mut self.away else { return };
        let before = away.untold.len();
        away.untold.retain(|_, place| *place != channel);
        if away.untold.len() < before {
            let told = self.store.told_of_proposals(channel);
            tokio::spawn(async move {
                if let Err(error) = told.await {
                    tracing::warn!(%error, "what came of proposals is told once more after a restart");
                }
            });
        }
    }

    /// Where somebody is asked: the guild's own log channel, else the host's.
    fn log_to_ask_in(&self, act: &Act) -> Option<ChannelId> {
        self.settings.log_channel(act.guild).or(self.settings.discord.log.channel)
    }

    fn channel_of_act(&self, act: &Act) -> Option<Channel> {
        let lane = self.core.lane(act.channel).map(|lane| lane.channel.clone());
        lane.or_else(|| Some(self.away.as_ref()?.directory().channels.get(&act.channel)?.channel.clone()))
    }

    fn card_of(&self, proposal: &Proposal, channel: &Channel) -> card::Card {
        let own = self.settings.log_channel(proposal.act.guild).is_some();
        let name = self.guild_name(channel.guild).filter(|_| !own);
        let readers = if own { Readers::Guild } else { Readers::Host };
        let (guild, language) = (name.as_deref(), self.settings.language.unwrap_or_default());
        card::of_proposal(proposal, &Telling { channel, guild, readers, quote: Quote::Shown, language })
    }

    /// The language the companion thinks in.
    pub(in crate::daemon) fn language_in(&self, channel: ChannelId) -> Language {
        self.core.lane(channel).map(|lane| lane.policy().persona.language).unwrap_or_default()
    }
}
