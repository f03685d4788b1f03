//! The closed loop: the companion is somebody new in a recorded chat. Each time it would speak, a neutral line of its
//! own becomes part of the chat, and what comes after is decided with it. Nobody reacts to it, for it is a recording.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::sync::Arc;

use kith_core::chat::{AuthorKind, ChannelId, DAY, Message, MessageId, Millis, SECOND, UserId};
use kith_core::policy::ChannelPolicy;
use kith_core::report::MessageDecision;
use kith_language::word_lists;

use super::recorded_message::{RecordedAuthor, RecordedMessage};

/// The companion's id among those of the log.
pub const LIVE_IN: &str = "(live-in)";
/// How long before the first line of a channel it said something there: it was invited, and then listened.
const KNOWN_FOR: Millis = 30 * DAY;
const WRITES_FOR: Millis = 12 * SECOND;
const SHOWN: usize = 30;

/// What the companion said so far, and is about to say.
pub struct LiveIn {
    author: RecordedAuthor,
    lines: Vec<&'static str>,
    due: BTreeMap<ChannelId, Millis>,
    greeted: HashSet<String>,
    /// What it has spoken on, so that one message has one line.
    answered: HashSet<MessageId>,
    pub table: LiveInTable,
}

/// Who wrote how much in the end; shown as a table.
#[derive(Clone, Debug, Default)]
pub struct LiveInTable {
    pub log: String,
    pub companion: String,
    /// The lines of each person, with their last name.
    pub people: HashMap<UserId, (Arc<str>, u64)>,
    /// How many lines people had written before each of its own.
    pub own: Vec<u64>,
    pub calls: u64,
}

impl LiveIn {
    pub fn new(policy: &ChannelPolicy) -> LiveIn {
        let code = policy.persona.language.code();
        let list = word_lists("live_in").find(|list| list.language == code);
        let author = RecordedAuthor {
            id: LIVE_IN.to_owned(),
            name: policy.persona.name.clone(),
            bot: false,
        };
        LiveIn {
            table: LiveInTable {
                companion: author.name.clone(),
                ..LiveInTable::default()
            },
            author,
            lines: list.iter().flat_map(|list| list.entries()).collect(),
            due: BTreeMap::new(),
            greeted: HashSet::new(),
            answered: HashSet::new(),
        }
    }

    /// The line it was known by before the first one of a channel.
    pub fn greet(&mut self, first: &RecordedMessage) -> Option<RecordedMessage> {
        let is_new = self.greeted.insert(first.channel.clone());
        is_new.then(|| self.write_line(0, first.at - KNOWN_FOR, &first.channel))
    }

    pub fn count_line(&mut self, message: &Message) {
        if message.author.kind == AuthorKind::Person {
            let person = self.table.people.entry(message.author.id).or_default();
            *person = (message.author.name.clone(), person.1 + 1);
        }
    }

    /// It begins to write where it would speak on a message and is not writing already.
    pub fn begin_line(&mut self, decision: &MessageDecision, now: Millis) {
        if decision.speak
            && decision.waits_until.is_none()
            && self.answered.insert(decision.message)
        {
            self.due
                .entry(decision.channel)
                .or_insert(now.max(decision.at + WRITES_FOR));
        }
    }

    /// When and where it says its next line, if that is until then.
    pub fn take_due(&mut self, until: Millis) -> Option<(Millis, ChannelId)> {
        let (channel, at) = self.due.iter().min_by_key(|(_, at)| **at)?;
        let (channel, at) = (*channel, *at);
        (at <= until).then(|| {
            self.due.remove(&channel);
            (at, channel)
        })
    }

    pub fn write_next_line(&mut self, at: Millis, channel: &str) -> RecordedMessage {
        self.table.own.push(self.table.lines());
        self.write_line(self.table.own.len(), at, channel)
    }

    fn write_line(&self, number: usize, at: Millis, channel: &str) -> RecordedMessage {
        let turns = self.lines.len().saturating_sub(1).max(1);
        let place = if number == 0 {
            0
        } else {
            1 + (number - 1) % turns
        };
        RecordedMessage {
            id: format!("{LIVE_IN} {channel} {number}"),
            at,
            channel: channel.to_owned(),
            author: self.author.clone(),
            text: self
                .lines
                .get(place)
                .copied()
                .unwrap_or_default()
                .to_owned(),
            ..RecordedMessage::default()
        }
    }
}

impl LiveInTable {
    /// How many lines people wrote.
    pub fn lines(&self) -> u64 {
        self.people.values().map(|(_, lines)| lines).sum()
    }

    /// Its own lines for 100 of theirs, where they wrote from one third of the chat to another.
    pub fn rate(&self, from: u64, to: u64) -> f64 {
        let third = |number: u64| self.lines() * number / 3;
        // What it says after their last line belongs to the last third.
        let is_within = |before: &&u64| {
            (third(from) < **before || from == 0) && (**before <= third(to) || to == 3)
        };
        let own = self.own.iter().filter(is_within).count();
        100.0 * own as f64 / (third(to) - third(from)).max(1) as f64
    }
}

impl fmt::Display for LiveInTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lines, own) = (self.lines(), self.own.len() as u64);
        let share = |part: u64| 100.0 * part as f64 / (lines + own).max(1) as f64;
        let mut people: Vec<_> = self.people.values().collect();
        people.sort_by(|one, other| other.1.cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
        writeln!(f, "{}\n{:>7} {:>8}", self.log, "lines", "share")?;
        let companion = (
            Arc::from(format!("{} (the companion)", self.companion)),
            own,
        );
        let shown = people.iter().take(SHOWN).copied();
        for (name, lines) in shown.chain([&companion]) {
            writeln!(f, "{lines:>7} {:>6.1} %  {name}", share(*lines))?;
        }
        if people.len() > SHOWN {
            writeln!(f, "and {} people who wrote less", people.len() - SHOWN)?;
        }
        let middle = people.len() / 2;
        let low = people.len().saturating_sub(1) / 2;
        let median = |place: usize| people.get(place).map_or(0, |person| person.1);
        let median = 50.0 * (median(low) + median(middle)) as f64 / lines.max(1) as f64;
        let for_each = |part: u64| 100.0 * part as f64 / lines.max(1) as f64;
        write!(
            f,
            "for 100 lines of theirs: {:.1} of its own (first third {:.1}, last third {:.1}), {:.1} model calls\n\
             It would write {:.1} lines for 100 of theirs; the median member writes {median:.0}.",
            self.rate(0, 3),
            self.rate(0, 1),
            self.rate(2, 3),
            for_each(self.calls),
            self.rate(0, 3),
        )
    }
}
