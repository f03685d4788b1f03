//! Calls of tools that a person approves: proposed exactly as they will run, looked at once more when somebody approved
//! them, and run once: where the process ends meanwhile, not again.

use super::approvals::{Came, News};
use super::discord::speak::until_stored;
use super::{Daemon, Inner};
use crate::clock;
use crate::core::call::{Call, CallResult};
use crate::core::chat::{ChannelKind, GuildId, MINUTE, Millis, TurnId};
use crate::core::moderation::Obstacle;
use crate::core::policy::{Mode, Policy};
use crate::core::proposal::{ANSWERED, Proposal, State, Wanted};
use crate::core::proposed_call::{ProposedCall, numbers};
use crate::core::report::Hindrance;
use crate::core::shorten::shortened;
use crate::store::Store;
use crate::tools::{APPROVAL_MINUTES, ToolContext};
use crate::turn::Asks;

/// What was approved longer ago than this, before a stop, is not run any more.
const STALE: Millis = 10 * MINUTE;
/// The most characters of what a tool says it would do.
const PREVIEW: usize = 2_000;

impl Daemon {
    /// A call of a turn has to be approved by a person before it runs.
    pub(super) fn propose(&mut self, turn: TurnId, asks: Asks) {
        let asked = (turn, asks.call);
        match self.call_of(turn, asks) {
            Err(why) => self.call_done(asked, CallResult::error(why)),
            Ok(proposed) => match self.nobody_to_ask(&proposed) {
                Some(obstacle) => self.judged(asked, &Wanted::Call(Box::new(proposed)), Came::Refused(obstacle)),
                None => self.keep_call(asked, proposed),
            },
        }
    }

    /// What exactly is to be approved, or in a sentence for the model why nothing is.
    fn call_of(&self, turn: TurnId, asks: Asks) -> Result<ProposedCall, String> {
        let Asks { what, causes, preview, .. } = asks;
        let name = what.name;
        let gone = || format!("there is no tool `{name}`");
        let lane = self.turns.get(&turn).and_then(|running| self.core.lane(running.channel)).ok_or_else(gone)?;
        let preview =
            preview.map_err(|why| format!("{name} asks to be approved in a form that cannot be read: {why}"))?;
        let params = preview.params.unwrap_or(what.params);
        let tools = &lane.policy().tools;
        let spec = tools.iter().find(|spec| spec.name == name).ok_or_else(gone)?;
        let params = spec.schema.check(&params).map_err(|why| format!("{name}: {why}"))?;
        let timeline = lane.timeline();
        let line = |number| {
            let said = timeline.by_short(number)?;
            Some((number, (said.message.id, said.message.author.clone())))
        };
        let lines = numbers(&params).into_iter().filter_map(line).collect();
        Ok(ProposedCall {
            guild: lane.channel.guild.unwrap_or(GuildId(0)),
            channel: lane.channel.id,
            call: Call { name, params },
            preview: preview.preview.chars().take(PREVIEW).collect(),
            causes,
            lines,
        })
    }

    fn nobody_to_ask(&self, proposed: &ProposedCall) -> Option<Obstacle> {
        let lane = self.core.lane(proposed.channel)?;
        if lane.channel.kind == ChannelKind::Direct || lane.channel.guild.is_none() {
            return Some(Obstacle::Private);
        }
        let is_room = self.away.is_none();
        (!is_room && self.log_to_ask_in(proposed.guild).is_none()).then_some(Obstacle::NobodyToAsk)
    }

    fn keep_call(&self, asked: (TurnId, u32), proposed: ProposedCall) {
        let minutes =
            self.permissions.get(&proposed.call.name).map_or(APPROVAL_MINUTES, |known| known.approval_minutes);
        let wanted = Wanted::Call(Box::new(proposed));
        let proposal = Proposal::new(asked, wanted.clone(), clock::now(), minutes);
        let (kept, inner) = (self.store.put_proposal(proposal), self.inner.clone());
        tokio::spawn(async move {
            let came = match kept.await {
                Ok(Ok(proposal)) => Came::Waits(proposal),
                Ok(Err(obstacle)) => Came::Refused(obstacle),
                Err(error) => {
                    tracing::error!(%error, "what it wants done cannot be kept, so it is not done");
                    Came::Refused(Obstacle::Failed(Hindrance::Other))
                }
            };
            let _ = inner.send(Inner::Proposals(Box::new(News::Judged { asked, wanted, came }))).await;
        });
    }

    /// Runs a call that somebody approved, exactly as it was proposed.
    pub(super) fn run_approved(&mut self, proposal: Proposal) {
        let Wanted::Call(proposed) = &proposal.wanted else { return };
        let place = self.place_of(proposed.channel);
        let place = place.map(|channel| {
            let lane = self.core.lane(channel.id).map(|lane| lane.policy().clone());
            (lane.unwrap_or_else(|| self.policy(&channel).into()), channel)
        });
        let obstacle = place.as_ref().map_or(Some(Obstacle::SwitchedOff), |(policy, _)| {
            let is_late = clock::now() - proposal.decided.unwrap_or(proposal.made) > STALE;
            if is_late { Some(Obstacle::TooLate) } else { obstacle(proposed, policy) }
        });
        let (Some((policy, channel)), None) = (place, obstacle) else {
            return self.settle_call_of(proposal, obstacle.unwrap_or(Obstacle::SwitchedOff));
        };
        let (turn, causes) = (proposal.asked.0, proposed.causes.clone());
        let sessions = self.session_door(channel.id, turn);
        let context = ToolContext { turn, causes, sessions, approved: true, ..self.tool_context_in(&channel, &policy) };
        let running = self.registry.run(proposed.call.clone(), context);
        let (store, inner) = (self.store.clone(), self.inner.clone());
        tokio::spawn(async move {
            let Some(begun) = until_stored(|| store.run_proposal(proposal.id)).await else { return };
            let result = running.await;
            let (state, answered) = match &result {
                result if result.is_denied() => (State::Failed(Obstacle::NoAuthority), String::new()),
                result if result.is_error => (State::Failed(Obstacle::WentWrong), shortened(&result.content, ANSWERED)),
                result => (State::Done, shortened(&result.content, ANSWERED)),
            };
            let news = settled(&store, begun, state, answered).await;
            let _ = inner.send(Inner::Proposals(Box::new(news))).await;
        });
    }

    /// A call that somebody approved does not run, or nobody knows whether it did.
    pub(super) fn settle_call_of(&self, proposal: Proposal, obstacle: Obstacle) {
        let (store, inner) = (self.store.clone(), self.inner.clone());
        tokio::spawn(async move {
            let news = settled(&store, proposal, State::Failed(obstacle), String::new()).await;
            let _ = inner.send(Inner::Proposals(Box::new(news))).await;
        });
    }
}

/// What stands in the way of a call that was approved.
fn obstacle(proposed: &ProposedCall, policy: &Policy) -> Option<Obstacle> {
    let Some(spec) = policy.tools.iter().find(|spec| spec.name == proposed.call.name && policy.mode == Mode::On) else {
        return Some(Obstacle::SwitchedOff);
    };
    let is_as_approved = spec.schema.check(&proposed.call.params).is_ok_and(|params| params == proposed.call.params);
    (!is_as_approved).then_some(Obstacle::Changed)
}

async fn settled(store: &Store, proposal: Proposal, state: State, answered: String) -> News {
    let settled = until_stored(|| store.settle_proposal(proposal.id, state, answered.clone())).await;
    let is_known = settled.is_some();
    News::CarriedOut { state, proposal: settled.unwrap_or(proposal), is_known, told: None }
}
