//! What a round's prompt needs from the store, gathered in a task of its own while the fixed part is measured.

use std::sync::Arc;
use std::time::Duration;

use super::loop_message::LoopMessage;
use super::prompt_event::{FetchedPictures, PromptEvent};
use super::sessions::background::load_session_background;
use super::state::Daemon;
use kith_agent::turn_tasks;
use kith_core::RenderInputs;
use kith_core::channel::ChannelState;
use kith_core::chat::{ChannelId, TurnId, UserId};
use kith_core::plan::{Plan, TODO};
use kith_core::policy::ChannelPolicy;
use kith_core::session::SessionBackground;
use kith_memory::{
    Memory, MemoryScope, ProfileQuestion, RecallContext, RecallSources, find_speakers,
};
use kith_room::LiveEvent;
use kith_store::{Store, StoreError, StoreReply};
use kith_system::clock;

/// How long the store may take to give what a prompt needs.
const GATHER_LIMIT: Duration = Duration::from_secs(10);

struct MemoryQuery {
    memory: Memory,
    store: Store,
    scope: MemoryScope,
    sources: RecallSources,
    /// Who has a line in view.
    speakers: Vec<UserId>,
    moment: RecallContext,
    policy: Arc<ChannelPolicy>,
}

impl MemoryQuery {
    /// Whatever cannot be read, the prompt goes without it.
    async fn run(self) -> RenderInputs {
        let channel = self.sources.here;
        // Asked at once, so that the store reads one after the other without a pause.
        let has_list = self.policy.tools.iter().any(|tool| tool.name == TODO);
        let intentions = self.store.find_intentions(channel);
        let summary = self.store.summary(channel);
        let todos = has_list.then(|| self.store.load_todos(channel));
        let newest: Vec<&str> = self.moment.cues.iter().map(|cue| &*cue.text).collect();
        let profiles = ProfileQuestion {
            speakers: self.speakers,
            newest: &newest,
            now: clock::now(),
        };
        let (core_memory, recalled, people, expressions) = tokio::join!(
            self.memory
                .load_core_memory(self.scope, &self.policy.persona),
            self.memory.recall_for_prompt(&self.sources, &self.moment),
            self.memory.load_profiles(&self.sources.channels, profiles),
            self.memory.find_group_expressions(channel, clock::now()),
        );
        let plan = match todos {
            Some(todos) => {
                let list = or_default(todos.await, "its list of what is to be done");
                Plan::parse(&list).unwrap_or_default()
            }
            None => Plan::default(),
        };
        let summary = or_default(summary.await, "what was summed up");
        let begins_after = self.sources.begins_after;
        RenderInputs {
            core_memory: or_default(core_memory, "core memory"),
            recalled,
            people,
            intentions: or_default(intentions.await, "what is waited for"),
            plan,
            expressions: or_default(expressions, "how the group talks"),
            summary: summary.filter(|summary| summary.is_shown(begins_after)),
            ..RenderInputs::default()
        }
    }
}

/// What could not be read is left out, and the log says so.
fn or_default<T: Default>(read: Result<T, StoreError>, what: &str) -> T {
    read.unwrap_or_else(|error| {
        tracing::warn!(%error, "a prompt goes without {what}");
        T::default()
    })
}

