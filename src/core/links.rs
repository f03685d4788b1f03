//! Who is talking to whom: for each message a guess, as probabilities, of which earlier line it answers. A linear model
//! over named clues, weighed in `data/weights.json`; bounded memory, no text.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use super::chat::{MINUTE, MessageId, Millis, UserId};
use super::willingness::Weights;
use super::willingness::words::{Heard, Topic};

/// How many lines of a channel are remembered as possible targets.
pub const LINES: usize = 40;

/// Declares the clues once: the enum, the list of all, and the names in `data/weights.json`.
macro_rules! clues {
    ($($(#[$doc:meta])* $clue:ident $name:literal,)*) => {
        /// Something that speaks for or against a message answering an earlier line.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Clue {
            $($(#[$doc])* $clue,)*
        }

        impl Clue {
            /// All of them, in order.
            pub const ALL: [Clue; CLUES] = [$(Clue::$clue),*];

            /// Its name in `data/weights.json`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Clue::$clue => $name,)*
                }
            }
        }

        /// How many clues there are.
        pub const CLUES: usize = [$($name),*].len();
    };
}

clues! {
    /// The line before.
    Previous "previous",
    /// How many lines back, logarithmic.
    Distance "distance",
    /// How long ago, logarithmic.
    Age "age",
    /// The same author goes on.
    SameAuthor "same_author",
    /// The same author goes on, and nobody wrote between.
    SameRun "same_run",
    /// The message names the line's author.
    NamesAuthor "names_author",
    /// The message names somebody, and not the line's author.
    NamesOther "names_other",
    /// The line was meant for the message's author.
    MeantForMe "meant_for_me",
    /// The line was meant for somebody else.
    MeantForOther "meant_for_other",
    /// The two talked with each other a moment ago.
    Partners "partners",
    /// The line asks, and somebody else says something.
    AnswersQuestion "answers_question",
    /// Rare words in common.
    Words "words",
    /// It is the newest line of its author.
    Newest "newest",
    /// The message asks something new: a question that names nobody.
    Asks "asks",
}

/// A line that later ones may answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Which message.
    pub id: MessageId,
    /// Who wrote it.
    pub author: UserId,
    /// When.
    pub at: Millis,
    /// Whom it was meant for, as far as that could be told.
    pub to: Option<UserId>,
    /// Which conversation it belongs to: a number that grows.
    pub conversation: u32,
    /// When the companion last spoke in that conversation before this line.
    pub joined: Option<Millis>,
    /// Whether it asks something.
    pub question: bool,
    /// Its topic.
    pub topic: Topic,
}

/// A message that has just arrived, as far as links care.
pub struct Arrival<'a> {
    /// Which message.
    pub id: MessageId,
    /// Who wrote it.
    pub author: UserId,
    /// When.
    pub at: Millis,
    /// The message it was typed as a reply to.
    pub reply_to: Option<MessageId>,
    /// The people it mentions or calls.
    pub named: &'a [UserId],
    /// Whether it asks something.
    pub question: bool,
    /// Its topic.
    pub topic: &'a Topic,
}

/// What an arrival answers: a probability for each of some events that exclude each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Guess {
    /// The likeliest line: its place among the remembered ones.
    likeliest: Option<usize>,
    /// Its message.
    pub answers: Option<MessageId>,
    /// Its author.
    pub author: Option<UserId>,
    /// How sure that is, 0 … 1.
    pub certainty: f32,
    /// It answers a line of the companion.
    pub mine: f32,
    /// It answers somebody else's line in a conversation the companion took part in, counting less the longer ago.
    pub joined: f32,
    /// It answers somebody else in a conversation the companion has no part in.
    pub others: f32,
    /// It goes on from a line of its own author in such a conversation.
    pub own: f32,
    /// It opens something new.
    pub opens: f32,
}

/// The remembered lines of a channel.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Links {
    lines: VecDeque<Line>,
    conversations: u32,
}

/// How fast having spoken in a conversation stops to count.
const JOINED_FADES: f32 = 10.0 * MINUTE as f32;

impl Links {
    /// Guesses which line a message answers.
    pub fn guess(&self, arrival: &Arrival, me: UserId, heard: &Heard, weights: &Weights) -> Guess {
        if let Some(target) = arrival.reply_to
            && let Some(place) = self.lines.iter().position(|line| line.id == target)
        {
            return self.settled(place, arrival, me);
        }
        let mut odds = [0.0f32; LINES];
        let opening = weights.opening.exp();
        let mut all = opening;
        let mut best = (0.0f32, None);
        self.for_each_clues(arrival, heard, |place, clues| {
            let sum: f32 = clues.iter().zip(weights.clues()).map(|(value, weight)| value * weight).sum();
            let odd = sum.min(30.0).exp();
            if let Some(slot) = odds.get_mut(place) {
                *slot = odd;
            }
            all += odd;
            if odd > best.0 {
                best = (odd, Some(place));
            }
        });
        let mut guess = Guess { opens: opening / all, ..Guess::default() };
        for (line, odd) in self.lines.iter().zip(odds) {
            guess.count(line, odd / all, arrival, me);
        }
        if let (odd, Some(place)) = best
            && odd > opening
            && let Some(line) = self.lines.get(place)
        {
            guess.likeliest = Some(place);
            guess.answers = Some(line.id);
            guess.author = Some(line.author);
            guess.certainty = odd / all;
        }
        guess
    }

