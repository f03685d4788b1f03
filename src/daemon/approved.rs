//! Calls of tools that a person approves: proposed exactly as they will run, looked at once more when somebody approved
//! them, and run once: where the process ends meanwhile, not again.

use super::approvals::{Came, News};
use super::discord::speak::until_stored;
use super::{Daemon, Inner};
use crate::clock;
use crate::core::bilingual::{Bilingual, bilingual};
use crate::core::call::{Call, CallResult};
use crate::core::chat::{Author, ChannelKind, GuildId, MINUTE, MessageId, Millis, TurnId};
use crate::core::moderation::Obstacle;
use crate::core::policy::{Mode, Policy};
use crate::core::proposal::{ANSWERED, Proposal, State, Wanted};
use crate::core::proposed_call::ProposedCall;
use crate::core::report::Hindrance;
use crate::core::shorten::shortened;
use crate::store::Store;
use crate::tools::{APPROVAL_MINUTES, Line, Lines, ToolContext};
use crate::turn::Asks;

/// What was approved longer ago than this, before a stop, is not run any more.
const STALE: Millis = 10 * MINUTE;
/// The most characters of what a tool says it would do.
const PREVIEW: usize = 2_000;

impl Daemon {
    /// A call of a turn has to be approved by a person before it runs.
    pub(super) fn propose(&mut self, turn: TurnId, asks: Asks) {
        let asked = (turn, asks.call);
        let channel = self.core.channel_of(turn);
        let language = channel.map(|channel| self.language_in(channel)).unwrap_or_default();
        let proposed = match self.call_of(turn, asks) {
            Ok(proposed) => proposed,
            Err(why) => {
                return {
                    let why = why.read_in(language);
                    self.call_done(asked, CallResult::error(why))
                };
            }
        };
        let nobody = self.nobody_to_ask(&proposed);
        let minutes =
            self.permissions.get(&proposed.call.name).map_or(APPROVAL_MINUTES, |known| known.approval_minutes);
        let proposal = Proposal::new(asked, Wanted::Call(Box::new(proposed)), clock::now(), minutes);
        match nobody.or_else(|| (!self.is_shown_whole(&proposal)).then_some(Obstacle::TooLong)) {
            Some(obstacle) => self.judged(asked, &proposal.wanted, Came::Refused(obstacle)),
            None => self.keep_call(proposal),
        }
    }

    /// What exactly is to be approved, or in a sentence for the model why nothing is.
    fn call_of(&self, turn: TurnId, asks: Asks) -> Result<ProposedCall, Bilingual> {
        let Asks { what, causes, lines, preview, .. } = asks;
        let name = what.name;
        let gone = || bilingual!("there is no tool `{name}`", "没有工具 `{name}`");
        let lane = self.turns.get(&turn).and_then(|running| self.core.lane(running.channel)).ok_or_else(gone)?;
        let preview = preview.map_err(|why| {
            bilingual!(
                "{name} asks to be approved in a form that cannot be read: {why}",
                "{name} 请求批准的内容读不出来"
            )
        })?;
        if preview.preview.chars().count() > PREVIEW {
            return Err(bilingual!(
                "{name} tells what it would do in more than {PREVIEW} characters, so nobody is asked",
                "{name} 的说明超过 {PREVIEW} 字，所以没有去问人"
            ));
        }
        let params = preview.params.unwrap_or(what.params);
        let tools = &lane.policy().tools;
        let spec = tools.iter().find(|spec| spec.name == name).ok_or_else(gone)?;
        let params = spec.schema.check(&params).map_err(|why| format!("{name}: {why}"))?;
        let call = Call { name, params };
        let lines = lines.meant_by(&call);
        Ok(ProposedCall {
            guild: lane.channel.guild.unwrap_or(GuildId(0)),
            channel: lane.channel.id,
            definition: self.registry.definition(&call.name).to_owned(),
            call,
            preview: preview.preview,
            causes,
            lines: lines.iter().map(|line| (line.number, (line.message, line.author.clone()))).collect(),
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

    fn keep_call(&self, proposal: Proposal) {
        let (asked, wanted) = (proposal.asked, proposal.wanted.clone());
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
            if is_late { Some(Obstacle::TooLate) } else { self.obstacle(proposed, policy) }
        });
        let (Some((policy, channel)), None) = (place, obstacle) else {
            return self.settle_call_of(proposal, obstacle.unwrap_or(Obstacle::SwitchedOff));
        };
        let (turn, sessions) = (proposal.asked.0, self.session_door(channel.id, proposal.asked.0));
        let context = ToolContext {
            turn,
            causes: proposed.causes.clone(),
            lines: lines_of(proposed),
            sessions,
            approved: Some(proposal.id),
            ..self.tool_context_in(&channel, &policy)
        };
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

    /// What stands in the way of a call that was approved.
    fn obstacle(&self, proposed: &ProposedCall, policy: &Policy) -> Option<Obstacle> {
        let call = &proposed.call;
        let Some(spec) = policy.tools.iter().find(|spec| spec.name == call.name && policy.mode == Mode::On) else {
            return Some(Obstacle::SwitchedOff);
        };
        let takes_it = spec.schema.check(&call.params).is_ok_and(|params| params == call.params);
        let is_as_approved = takes_it && self.registry.definition(&call.name) == proposed.definition;
        (!is_as_approved).then_some(Obstacle::Changed)
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

/// The lines it was asked for with: by now their numbers may be others'.
fn lines_of(proposed: &ProposedCall) -> Lines {
    let line = |(number, (message, author)): (&u16, &(MessageId, Author))| Line {
        number: *number,
        message: *message,
        author: author.clone(),
    };
    let mut lines: Vec<Line> = proposed.lines.iter().map(line).collect();
    lines.sort_unstable_by_key(|line| line.message);
    Lines::new(lines)
}

async fn settled(store: &Store, proposal: Proposal, state: State, answered: String) -> News {
    let settled = until_stored(|| store.settle_proposal(proposal.id, state, answered.clone())).await;
    let is_known = settled.is_some();
    News::CarriedOut { state, proposal: settled.unwrap_or(proposal), is_known, told: None }
}
