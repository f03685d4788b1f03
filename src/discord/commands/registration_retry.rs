//! Keeps Discord's list of commands as it should be: what fails is tried again until Discord has it, for without its
//! commands nobody can switch the companion on.

use kith_language::discord;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::sleep;

use super::{CommandSettings, DiscordEvent, definitions, register_if_changed};
use crate::rest::{RestClient, RestError};
use kith_core::back_off::compute_back_off;
use kith_core::persona::Language;

/// The wait after the first failure; it doubles.
const FIRST_WAIT: Duration = Duration::from_secs(1);
const LONGEST_WAIT: Duration = Duration::from_secs(10 * 60);

#[derive(Clone)]
pub struct CommandRegistrar {
    rest: RestClient,
    application: u64,
    language: Language,
    out: mpsc::Sender<DiscordEvent>,
    /// How often something was offered: whoever finds another number has been replaced.
    newest_generation: Arc<AtomicU64>,
}

impl CommandRegistrar {
    /// To the users of this application. The host is told as [`DiscordEvent::Notice`] what stands in the way.
    pub fn new(
        rest: RestClient,
        application: u64,
        language: Language,
        out: mpsc::Sender<DiscordEvent>,
    ) -> Self {
        Self {
            rest,
            application,
            language,
            out,
            newest_generation: Arc::default(),
        }
    }

    /// From now on these are the commands. Returns at once; needs a tokio runtime.
    pub fn register_commands(&self, offered: CommandSettings) {
        let generation = self.newest_generation.fetch_add(1, Ordering::Relaxed) + 1;
        let registrar = self.clone();
        tokio::spawn(async move { registrar.register_with_retries(generation, &offered).await });
    }

    async fn register_with_retries(&self, generation: u64, offered: &CommandSettings) {
        let definitions = definitions(offered);
        for failures in 0.. {
            if self.newest_generation.load(Ordering::Relaxed) != generation {
                return;
            }
            let Err(why) = register_if_changed(&self.rest, self.application, &definitions).await
            else {
                return;
            };
            let is_final = matches!(why, RestError::Invalid { .. } | RestError::Unauthorized);
            if failures == 0 || is_final {
                self.report_failure(&why, is_final).await;
            }
            if is_final {
                return;
            }
            tracing::warn!("the slash commands are not registered yet, trying again: {why}");
            sleep(compute_back_off(FIRST_WAIT, failures, LONGEST_WAIT)).await;
        }
    }

    async fn report_failure(&self, why: &RestError, is_final: bool) {
        let description = why.describe(self.language);
        let text = match is_final {
            true => discord::commands_not_registered(description).in_language(self.language),
            false => discord::commands_tried_again(description).in_language(self.language),
        };
        // The other end is only gone with the daemon.
        let _ = self.out.send(DiscordEvent::Notice(text)).await;
    }
}
