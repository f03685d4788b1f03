//! A chat whose companion remembers: what is said is stored and heard, what is known of people is kept, and the prompt of
//! its next turn is gathered as the daemon gathers it.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use kith_agent::prompt::{PromptTemplates, RenderedPrompt};
use kith_core::chat::{
    Author, AuthorKind, Channel, ChannelId, ChannelKind, GuildId, Message, MessageId, Millis,
    SECOND, TurnId, UserId,
};
use kith_core::context::{PromptSections, TokenEstimator};
use kith_core::effect::Effect;
use kith_core::event::{ChatEvent, Event, TurnEvent};
use kith_core::memory_entry::{
    MemoryContent, MemoryDraft, MemoryKind, MemoryOrigin, MemoryOutcome,
};
use kith_core::partition::Partition;
use kith_core::persona::{Language, Persona};
use kith_core::policy::ChannelPolicy;
use kith_core::report::ModelFailure;
use kith_core::talkativeness::Talkativeness;
use kith_core::willingness::Weights;
use kith_core::{Core, CoreSetup, RenderInputs, RoundPrompt};
use kith_memory::{
    Memory, MemoryScope, ProfileQuestion, RecallContext, RecallSources, find_speakers,
};
use kith_store::{MemoryBatch, Store};
use kith_tools::{DEFAULT_TOOLS, ToolRegistry};

const ME: UserId = UserId(1);
const GUILD: GuildId = GuildId(8);
const CHANNEL: ChannelId = ChannelId(7);
/// How long who calls it may take to finish.
const LONGEST_WAIT: Millis = 30 * SECOND;

static PROMPTS: LazyLock<PromptTemplates> =
    LazyLock::new(|| PromptTemplates::load(None).expect("the shipped templates are good"));

/// The chat and who is in it.
pub struct PromptScene {
    core: Core,
    store: Store,
    memory: Memory,
    channel: Channel,
    policy: Arc<ChannelPolicy>,
    people: BTreeMap<String, Author>,
    said: Vec<Message>,
    /// The turn that waits for its model.
    asking: Option<TurnId>,
    pub now: Millis,
}

impl PromptScene {
    pub async fn new(language: Language, name: &str, now: Millis) -> Self {
        let persona: Persona = toml::from_str(match language {
            Language::EN => include_str!("../../../../persona/juno.toml"),
            _ => include_str!("../../../../persona/ayou.toml"),
        })
        .expect("a shipped persona is valid");
        let policy = Arc::new(ChannelPolicy {
            names: vec![persona.name.clone()],
            tools: ToolRegistry::load_builtin()
                .select(&[DEFAULT_TOOLS.to_owned()], language)
                .into(),
            persona: Arc::new(persona),
            talkativeness: Talkativeness::Hourly(0.0),
            ..ChannelPolicy::default()
        });
        let channel = Channel {
            id: CHANNEL,
            guild: Some(GUILD),
            name: name.into(),
            topic: "".into(),
            kind: ChannelKind::Group,
            parent: None,
        };
        let store = Store::open_in_memory().expect("opened");
        let known = vec![ChatEvent::Channel(channel.clone())];
        store.append(known).await.expect("stored");
        let mut core = new_core();
        core.handle_event(now, see_channel(&channel, &policy));
        Self {
            core,
            memory: Memory::new(store.clone()),
            store,
            channel,
            policy,
            people: BTreeMap::new(),
            said: Vec::new(),
            asking: None,
            now,
        }
    }

    pub fn person(&mut self, name: &str) -> Author {
        let id = UserId(100 + self.people.len() as u64);
        let person = || Author {
            id,
            name: name.into(),
            kind: AuthorKind::Person,
        };
        self.people
            .entry(name.to_owned())
            .or_insert_with(person)
            .clone()
    }

    /// Somebody says something; turns that it wakes end without a word.
    pub async fn says(&mut self, name: &str, text: &str) -> MessageId {
        let author = self.person(name);
        let id = self.post(author, text).await;
        while let Some(turn) = self.wait_for_turn(LONGEST_WAIT) {
            self.end_turn(turn);
        }
        id
    }

    /// The companion says something.
    pub async fn says_itself(&mut self, text: &str) -> MessageId {
        let author = Author {
            id: ME,
            name: self.policy.persona.name.as_str().into(),
            kind: AuthorKind::Companion,
        };
        self.post(author, text).await
    }

    /// It comes back after a stop: of what was said only the newest lines are in view, the rest it has to remember.
    pub fn restart(&mut self, lines_in_view: usize) {
        let state = self.core.channel_state(CHANNEL).expect("a channel");
        let saved = serde_json::to_string(state.state()).expect("numbers");
        let saved = serde_json::from_str(&saved).expect("what was saved can be read");
        let first = self.said.len().saturating_sub(lines_in_view);
        self.core = new_core();
        self.core.restore_channel(
            self.now,
            self.channel.clone(),
            self.policy.clone(),
            saved,
            Vec::new(),
            self.said[first..].to_vec(),
        );
    }

