//! Notices that messages come without their text, which means that an intent is switched off.

use crate::DiscordEvent;
use kith_core::persona::Language;
use kith_language::discord;

/// After how many messages in a row that show nothing at all the host is told that the intent is missing.
const BLANK_IN_A_ROW: u32 = 12;

/// Watches whether messages have content: without the intent they come empty.
#[derive(Debug, Default)]
pub(super) struct IntentMonitor {
    blank: u32,
    is_reported: bool,
}

impl IntentMonitor {
    /// Takes note of a message of somebody else's in a guild that does not mention the companion: all others have
    /// their content always. Says so, once, when too many came without.
    pub(super) fn record_message(
        &mut self,
        is_blank: bool,
        language: Language,
    ) -> Option<DiscordEvent> {
        self.blank = if is_blank { self.blank + 1 } else { 0 };
        if self.blank < BLANK_IN_A_ROW || self.is_reported {
            return None;
        }
        self.is_reported = true;
        let text = discord::messages_without_text().in_language(language);
        Some(DiscordEvent::Notice(text))
    }
}
