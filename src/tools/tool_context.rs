//! What a running tool is given. The program fills in what it knows (channel, scope, time), so that no tool asks the
//! model for it.

use kith_language::LocalizedMessage;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use chrono_tz::Tz;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use super::custom::Hooks;
use super::permission_rules::{ToolPermission, ToolUses};
use super::skills::Skill;
use super::{
    Authorization, HostCommand, HostResult, NumberedLines, SessionOpener, ToolHost, ToolNewsSender,
    ToolSecrets, WebClient,
};
use kith_core::call::{ToolResult, ToolSpec};
use kith_core::chat::{Author, ChannelId, GuildId, MessageId, Millis, ProposalId, TurnId};
use kith_core::persona::{Language, Persona};
use kith_core::policy::OutputProtocol;
use kith_core::redactor::Redactor;
use kith_language::tools;
use kith_memory::{Memory, MemoryScope, RecallSources};
use kith_store::Store;

#[derive(Clone)]
pub struct ToolContext {
    pub channel: ChannelId,
    /// The guild whose members can all view that channel; none for a direct message.
    pub guild: Option<GuildId>,
    /// The channel it was opened from; none where it stands for itself.
    pub parent: Option<ChannelId>,
    /// The oldest message of the channel that the prompt shows.
    pub shown_from: Option<MessageId>,
    /// The newest message of the channel that is left out of its context for good.
    pub begins_after: Option<MessageId>,
    pub persona: Arc<Persona>,
    /// The time, as the turn's driver sees it.
    pub now: Millis,
    /// When what the model knows was read; what was changed or erased since it may still take for true.
    pub read_at: Millis,
    pub memory: Memory,
    pub store: Store,
    /// What only a platform knows.
    pub host: Arc<dyn ToolHost>,
    pub is_direct: bool,
    pub turn: TurnId,
    pub lines: NumberedLines,
    /// Everybody who spoke to the companion in it; nobody where it woke by itself.
    pub causes: Vec<Author>,
    /// What a person approved of which this very call is; none of a call nobody was asked about.
    pub approved: Option<ProposalId>,
    /// What must hold besides before a tool runs, by its name; nothing where it is not named.
    pub permissions: Arc<BTreeMap<String, ToolPermission>>,
    pub uses: Arc<ToolUses>,
    /// All tools of the channel, those that have to be found first among them.
    pub tools: Arc<[ToolSpec]>,
    pub skills: Arc<[Arc<Skill>]>,
    pub protocol: OutputProtocol,
    pub model: Arc<str>,
    pub tokens_left: u64,
    pub web: Arc<WebClient>,
    /// What the host keeps for tools of their own.
    pub secrets: Arc<ToolSecrets>,
    /// Takes these, and whatever else nobody may see, out of what a tool gives.
    pub redactor: Redactor,
    /// What looks at what is said and at what tools answer.
    pub hooks: Hooks,
    /// The folder below which tools have folders of their own.
    pub workspace: Arc<Path>,
    /// Who does what is to be done beside the turn.
    pub side_work: Arc<dyn BackgroundTask>,
    pub sessions: SessionOpener,
    /// Who hears how it is getting on.
    pub news: ToolNewsSender,
}

impl ToolContext {
    /// What a tool is given in a channel of no guild, where nobody spoke and nothing is known.
    pub fn new(
        channel: ChannelId,
        persona: Arc<Persona>,
        store: Store,
        host: Arc<dyn ToolHost>,
        now: Millis,
    ) -> Self {
        Self {
            channel,
            guild: None,
            parent: None,
            shown_from: None,
            begins_after: None,
            persona,
            now,
            read_at: now,
            memory: Memory::new(store.clone()),
            store,
            host,
            is_direct: false,
            turn: TurnId::default(),
            lines: NumberedLines::default(),
            causes: Vec::new(),
            approved: None,
            permissions: Arc::default(),
            uses: Arc::default(),
            tools: Arc::from(Vec::new()),
            skills: Arc::from(Vec::new()),
            protocol: OutputProtocol::default(),
            model: "".into(),
            tokens_left: 0,
            web: Arc::default(),
            secrets: Arc::default(),
            redactor: Redactor::default(),
            hooks: Hooks::default(),
            workspace: Path::new("").into(),
            side_work: Arc::new(NoSideWork),
            sessions: SessionOpener::default(),
            news: ToolNewsSender::default(),
        }
    }

    /// By whose leave it does what is said or kept in the channel.
    pub fn authorization(&self) -> Authorization {
        self.approved
            .map_or(Authorization::Turn(self.turn), |proposal| {
                Authorization::Person(self.turn, proposal)
            })
    }

    pub fn scope(&self) -> MemoryScope {
        MemoryScope::from_channel(self.channel, self.guild)
    }

    /// Where may be looked for what was said.
    pub fn sources(&self) -> RecallSources {
        let channels = self.host.find_readable_channels(self.channel);
        RecallSources {
            here: self.channel,
            channels,
            shown_from: self.shown_from,
            begins_after: self.begins_after,
        }
    }

    pub fn language(&self) -> Language {
        self.persona.language
    }

    pub fn build_error(&self, why: impl Into<LocalizedMessage>) -> ToolResult {
        ToolResult::error(why.into().in_language(self.language()))
    }

    /// What was done, or why it was not, as the model reads it.
    pub fn build_outcome(&self, outcome: Result<LocalizedMessage, LocalizedMessage>) -> ToolResult {
        match outcome {
            Ok(done) => ToolResult::ok(done.in_language(self.language())),
            Err(why) => self.build_error(why),
        }
    }

    pub fn run_command(&self, command: HostCommand) -> HostResult<'_> {
        let authorization = self.authorization();
        self.host.run_command(self.channel, authorization, command)
    }

    pub fn timezone(&self) -> Tz {
        self.persona.timezone()
    }
}

/// Runs work that a tool starts beside the turn. Replay has nothing that could, so that it refuses.
pub trait BackgroundTask: Send + Sync {
    /// Works on a task in a context of its own and answers with what came of it. Dropping the future ends the work.
    fn work_on_task(&self, task: String, context: ToolContext) -> BoxFuture<'static, ToolResult> {
        let _ = task;
        let sentence = tools::not_possible_here().in_language(context.language());
        std::future::ready(ToolResult::error(sentence)).boxed()
    }
}

struct NoSideWork;

impl BackgroundTask for NoSideWork {}
