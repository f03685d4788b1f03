//! The talk around a message, read off the last lines: what the companion said last and to whom, who wrote since, what
//! the author wrote before it in one breath. What the companion's own conversation is judged by.

use std::collections::VecDeque;

use super::signal_values::{SignalValues, flag, scale_length};
use crate::chat::{MINUTE, Millis, SECOND, UserId};
use crate::links::{LinkLine, ReplyLinks};
use crate::message_shape::{CueSet, DialogueCue};
use crate::topic::TopicHashes;
use crate::willingness::Signal;

/// Lines of one author no further apart belong to one burst, with so few of others between two of them.
pub(super) const BURST_GAP: Millis = 45 * SECOND;
const BURST_BETWEEN: usize = 2;
/// How long a line may be ago for the author to be continuing it.
pub(super) const CONTINUES: Millis = MINUTE;
/// The most lines of a burst.
const BURST_LINES: usize = 8;
/// Own lines no further apart are one turn.
const OWN_GAP: Millis = 90 * SECOND;
/// How long who wrote right before its turn counts as who it answered, and how long the others of the last lines do.
const PARTNER_RIGHT_BEFORE: Millis = 10 * MINUTE;
const PARTNER_NEAR: Millis = 5 * MINUTE;
const NEAR_LINES: usize = 4;
/// Who wrote within this time is around.
const AROUND: Millis = 20 * MINUTE;
/// The last two to speak within so many lines are whom "you two" is said to.
const TWO_LINES: usize = 8;
/// Over how many lines its newest share is taken.
const FEW_LINES: usize = 6;

