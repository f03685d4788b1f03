//! A turn with the exact prompts its rounds were asked with, as pages show it: one that runs as far as it got, and a stored one.

use super::reply::{refuse_missing, to_request_refusal};
use super::state::Daemon;
use kith_core::chat::TurnId;
use kith_language::room_refusals;
use kith_room::{FullTurn, RequestRefusal, ShownPrompt};
use kith_store::{Store, StoredPrompt};
use kith_system::clock;

impl Daemon {
    pub(super) fn build_running_turn(&self, id: TurnId) -> Option<FullTurn> {
        let running = self.turns.get(&id)?;
        let channel = self.core.find_turn_channel(id)?;
        let report = self.redact_report(
            self.core
                .channel_state(channel)?
                .turn
                .as_ref()?
                .build_interim_report(clock::now()),
        );
        let prompts = to_shown_prompts(&running.prompts);
        Some(FullTurn {
            report,
            prompts,
            running: true,
            news: running.news.newest(),
            calls: running.calls.list(),
        })
    }
}

pub(super) async fn load_full_turn(store: &Store, id: TurnId) -> Result<FullTurn, RequestRefusal> {
    let mut stored = store.turn(id).await.map_err(to_request_refusal)?;
    if stored.is_none() {
        // One that ended this moment is still being written.
        store.wait_for_writes().await.map_err(to_request_refusal)?;
        stored = store.turn(id).await.map_err(to_request_refusal)?;
    }
    let stored = stored.ok_or_else(|| refuse_missing(room_refusals::no_turn()))?;
    Ok(FullTurn {
        prompts: to_shown_prompts(&stored.prompts),
        report: stored.report,
        running: false,
        news: Vec::new(),
        calls: Vec::new(),
    })
}

pub(super) fn to_shown_prompts(prompts: &[StoredPrompt]) -> Vec<ShownPrompt> {
    prompts
        .iter()
        .map(|prompt| ShownPrompt {
            ask: prompt.ask,
            model: prompt.model.clone(),
            system: prompt.system.clone(),
            user: prompt.user.clone(),
            parts: prompt.parts.clone(),
        })
        .collect()
}