impl Daemon {
    /// First half of a round: what its prompt needs from the store. Waits while it is not known which model answers.
    pub(super) fn gather_prompt_inputs(&mut self, turn: TurnId, channel: ChannelId, ask: u32) {
        if self.model_calls.hold((turn, channel, ask)) || !self.is_asking(turn, channel, ask) {
            return;
        }
        let counted = self.announce_turn(turn, channel);
        let Some(query) = self
            .core
            .channel_state(channel)
            .map(|channel_state| self.build_memory_query(turn, channel_state))
        else {
            return;
        };
        self.ensure_running_turn(turn, channel);
        let fetching = self.fetch_pictures(turn, channel);
        let background = self.load_background(turn, channel, query.sources.channels.to_vec());
        let fixed = self.measure_fixed_tokens(channel);
        let gathering = async move {
            let (inputs, pictures, fixed_tokens, ()) = tokio::join!(
                query.run(),
                fetching,
                fixed,
                wait_until_counted(counted, turn)
            );
            let inputs = RenderInputs {
                fixed_tokens,
                ..inputs
            };
            (inputs, pictures)
        };
        let loop_sender = self.loop_sender.clone();
        let task = tokio::spawn(async move {
            // It may have to be summed up first, which takes what it takes.
            let session = background.await;
            let gathered: Result<(RenderInputs, FetchedPictures), String> =
                turn_tasks::run_with_limit(GATHER_LIMIT, "gathering a prompt", gathering).await;
            let inputs =
                gathered.map(|(inputs, fetched)| (RenderInputs { session, ..inputs }, fetched));
            let event = PromptEvent::InputsGathered {
                turn,
                channel,
                ask,
                inputs,
            };
            let _ = loop_sender.send(LoopMessage::Prompt(Box::new(event))).await;
        });
        self.ensure_running_turn(turn, channel)
            .tasks
            .push(task.abort_handle());
    }

    /// Counts a turn for good before a model is asked: after a crash it neither speaks first twice nor crashes again.
    fn announce_turn(&mut self, turn: TurnId, channel: ChannelId) -> Option<StoreReply<()>> {
        if self.turns.contains_key(&turn) {
            return None;
        }
        let running = self.core.channel_state(channel)?.turn.as_ref()?;
        let (wake, at) = (running.wake().clone(), clock::now());
        let counted = self.save_channel_state(channel, at);
        self.send_live_event(LiveEvent::TurnStarted {
            turn,
            channel,
            at,
            wake,
        });
        counted
    }

    fn build_memory_query(&self, turn: TurnId, channel_state: &ChannelState) -> MemoryQuery {
        let (channel, policy) = (&channel_state.channel, channel_state.policy());
        MemoryQuery {
            memory: self.memory.clone(),
            store: self.store.clone(),
            scope: MemoryScope::from_channel(channel.id, self.find_public_guild(channel)),
            sources: RecallSources {
                here: channel.id,
                channels: self.tool_host.find_readable_channels(channel.id),
                shown_from: channel_state.first_shown_message(),
                begins_after: channel_state.state().begins_after,
            },
            speakers: find_speakers(channel_state.timeline()),
            moment: RecallContext {
                turn,
                cues: channel_state.recall_cues(clock::now()),
                names: policy.names.clone(),
            },
            policy: policy.clone(),
        }
    }

    fn load_background(
        &self,
        turn: TurnId,
        channel: ChannelId,
        readable: Vec<ChannelId>,
    ) -> impl Future<Output = SessionBackground> + use<> {
        let has_session = self.sessions.find_by_channel(channel).is_some();
        let (store, loop_sender) = (self.store.clone(), self.loop_sender.clone());
        async move {
            if !has_session {
                return SessionBackground::default();
            }
            let loading = load_session_background(&store, &loop_sender, (channel, turn), &readable);
            or_default(loading.await, "its session")
        }
    }

    /// How large the fixed part of a channel's prompt is, in estimated tokens.
    fn measure_fixed_tokens(&self, channel: ChannelId) -> impl Future<Output = u32> + use<> {
        let (prompts, estimator) = (self.prompts.clone(), self.core.estimator);
        let policy = self
            .core
            .channel_state(channel)
            .map(|channel_state| channel_state.policy().clone());
        async move {
            policy
                .and_then(|policy| {
                    prompts
                        .estimate_fixed_tokens(&policy, &policy.tools, &estimator)
                        .ok()
                })
                .unwrap_or_default()
        }
    }
}

async fn wait_until_counted(counted: Option<StoreReply<()>>, turn: TurnId) {
    if let Some(counted) = counted
        && let Err(error) = counted.await
    {
        tracing::warn!(%error, %turn, "it is not on disk that this turn began: if it ends the process, that will not count");
    }
}