/// The companion's last turn, as the author of a message meets it.
#[derive(Clone, Copy, Debug)]
pub(super) struct LastOwnTurn {
    /// How long before the author's burst it ended.
    pub ago: Millis,
    pub asked: bool,
    /// How much the author is who it answered: 1 wrote right before it, less where only near.
    pub partner: f32,
    /// Whether it was meant for the author, or for somebody else, by name or by what it answers.
    pub to_author: bool,
    pub to_other: bool,
    pub topic: TopicHashes,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct TalkFeatures {
    pub own: Option<LastOwnTurn>,
    /// Lines since its last, of anybody, of others than the author, and how many of the author before this one.
    pub since: usize,
    pub others_since: usize,
    pub author_since: usize,
    /// All cues of the burst the message ends, its lines, and their bytes.
    pub burst: CueSet,
    pub burst_lines: usize,
    pub burst_length: usize,
    /// The pause before the burst; none if nothing was said before.
    pub lull: Option<Millis>,
    /// The last line of somebody else before the burst: whether it is the companion's, how long ago, whether somebody
    /// else asked something with it, and whether it was meant for the author.
    pub before_is_own: bool,
    pub before_ago: Millis,
    pub before_asks: bool,
    pub before_to_author: bool,
    /// Whether the author and one other have the last lines to themselves.
    pub pair: bool,
    /// How many are around, the author among them and not the companion.
    pub around: usize,
    pub own_share: f32,
    /// Whether the author asked lately to be left in peace.
    pub leave_be: bool,
}

impl TalkFeatures {
    /// Reads the remembered lines, the message itself not among them.
    pub fn from_links(
        links: &ReplyLinks,
        author: UserId,
        me: UserId,
        now: Millis,
        cues: CueSet,
        length: usize,
    ) -> TalkFeatures {
        let lines = links.lines();
        let back = |n: usize| line_back(lines, n);
        let own_at = lines.iter().rev().position(|line| line.author == me);
        let since = own_at.unwrap_or(lines.len());
        let by_author = |n: &usize| back(*n).is_some_and(|line| line.author == author);
        let Burst {
            cues: burst,
            lines: burst_lines,
            length: burst_length,
            started,
            first,
        } = Burst::read(lines, since, author, now, cues, length);
        let before = (first..lines.len())
            .filter_map(back)
            .find(|line| line.author != author);
        let own = own_at.map(|at| read_own_turn(lines.iter().rev().skip(at), author, me, started));
        let latest = || lines.iter().rev().take(FEW_LINES);
        let other = latest().map(|line| line.author).find(|id| *id != author);
        let pair = lines.len() >= 4
            && other.is_some_and(|other| other != me)
            && latest()
                .take(FEW_LINES)
                .all(|line| line.author == author || Some(line.author) == other);
        let own_lines = latest().filter(|line| line.author == me).count();
        TalkFeatures {
            own,
            since,
            others_since: (0..since).filter(|n| !by_author(n)).count(),
            author_since: (0..since).filter(by_author).count(),
            burst,
            burst_lines,
            burst_length,
            lull: back(first).map(|line| (started - line.at).max(0)),
            before_is_own: before.is_some_and(|line| line.author == me),
            before_ago: before.map_or(Millis::MAX, |line| (started - line.at).max(0)),
            before_asks: before
                .is_some_and(|line| line.author != me && line.cues.has(DialogueCue::Question)),
            before_to_author: before
                .is_some_and(|line| line.author != me && line.to == Some(author)),
            pair,
            around: 1 + count_others(lines, author, me, now),
            own_share: own_lines as f32 / latest().count().max(1) as f32,
            leave_be: burst.has(DialogueCue::LeaveBe)
                || lines.iter().rev().take(12).any(|line| {
                    line.author == author
                        && now - line.at <= PARTNER_RIGHT_BEFORE
                        && line.cues.has(DialogueCue::LeaveBe)
                }),
        }
    }
}

/// The line that is so many before the newest.
fn line_back(lines: &VecDeque<LinkLine>, n: usize) -> Option<&LinkLine> {
    let place = lines.len().checked_sub(n + 1)?;
    lines.get(place)
}

/// What an author wrote in one breath, up to now.
struct Burst {
    cues: CueSet,
    lines: usize,
    /// In bytes.
    length: usize,
    started: Millis,
    /// How many lines back the one before it is.
    first: usize,
}

impl Burst {
    /// Reads the burst that ends in a message of these cues and length, among the lines since the companion's last.
    fn read(
        lines: &VecDeque<LinkLine>,
        since: usize,
        author: UserId,
        now: Millis,
        cues: CueSet,
        length: usize,
    ) -> Burst {
        let mut burst = Burst {
            cues,
            lines: 1,
            length,
            started: now,
            first: 0,
        };
        let mut between = 0;
        for n in 0..since {
            let Some(line) = line_back(lines, n) else {
                break;
            };
            if line.author != author {
                between += 1;
                if between > BURST_BETWEEN {
                    break;
                }
                continue;
            }
            if burst.started - line.at > BURST_GAP || burst.lines >= BURST_LINES {
                break;
            }
            burst.cues = burst.cues.union(line.cues);
            burst.length += usize::from(line.length);
            burst.started = line.at;
            burst.lines += 1;
            burst.first = n + 1;
            between = 0;
        }
        burst
    }
}

fn count_others(lines: &VecDeque<LinkLine>, author: UserId, me: UserId, now: Millis) -> usize {
    let lately =
        |line: &&LinkLine| now - line.at <= AROUND && line.author != me && line.author != author;
    // Who wrote is counted at the newest of their lines.
    let is_newest = |(n, line): &(usize, &LinkLine)| {
        lines
            .range(n + 1..)
            .all(|newer| newer.author != line.author)
    };
    lines
        .iter()
        .enumerate()
        .filter(|(_, line)| lately(line))
        .filter(is_newest)
        .count()
}

/// The companion's last turn; `newest_first` begins with its last line.
fn read_own_turn<'a>(
    newest_first: impl Iterator<Item = &'a LinkLine>,
    author: UserId,
    me: UserId,
    now: Millis,
) -> LastOwnTurn {
    let mut turn = LastOwnTurn {
        ago: Millis::MAX,
        asked: false,
        partner: 0.0,
        to_author: false,
        to_other: false,
        topic: TopicHashes::default(),
    };
    let (mut began, mut before) = (None::<Millis>, 0);
    for line in newest_first {
        match began {
            None => (turn.ago, turn.topic) = ((now - line.at).max(0), line.topic),
            Some(at) if line.author != me || at - line.at > OWN_GAP => {
                let right = before == 0 && at - line.at <= PARTNER_RIGHT_BEFORE;
                if line.author == author && (right || at - line.at <= PARTNER_NEAR) {
                    turn.partner = f32::max(turn.partner, if right { 1.0 } else { 0.7 });
                }
                before += 1;
                if before >= NEAR_LINES {
                    break;
                }
                continue;
            }
            Some(_) => {}
        }
        if before == 0 {
            began = Some(line.at);
            turn.asked |= line.cues.has(DialogueCue::Question);
            turn.to_author |= line.to == Some(author);
            turn.to_other |= line.to.is_some_and(|to| to != author);
        }
    }
    turn
}

