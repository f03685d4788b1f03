//! A channel to render: people, messages and settings with as little ceremony as possible.

use std::sync::{Arc, LazyLock};

use kith_agent::prompt::PromptTemplates;
use kith_core::chat::{
    Author, AuthorKind, Channel, ChannelId, ChannelKind, GuildId, MINUTE, Message, MessageId,
    Millis, UserId,
};
use kith_core::context::{
    ChannelRapport, HistoryWindow, PromptSections, PromptSources, TokenEstimator, render_sections,
};
use kith_core::persona::{Language, Persona};
use kith_core::plan::Plan;
use kith_core::policy::ChannelPolicy;
use kith_core::report::{ThresholdShift, TurnTrigger};
use kith_core::session::SessionBackground;
use kith_core::timeline::Timeline;
use kith_tools::{DEFAULT_TOOLS, ToolRegistry};

/// The companion's id in every test.
pub const ME: UserId = UserId(1);
/// Tuesday 12 March 2024, 14:00 in Dublin.
pub const START: Millis = 1_710_252_000_000;

/// The shipped templates.
pub static PROMPTS: LazyLock<PromptTemplates> =
    LazyLock::new(|| PromptTemplates::load(None).expect("the shipped templates are good"));

/// A shipped persona.
pub fn persona(language: Language) -> Persona {
    let text = match language {
        Language::EN => include_str!("../../../../persona/juno.toml"),
        _ => include_str!("../../../../persona/ayou.toml"),
    };
    toml::from_str(text).expect("a shipped persona is valid")
}

static NO_RAPPORT: LazyLock<ChannelRapport> = LazyLock::new(ChannelRapport::default);
static NO_PLAN: LazyLock<Plan> = LazyLock::new(Plan::default);

/// A channel with what was said in it.
pub struct PromptFixture {
    pub channel: Channel,
    pub policy: ChannelPolicy,
    pub timeline: Timeline,
    pub now: Millis,
    pub wake: TurnTrigger,
    pub window: HistoryWindow,
    pub begun: SessionBackground,
    pub fixed_tokens: u32,
    next: u64,
}

impl PromptFixture {
    pub fn new(language: Language) -> Self {
        let persona = persona(language);
        let channel = Channel {
            id: ChannelId(7),
            guild: Some(GuildId(8)),
            name: "lounge".into(),
            topic: "".into(),
            kind: ChannelKind::Group,
            parent: None,
        };
        let policy = ChannelPolicy {
            names: vec![persona.name.clone()],
            tools: ToolRegistry::load_builtin()
                .select(&[DEFAULT_TOOLS.to_owned()], language)
                .into(),
            persona: Arc::new(persona),
            ..ChannelPolicy::default()
        };
        let wake = TurnTrigger {
            message: None,
            author: None,
            address: None,
            addressed: Vec::new(),
            score: 0.5,
            threshold: 0.4,
            shift: ThresholdShift::default(),
            goes_on: false,
            is_doubtful: false,
            own: None,
        };
        Self {
            channel,
            policy,
            timeline: Timeline::default(),
            now: START,
            wake,
            window: HistoryWindow::default(),
            fixed_tokens: 0,
            begun: SessionBackground::default(),
            next: 100,
        }
    }

    /// The companion says something.
    pub fn own(&mut self, text: &str) -> MessageId {
        let author = Author {
            id: ME,
            name: self.policy.persona.name.as_str().into(),
            kind: AuthorKind::Companion,
        };
        self.message(author, text, None)
    }

    /// A person says something; people are told apart by their names.
    pub fn says(&mut self, name: &str, text: &str) -> MessageId {
        self.message(person(name), text, None)
    }

    pub fn replies(&mut self, name: &str, to: MessageId, text: &str) -> MessageId {
        self.message(person(name), text, Some(to))
    }

    pub fn message(
        &mut self,
        author: Author,
        text: &str,
        reply_to: Option<MessageId>,
    ) -> MessageId {
        self.next += 1;
        let id = MessageId(self.next);
        let text = text.into();
        let (channel, arrival, at) = (self.channel.id, self.next, self.now);
        self.timeline.say(Message {
            id,
            channel,
            arrival,
            at,
            author,
            text,
            reply_to,
            mentions: Vec::new(),
        });
        id
    }

    pub fn wait(&mut self, minutes: i64) {
        self.now += minutes * MINUTE;
    }

    pub fn view(&self) -> PromptSources<'_> {
        PromptSources {
            channel: &self.channel,
            policy: &self.policy,
            timeline: &self.timeline,
            me: ME,
            now: self.now,
            wake: &self.wake,
            line_for_other: None,
            conversation: &[],
            working: &[],
            seen_item_count: 0,
            rapport: &NO_RAPPORT,
            plan: &NO_PLAN,
            is_reminded: false,
            summary: None,
            recalled: &[],
            people: &[],
            core_memory: &[],
            session_background: &self.begun,
            intentions: &[],
            unsent: &[],
            lines_on_their_way: &[],
            notes: &[],
            pictures: &[],
            fixed_tokens: self.fixed_tokens,
        }
    }

    /// Renders with the fixture's own window.
    pub fn render(&mut self) -> PromptSections {
        let mut window = std::mem::take(&mut self.window);
        let sections = render_sections(&self.view(), &mut window, &TokenEstimator::default());
        self.window = window;
        sections
    }

    pub fn history(&mut self) -> String {
        self.render().history.text
    }
}

/// A person whose id follows from the name.
pub fn person(name: &str) -> Author {
    let id = name.bytes().fold(1_000, |sum: u64, byte| {
        sum.wrapping_mul(31).wrapping_add(byte.into())
    });
    Author {
        id: UserId(id | 1 << 40),
        name: name.into(),
        kind: AuthorKind::Person,
    }
}