    /// Something is remembered of somebody, by their own word or by somebody else's.
    pub async fn remembers(
        &mut self,
        kind: MemoryKind,
        about: &str,
        text: &str,
        change: impl FnOnce(&mut MemoryContent),
    ) {
        let person = Some(self.person(about).id);
        let mut content = MemoryContent {
            person,
            said_by: person,
            text: text.into(),
            at: self.now,
            confidence: 0.8,
            importance: 0.6,
            ..MemoryContent::new(kind, CHANNEL, MemoryOrigin::Companion)
        };
        change(&mut content);
        let teller = content.said_by.or(person);
        let told = self
            .said
            .iter()
            .rev()
            .find(|said| Some(said.author.id) == teller);
        content.sources = told.map(|said| said.id).into_iter().collect();
        let batch = MemoryBatch {
            drafts: vec![MemoryDraft {
                content,
                supersedes: Vec::new(),
            }],
            begun: self.now,
            consolidated: None,
        };
        let outcomes = self.memory.remember(batch).await.expect("kept");
        assert!(
            matches!(outcomes[..], [MemoryOutcome::Kept(_)]),
            "{text}: {outcomes:?}"
        );
    }

    /// Somebody says something to it, and this is what the model is asked.
    pub async fn prompt_for(&mut self, name: &str, text: &str) -> RenderedPrompt {
        let author = self.person(name);
        self.post(author, text).await;
        let turn = self.wait_for_turn(LONGEST_WAIT).expect("it answers");
        let inputs = self.gather(turn).await;
        let round = self.build(turn, inputs);
        PROMPTS
            .render_round(&round.policy, &round.tools, round.kind, &round.sections)
            .expect("rendered")
    }

    /// The same as its sections, with and without what it knows of people.
    pub async fn sections_for(
        &mut self,
        name: &str,
        text: &str,
    ) -> Option<(PromptSections, PromptSections)> {
        let author = self.person(name);
        self.post(author, text).await;
        let turn = self.wait_for_turn(LONGEST_WAIT)?;
        let inputs = self.gather(turn).await;
        let strange = RenderInputs {
            people: Vec::new(),
            ..inputs.clone()
        };
        let known = self.build(turn, inputs).sections;
        let unknown = self.build(turn, strange).sections;
        self.end_turn(turn);
        Some((known, unknown))
    }

    async fn post(&mut self, author: Author, text: &str) -> MessageId {
        let id = MessageId(1_000 + self.said.len() as u64);
        let mut message = Message {
            id,
            channel: CHANNEL,
            arrival: 0,
            at: self.now,
            author,
            text: text.into(),
            reply_to: None,
            mentions: Vec::new(),
        };
        let stored = self
            .store
            .append(vec![ChatEvent::Message(message.clone())])
            .await
            .expect("stored");
        message.arrival = stored[0].arrival;
        self.said.push(message.clone());
        let event = Event::Chat(ChatEvent::Message(message));
        self.handle_event(event);
        id
    }

    fn handle_event(&mut self, event: Event) {
        let effects = self.core.handle_event(self.now, event);
        let asking = effects.iter().find_map(|effect| match effect {
            Effect::AskModel { turn, .. } => Some(*turn),
            _ => None,
        });
        self.asking = asking.or(self.asking);
    }

    /// Lets the time pass until a turn asks its model.
    fn wait_for_turn(&mut self, longest: Millis) -> Option<TurnId> {
        let end = self.now + longest;
        while self.asking.is_none() {
            let due = self.core.next_deadline().filter(|due| *due <= end)?;
            self.now = self.now.max(due);
            self.handle_event(Event::Tick);
        }
        self.asking.take()
    }

    fn end_turn(&mut self, turn: TurnId) {
        let end = Err(ModelFailure::new("nobody is asked"));
        let event = TurnEvent::AnswerEnded { ask: 1, end };
        self.handle_event(Event::Turn { turn, event });
    }

    fn build(&mut self, turn: TurnId, inputs: RenderInputs) -> RoundPrompt {
        let round = self.core.build_round_prompt(self.now, turn, inputs);
        round.expect("the turn runs")
    }

    async fn gather(&self, turn: TurnId) -> RenderInputs {
        let state = self.core.channel_state(CHANNEL).expect("a channel");
        let sources = RecallSources {
            here: CHANNEL,
            channels: vec![CHANNEL],
            shown_from: state.first_shown_message(),
            begins_after: None,
        };
        let moment = RecallContext {
            turn,
            cues: state.recall_cues(self.now),
            names: self.policy.names.clone(),
        };
        let newest: Vec<&str> = moment.cues.iter().map(|cue| &*cue.text).collect();
        let profiles = ProfileQuestion {
            speakers: find_speakers(state.timeline()),
            newest: &newest,
            now: self.now,
        };
        let scope = MemoryScope::from_channel(CHANNEL, Some(GUILD));
        let (persona, tools) = (&self.policy.persona, &self.policy.tools);
        let fixed = PROMPTS.estimate_fixed_tokens(&self.policy, tools, &TokenEstimator::default());
        RenderInputs {
            core_memory: self
                .memory
                .load_core_memory(scope, persona)
                .await
                .expect("core memory"),
            recalled: self.memory.recall_for_prompt(&sources, &moment).await,
            people: self.memory.load_profiles(&sources.channels, profiles).await,
            fixed_tokens: fixed.expect("measured"),
            ..RenderInputs::default()
        }
    }
}

fn new_core() -> Core {
    Core::new(CoreSetup {
        me: ME,
        weights: Arc::new(Weights::load_embedded()),
        turns_in_flight: 4,
        last_turn: TurnId(0),
        partition: Partition::WHOLE,
    })
}

fn see_channel(channel: &Channel, policy: &Arc<ChannelPolicy>) -> Event {
    Event::ChannelSeen {
        channel: channel.clone(),
        policy: policy.clone(),
    }
}