    fn settled(&self, place: usize, arrival: &Arrival, me: UserId) -> Guess {
        let mut guess = Guess::default();
        if let Some(line) = self.lines.get(place) {
            guess.count(line, 1.0, arrival, me);
            guess.likeliest = Some(place);
            guess.answers = Some(line.id);
            guess.author = Some(line.author);
            guess.certainty = 1.0;
        }
        guess
    }

    /// Computes the clues for every remembered line, newest first: what is learnt from.
    pub fn for_each_clues(&self, arrival: &Arrival, heard: &Heard, mut each: impl FnMut(usize, &[f32; CLUES])) {
        let mut seen = Few::default();
        let mut same_run = true;
        let partners = self.partners(arrival.author);
        let sought = heard.sought(arrival.topic);
        for (back, (place, line)) in self.lines.iter().enumerate().rev().enumerate() {
            let same = line.author == arrival.author;
            same_run &= same;
            let newest = !seen.get().contains(&line.author);
            if newest {
                seen.add(line.author);
            }
            let names = arrival.named.contains(&line.author);
            let seconds = (arrival.at - line.at).max(0) as f32 / 1_000.0;
            let mut clues = [0.0f32; CLUES];
            let mut set = |clue: Clue, value: f32| clues[clue as usize] = value;
            set(Clue::Distance, LOG[back.min(LINES - 1)]);
            set(Clue::Age, (1.0 + seconds).ln());
            if back == 0 {
                set(Clue::Previous, 1.0);
            }
            if same {
                set(Clue::SameAuthor, 1.0);
            }
            if same_run {
                set(Clue::SameRun, 1.0);
            }
            if newest {
                set(Clue::Newest, 1.0);
            }
            if names {
                set(Clue::NamesAuthor, 1.0);
            } else if !arrival.named.is_empty() && !same {
                set(Clue::NamesOther, 1.0);
            }
            match line.to {
                Some(to) if to == arrival.author => set(Clue::MeantForMe, 1.0),
                Some(to) if to != line.author && !same => set(Clue::MeantForOther, 1.0),
                _ => {}
            }
            if !same && partners.get().contains(&line.author) {
                set(Clue::Partners, 1.0);
            }
            if line.question && !same {
                set(Clue::AnswersQuestion, 1.0);
            }
            if arrival.question && arrival.named.is_empty() {
                set(Clue::Asks, 1.0);
            }
            set(Clue::Words, sought.shared(&line.topic).min(3.0));
            each(place, &clues);
        }
    }

    /// Those for whom the newest line meant for somebody, by them or by `one`, was meant for the other of the two.
    fn partners(&self, one: UserId) -> Few {
        let mut decided = Few::default();
        let mut partners = Few::default();
        let mut last = None;
        for line in self.lines.iter().rev() {
            let Some(to) = line.to else { continue };
            if line.author == one {
                // From here on this line is newer than anything the others wrote.
                last = Some(to);
                break;
            }
            if !decided.get().contains(&line.author) {
                decided.add(line.author);
                if to == one {
                    partners.add(line.author);
                }
            }
        }
        if let Some(to) = last.filter(|to| !decided.get().contains(to)) {
            partners.add(to);
        }
        partners
    }

    /// Remembers a line and puts it into a conversation.
    pub fn add(&mut self, arrival: &Arrival, guess: &Guess, to: Option<UserId>, own: bool) {
        let parent = guess.likeliest.and_then(|place| self.lines.get(place));
        let (conversation, joined) = match parent {
            Some(line) => (line.conversation, line.joined),
            None => {
                self.conversations = self.conversations.wrapping_add(1);
                (self.conversations, None)
            }
        };
        let joined = if own { Some(arrival.at) } else { joined };
        if own {
            for line in self.lines.iter_mut().filter(|line| line.conversation == conversation) {
                line.joined = joined;
            }
        }
        while self.lines.len() >= LINES {
            self.lines.pop_front();
        }
        self.lines.push_back(Line {
            id: arrival.id,
            author: arrival.author,
            at: arrival.at,
            to,
            conversation,
            joined,
            question: arrival.question,
            topic: *arrival.topic,
        });
    }

    /// The remembered lines, oldest first.
    pub fn lines(&self) -> &VecDeque<Line> {
        &self.lines
    }

    /// Forgets what a deleted message was about; that somebody wrote there stays.
    pub fn forget(&mut self, id: MessageId) {
        for line in self.lines.iter_mut().filter(|line| line.id == id) {
            line.topic = Topic::default();
        }
    }
}

impl Guess {
    fn count(&mut self, line: &Line, share: f32, arrival: &Arrival, me: UserId) {
        if line.author == me {
            self.mine += share;
            return;
        }
        let joined = line.joined.map_or(0.0, |at| (-((arrival.at - at).max(0) as f32) / JOINED_FADES).exp());
        self.joined += share * joined;
        if line.author == arrival.author {
            self.own += share * (1.0 - joined);
        } else {
            self.others += share * (1.0 - joined);
        }
    }
}

/// A few people, without allocating.
struct Few {
    ids: [UserId; LINES],
    len: usize,
}

impl Default for Few {
    fn default() -> Self {
        Few { ids: [UserId(0); LINES], len: 0 }
    }
}

impl Few {
    fn get(&self) -> &[UserId] {
        self.ids.get(..self.len).unwrap_or(&self.ids)
    }

    fn add(&mut self, id: UserId) {
        if let Some(slot) = self.ids.get_mut(self.len) {
            *slot = id;
            self.len += 1;
        }
    }
}

/// ln(1 + n) for the distances there are.
static LOG: std::sync::LazyLock<[f32; LINES]> =
    std::sync::LazyLock::new(|| std::array::from_fn(|n| (1.0 + n as f32).ln()));
