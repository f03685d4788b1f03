//! Notices that messages come without their text, which means that an intent is switched off.

use crate::DiscordEvent;
use kith_core::persona::Language;

/// After how many messages in a row that show nothing at all the host is told that the intent is missing.
const BLANK_IN_A_ROW: u32 = 12;

/// Watches whether messages have content: without the intent they come empty.
#[derive(Debug, Default)]
pub(super) struct ContentWatch {
    blank: u32,
    is_reported: bool,
}

impl ContentWatch {
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
        let text = language.pick(
            "Messages come without their text: switch on \"Message Content Intent\" for the application at \
             https://discord.com/developers/applications (Bot, Privileged Gateway Intents), then start Kith again.",
            "收到的消息都没有正文：请在 https://discord.com/developers/applications 的应用里（Bot，Privileged Gateway \
             Intents）打开 \"Message Content Intent\"，然后重新启动 Kith。",
        );
        Some(DiscordEvent::Notice(text.into()))
    }
}
