//! The daemon's state: the core, the store, the platform, and an owner for each kind of what it keeps.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::sync::Arc;

use tokio::sync::{broadcast, mpsc, watch};

use super::approvals::PendingApprovals;
use super::compaction_jobs::CompactionJobs;
use super::consolidation_jobs::ConsolidationJobs;
use super::decision_times::DecisionTimes;
use super::deliveries::Deliveries;
use super::embedding_jobs::EmbeddingJobs;
use super::loop_message::LoopMessage;
use super::model_calls::ModelCalls;
use super::monitoring::OperationMetrics;
use super::picture_cache::PictureCache;
use super::platform::Platform;
use super::running_turn::RunningTurn;
use super::sessions::SessionBook;
use super::spent_today::load_spent_today;
use super::tool_set::ToolSet;
use super::upkeep::Upkeep;
use crate::settings::Settings;
use kith_agent::prompt::PromptTemplates;
use kith_agent::{TaskReport, TurnEventSender};
use kith_core::chat::{Author, AuthorKind, Channel, ChannelId, TurnId, UserId};
use kith_core::manual_override::ManualOverrides;
use kith_core::redactor::Redactor;
use kith_core::willingness::Weights;
use kith_core::{Core, CoreSetup};
use kith_memory::Memory;
use kith_model::{BudgetLedger, ModelSelection};
use kith_observe::Observer;
use kith_room::LiveEvent;
use kith_store::{LeaseView, Store};
use kith_system::clock;
use kith_tools::ToolHost;

/// Everything the loop holds.
///
/// `Daemon` alone means a daemon wherever it lives: most code is written for that, and asks the [`Platform`]. What only
/// one platform can have happen is written for `Daemon<DiscordPlatform>` or `Daemon<RoomPlatform>`, so that it cannot be
/// reached from the other; all that holds everywhere is at hand there, too.
pub(super) struct Daemon<P: ?Sized = dyn Platform> {
    pub(super) settings: Settings,
    pub(super) settings_file: PathBuf,
    pub(super) core: Core,
    pub(super) store: Store,
    pub(super) memory: Memory,
    pub(super) tools: ToolSet,
    pub(super) prompts: Arc<PromptTemplates>,
    pub(super) model_calls: ModelCalls,
    pub(super) observer: Observer,
    pub(super) metrics: Arc<OperationMetrics>,
    pub(super) live: broadcast::Sender<Arc<LiveEvent>>,
    pub(super) redactor: Redactor,
    pub(super) tool_host: Arc<dyn ToolHost>,
    pub(super) loop_sender: mpsc::Sender<LoopMessage>,
    pub(super) turn_event_sender: TurnEventSender,
    pub(super) companion_id: UserId,
    /// What moderators set by slash command.
    pub(super) manual_overrides: ManualOverrides,
    pub(super) sessions: SessionBook,
    pub(super) approvals: PendingApprovals,
    /// Why it must end.
    pub(super) fatal: Option<String>,
    pub(super) turns: HashMap<TurnId, RunningTurn>,
    pub(super) pictures: PictureCache,
    pub(super) compaction: CompactionJobs,
    pub(super) consolidation: ConsolidationJobs,
    pub(super) embedding: EmbeddingJobs,
    pub(super) decision_times: DecisionTimes,
    pub(super) deliveries: Deliveries,
    /// The processes that share the companion; none where nothing is shared.
    pub(super) leases: Option<watch::Receiver<LeaseView>>,
    pub(super) upkeep: Upkeep,
    /// Where it lives. The last field, so that a daemon of a certain platform can be taken for one of any.
    pub(super) platform: P,
}

impl<P: Platform + 'static> Deref for Daemon<P> {
    type Target = Daemon;

    fn deref(&self) -> &Daemon {
        self
    }
}

impl<P: Platform + 'static> DerefMut for Daemon<P> {
    fn deref_mut(&mut self) -> &mut Daemon {
        self
    }
}

pub(super) struct DaemonParts {
    pub settings: Settings,
    pub settings_file: PathBuf,
    pub store: Store,
    pub memory: Memory,
    pub prompts: PromptTemplates,
    pub model_selection: ModelSelection,
    /// Whether the selection is known already, or stands in while it is looked for.
    pub is_model_known: bool,
    pub live: broadcast::Sender<Arc<LiveEvent>>,
    pub loop_sender: mpsc::Sender<LoopMessage>,
    pub leases: Option<watch::Receiver<LeaseView>>,
}

impl<P: Platform + 'static> Daemon<P> {
    /// A daemon that lives on `platform`, as it was when it stopped; and what its turns' tasks will tell.
    pub async fn open(
        parts: DaemonParts,
        platform: P,
    ) -> anyhow::Result<(Self, mpsc::Receiver<(TurnId, TaskReport)>)> {
        let DaemonParts {
            settings,
            settings_file,
            store,
            memory,
            prompts,
            model_selection,
            is_model_known,
            live,
            loop_sender,
            leases,
        } = parts;
        let now = clock::now();
        let (companion_id, tool_host) = (platform.companion_id(), platform.tool_host());
        let spent = load_spent_today(&store, now).await?;
        let core = Core::new(CoreSetup {
            me: companion_id,
            weights: Arc::new(Weights::load_embedded()),
            turns_in_flight: settings.turns_in_flight() as usize,
            last_turn: store.last_turn().await?,
            partition: platform.partition(),
        });
        let (turn_event_sender, task_reports) = mpsc::channel(1_024);
        let mut daemon = Self {
            core,
            memory,
            tools: ToolSet::new(&settings),
            prompts: Arc::new(prompts),
            model_calls: ModelCalls::new(
                model_selection,
                is_model_known,
                BudgetLedger::new(settings.budget.clone(), now, spent),
            ),
            observer: Observer::new(store.clone()),
            metrics: Arc::default(),
            live,
            redactor: Redactor::default(),
            tool_host,
            loop_sender,
            turn_event_sender,
            companion_id,
            manual_overrides: ManualOverrides::new(store.overrides().await?),
            sessions: SessionBook::load(&store).await?,
            approvals: PendingApprovals::load(&store).await?,
            fatal: None,
            turns: HashMap::new(),
            pictures: PictureCache::default(),
            compaction: CompactionJobs::default(),
            consolidation: ConsolidationJobs::load(&store).await?,
            embedding: EmbeddingJobs::default(),
            decision_times: DecisionTimes::default(),
            deliveries: Deliveries::default(),
            leases,
            upkeep: Upkeep::load(&store, now).await?,
            settings,
            settings_file,
            store,
            platform,
        };
        daemon.register_secrets();
        daemon.apply_embedding_model();
        daemon.resume_budget(now).await?;
        Ok((daemon, task_reports))
    }
}

impl Daemon {
    /// A channel that has a state, or that the platform knows.
    pub(super) fn find_channel(&self, id: ChannelId) -> Option<Channel> {
        let known = self.core.channel_state(id);
        known
            .map(|channel_state| channel_state.channel.clone())
            .or_else(|| self.platform.find_channel(id))
    }

    pub(super) fn build_own_author(&self, channel: ChannelId) -> Author {
        let named = self
            .core
            .channel_state(channel)
            .map(|channel_state| channel_state.policy().persona.name.clone());
        let name = named.unwrap_or_else(|| self.settings.shipped.name.clone());
        Author {
            id: self.companion_id,
            name: name.into(),
            kind: AuthorKind::Companion,
        }
    }
}
