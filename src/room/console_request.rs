//! What the console may ask the daemon for: what happens in all channels, what it costs, what holds, and the few things
//! that who runs Kith decides there. Plain data with its bounds; nothing here is carried out.

use std::path::PathBuf;

use serde::Deserialize;

use super::console_answer::ConsoleAnswer;
use super::request::{ApiRequest, check_text_length};
use super::room_answer::RequestRefusal;
use kith_core::chat::{ChannelId, DAY, GuildId, Millis, ProposalId, TurnId};
use kith_core::policy::ChannelMode;

/// The longest persona file that is read or written here, in characters.
const LONGEST_PERSONA: usize = 200_000;
/// The longest time one plot shows: a day, and the hour that a clock may be set back in it.
const LONGEST_DAY: Millis = DAY + DAY / 24;

/// Everything the console can ask for: the body of `POST /api/console`, e.g. `{"ask":"overview"}`.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub enum ConsoleRequest {
    /// Servers, and a page of channels. Answered with [`ConsoleAnswer::Overview`].
    Overview {
        /// Only channels whose names hold this.
        #[serde(default)]
        text: String,
        /// Only channels of this server.
        #[serde(default)]
        guild: Option<GuildId>,
        /// Only channels in which it may do this now.
        #[serde(default)]
        mode: Option<ChannelMode>,
        #[serde(default)]
        order: ChannelOrder,
        /// Which page, from 0.
        #[serde(default)]
        page: u32,
    },
    /// What was heard, thought and said in a channel from one moment to another. Answered with [`ConsoleAnswer::Day`].
    Day {
        channel: ChannelId,
        from: Millis,
        /// At most a day and an hour later.
        until: Millis,
    },
    /// The latest turns, newest first. Answered with [`ConsoleAnswer::Turns`].
    Turns {
        /// Only those of this channel.
        #[serde(default)]
        channel: Option<ChannelId>,
        /// Only those older than this one.
        #[serde(default)]
        before: Option<TurnId>,
    },
    /// A whole turn, and the prompt before its first one. Answered with [`ConsoleAnswer::Turn`].
    Turn { id: TurnId },
    /// What was spent in the last days. Answered with [`ConsoleAnswer::Spend`].
    Spend {
        /// How many days, today among them, 1 … 366.
        days: u32,
    },
    /// What went wrong lately. Answered with [`ConsoleAnswer::Faults`].
    Faults {},
    /// The settings as they stand. Answered with [`ConsoleAnswer::Settings`].
    Settings {},
    /// What waits for somebody's approval. Answered with [`ConsoleAnswer::Approvals`].
    Approvals {},
    /// Approve what waits, or drop it. Answered with [`ConsoleAnswer::Done`] once that is stored for good.
    Decide { id: ProposalId, approve: bool },
    /// The persona files that the settings name. Answered with [`ConsoleAnswer::Personas`].
    Personas {},
    /// The text of one of them. Answered with [`ConsoleAnswer::Persona`].
    Persona { file: PathBuf },
    /// What is wrong with a text for one of them. Answered with [`ConsoleAnswer::PersonaCheck`].
    CheckPersona { file: PathBuf, text: String },
    /// Write one of them anew. Answered with [`ConsoleAnswer::PersonaCheck`]; nothing is written where that says an error.
    SavePersona { file: PathBuf, text: String },
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChannelOrder {
    /// Where something was written last, first.
    #[default]
    Heard,
    /// Where the companion spoke last, first.
    Spoke,
    Name,
}

impl ApiRequest for ConsoleRequest {
    type Answer = ConsoleAnswer;

    fn check(&self) -> Result<(), RequestRefusal> {
        match self {
            Self::Overview { text, .. } => check_text_length(text, "text", 0, 100),
            Self::Day { from, until, .. }
                if !until
                    .checked_sub(*from)
                    .is_some_and(|length| (0..=LONGEST_DAY).contains(&length)) =>
            {
                Err(RequestRefusal::bad_request(
                    "`until` is at most 25 hours after `from`",
                ))
            }
            Self::Spend { days } if !(1..=366).contains(days) => {
                Err(RequestRefusal::bad_request("`days` is from 1 to 366"))
            }
            Self::CheckPersona { text, .. } | Self::SavePersona { text, .. } => {
                check_text_length(text, "text", 0, LONGEST_PERSONA)
            }
            _ => Ok(()),
        }
    }
}