/// Whether the last two who spoke before the author are the companion and one other; none where fewer spoke lately.
pub(super) fn is_one_of_two(
    links: &ReplyLinks,
    author: UserId,
    me: UserId,
    now: Millis,
) -> Option<bool> {
    let mut last = links
        .lines()
        .iter()
        .rev()
        .take(TWO_LINES)
        .filter(|line| line.author != author);
    let one = last
        .next()
        .filter(|line| now - line.at <= PARTNER_NEAR)?
        .author;
    let other = last
        .find(|line| line.author != one)
        .filter(|line| now - line.at <= PARTNER_NEAR)?
        .author;
    Some(one == me || other == me)
}

/// What the words say about the talk: those of the message, and of the burst it ends.
pub(super) fn set_burst_signals(
    values: &mut SignalValues,
    cues: CueSet,
    talk: &TalkFeatures,
    asks: f32,
) {
    let burst = talk.burst;
    values.set_flag(Signal::Request, cues.has(DialogueCue::Request));
    values.set_flag(Signal::Room, burst.has(DialogueCue::Room));
    values.set(
        Signal::RoomQuestion,
        asks * flag(burst.has(DialogueCue::Room)),
    );
    values.set_flag(Signal::Slight, cues.has(DialogueCue::Slight));
    values.set_flag(Signal::Closing, cues.has(DialogueCue::Closing));
    values.set_flag(Signal::Trailing, cues.has(DialogueCue::Trailing));
    values.set_flag(Signal::Distress, burst.has(DialogueCue::Distress));
    values.set_flag(Signal::GoodNews, burst.has(DialogueCue::GoodNews));
    values.set_flag(Signal::LeaveBe, talk.leave_be);
    values.set_flag(Signal::Loud, burst.has(DialogueCue::Loud));
    values.set_flag(Signal::NamesOther, burst.has(DialogueCue::NamesOther));
    values.set_flag(
        Signal::NamesOtherYou,
        burst.has(DialogueCue::NamesOther) && cues.has(DialogueCue::You),
    );
    values.set_flag(
        Signal::BurstNames,
        burst.has(DialogueCue::NamesMe) && !cues.has(DialogueCue::NamesMe),
    );
    values.set(Signal::BurstLength, scale_length(talk.burst_length, 300.0));
    values.set(
        Signal::BurstLines,
        (talk.burst_lines - 1).min(4) as f32 / 4.0,
    );
    values.set_flag(
        Signal::BeforeAsks,
        talk.before_asks && talk.before_ago <= 3 * MINUTE,
    );
    values.set_flag(
        Signal::BeforeToAuthor,
        talk.before_to_author && talk.before_ago <= 3 * MINUTE,
    );
    values.set_flag(
        Signal::BeforeOther,
        !talk.before_is_own && talk.before_ago <= 40 * SECOND,
    );
    values.set_flag(Signal::Pair, talk.pair);
    values.set_flag(
        Signal::YouTwo,
        cues.has(DialogueCue::YouTwo) && !cues.has(DialogueCue::NamesOther),
    );
}

/// How long nobody spoke before, and who is around.
pub(super) fn set_pause_signals(values: &mut SignalValues, talk: &TalkFeatures, asks: f32) {
    let burst = talk.burst;
    let to_nobody = !burst.has(DialogueCue::NamesOther);
    let long_lull = talk.lull.is_none_or(|lull| lull > 10 * MINUTE);
    values.set_flag(Signal::LongLull, long_lull);
    values.set(Signal::LullQuestion, asks * flag(long_lull && to_nobody));
    let cold = talk.own.is_none_or(|own| own.ago > 15 * MINUTE);
    values.set(Signal::ColdQuestion, asks * flag(cold && to_nobody));
    values.set(Signal::Around, (talk.around as f32).ln() / 10f32.ln());
    values.set_flag(Signal::AuthorAlone, talk.around == 1);
    values.set_flag(
        Signal::AloneDistress,
        talk.around == 1 && burst.has(DialogueCue::Distress),
    );
    values.set(Signal::ShareNow, talk.own_share);
    values.set(Signal::SinceOwn, scale_length(talk.since, 40.0));
}
