//! Looks at the clues that a message answers an earlier line.

use super::{LINES, LinkArrival, LinkLine, ReplyLinks};
use crate::chat::UserId;
use crate::link_clue::{CLUES, LinkClue};
use crate::topic::WordSketch;

/// ln(1 + 180): a line is stale after three minutes.
const STALE: f32 = 5.198_497;

impl ReplyLinks {
    /// Computes the clues for every remembered line, newest first: what is learnt from.
    pub fn for_each_clues(
        &self,
        arrival: &LinkArrival,
        heard: &WordSketch,
        mut each: impl FnMut(usize, &[f32; CLUES]),
    ) {
        let words = arrival.words;
        let base = self.compute_message_clues(arrival);
        let mut seen = InlinePeople::default();
        let (mut same_run, mut spoken) = (true, false);
        let partners = self.find_partners(arrival.author);
        let sought = heard.build_query(&words.topic);
        let (log, length) = (&*LOG, &*LENGTH);
        for (back, (place, line)) in self.lines.iter().enumerate().rev().enumerate() {
            let same = line.author == arrival.author;
            same_run &= same;
            let newest = !seen.get().contains(&line.author);
            if newest {
                seen.add(line.author);
            }
            let names = arrival.named.contains(&line.author);
            let for_me = !same & (line.to == Some(arrival.author));
            let (shared, rarest) = sought.compute_shared_rarity(&line.topic);
            let mut clues = base;
            let mut set = |clue: LinkClue, value: f32| clues[clue as usize] = value;
            set(LinkClue::Distance, log[back]);
            let age = look_up_logarithm(log, line_age_seconds(arrival, line));
            set(LinkClue::Age, age);
            set(LinkClue::Stale, (age - STALE).clamp(0.0, 2.0));
            set(LinkClue::Length, length[usize::from(line.length)]);
            set(LinkClue::Words, shared.min(3.0));
            set(LinkClue::Rarest, rarest);
            // Written whatever it is, and without short cuts: branches nobody can foresee cost more than all of this.
            let mut flag = |clue: LinkClue, yes: bool| set(clue, f32::from(u8::from(yes)));
            let other = !same;
            let named = !arrival.named.is_empty();
            let to = line.to.unwrap_or(line.author);
            let states = !words.question & !named;
            flag(LinkClue::Previous, back == 0);
            flag(LinkClue::Newest, newest);
            flag(LinkClue::NamesAuthor, names);
            flag(LinkClue::SameAuthor, same);
            flag(LinkClue::SameRun, same & same_run);
            flag(LinkClue::SameNewest, same & newest);
            flag(
                LinkClue::SamePartner,
                same & newest & (to != line.author) & arrival.named.contains(&to),
            );
            flag(LinkClue::NamesBack, names & for_me);
            flag(LinkClue::NamesAsker, names & other & line.question);
            flag(LinkClue::NamesOther, named & !names & other);
            flag(LinkClue::MeantForMe, for_me);
            flag(LinkClue::SpokenSince, for_me & spoken);
            flag(
                LinkClue::MeantForOther,
                other & (to != arrival.author) & (to != line.author),
            );
            flag(
                LinkClue::Partners,
                other & partners.get().contains(&line.author),
            );
            flag(LinkClue::AnswersQuestion, other & line.question);
            flag(LinkClue::Statement, other & line.question & states);
            flag(LinkClue::Passed, other & spoken & !names);
            flag(LinkClue::Reacts, other & words.agrees & !for_me);
            spoken |= same;
            each(place, &clues);
        }
    }

    /// The clues of the message alone, which are the same for every line.
    fn compute_message_clues(&self, arrival: &LinkArrival) -> [f32; CLUES] {
        let words = arrival.words;
        let mut base = [0.0f32; CLUES];
        let own = self
            .lines
            .iter()
            .rev()
            .find(|line| line.author == arrival.author);
        let alone = [
            (LinkClue::Asks, words.question && arrival.named.is_empty()),
            (LinkClue::AsksAll, words.to_all),
            (LinkClue::Greets, words.greeting),
            (LinkClue::First, own.is_none()),
            (LinkClue::Agrees, words.agrees),
        ];
        for (clue, _) in alone.into_iter().filter(|(_, yes)| *yes) {
            base[clue as usize] = 1.0;
        }
        base[LinkClue::Pause as usize] = own.map_or(0.0, |line| {
            (1.0 + line_age_seconds(arrival, line)).ln() / 5.0
        });
        base
    }

    /// Those for whom the newest line meant for somebody, by them or by `one`, was meant for the other of the two.
    fn find_partners(&self, one: UserId) -> InlinePeople {
        let mut decided = InlinePeople::default();
        let mut partners = InlinePeople::default();
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
}

fn line_age_seconds(arrival: &LinkArrival, line: &LinkLine) -> f32 {
    (arrival.at - line.at).max(0) as f32 / 1_000.0
}

/// A few people, without allocating.
struct InlinePeople {
    ids: [UserId; LINES],
    len: usize,
}

impl Default for InlinePeople {
    fn default() -> Self {
        InlinePeople {
            ids: [UserId(0); LINES],
            len: 0,
        }
    }
}

impl InlinePeople {
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

/// ln(1 + seconds), looked up where they are few: every line's logarithm would take a tenth of a message's time.
fn look_up_logarithm(log: &[f32], seconds: f32) -> f32 {
    log.get(seconds as usize)
        .copied()
        .unwrap_or_else(|| (1.0 + seconds).ln())
}

/// ln(1 + n).
static LOG: std::sync::LazyLock<[f32; 1_024]> =
    std::sync::LazyLock::new(|| std::array::from_fn(|n| (1.0 + n as f32).ln()));

/// ln(1 + n) / 5 for the lengths of lines, in bytes, that are told apart.
static LENGTH: std::sync::LazyLock<[f32; 256]> =
    std::sync::LazyLock::new(|| std::array::from_fn(|n| (1.0 + n as f32).ln() / 5.0));
