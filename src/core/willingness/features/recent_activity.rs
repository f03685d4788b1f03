//! The picture of the last lines as it is when a message comes in: how many speak, how fast, whose turn it is.

use crate::chat::{MINUTE, Millis, SECOND, UserId};
use crate::links::{LINES, ReplyLinks};

/// How many last lines make up the picture of the room.
const WINDOW: usize = 20;
/// From more speakers than this on a room is no longer small; over how many more that fades.
const SMALL: f32 = 3.0;
const SMALL_ENDS: f32 = 1.0;
/// A quiet hour in a crowd is no small room: the same for others who were heard today.
const FEW_OTHERS: f32 = 5.0;
const FEW_OTHERS_ENDS: f32 = 4.0;
/// Fewer lines than these say little about anybody's share.
const FEW: u8 = 6;
/// How long ago lines count as of late.
const OF_LATE: Millis = 180 * SECOND;

/// The picture of the last lines.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RoomFeatures {
    /// How many speak, the companion among them.
    pub speakers: f32,
    /// The companion's share of the last lines.
    pub own_share: f32,
    /// How many of the last lines it wrote for each of whoever wrote most; 0 while there are few.
    pub evenness: f32,
    /// Its share of all remembered lines, smoothed towards an equal one.
    pub long_share: f32,
    /// Its lines of the last three minutes.
    pub of_late: f32,
    pub per_minute: f32,
    /// 1 for up to three people, 0 from four on, or where many more were heard today.
    pub small: f32,
    /// Logarithm of how many lines the companion has been silent, less that of whoever else spoke last.
    pub silence: f32,
    pub longest: bool,
    /// How often it is the next to speak after the author.
    pub follows: f32,
    /// Whether the author cuts in on it and somebody else.
    pub cut_in: bool,
    pub asked: bool,
}

impl RoomFeatures {
    /// Looks at the lines before a message; so many `others` were heard today.
    pub fn new(
        links: &ReplyLinks,
        others: usize,
        now: Millis,
        author: UserId,
        me: UserId,
    ) -> RoomFeatures {
        let lines = links.lines();
        let mut people = People {
            ids: [author; WINDOW + 1],
            silent: [0; WINDOW + 1],
            lines: [0; WINDOW + 1],
            len: 1,
        };
        let (mut own, mut own_long, mut oldest, mut seen) = (0u8, 0u8, now, 0u8);
        let mut silent = LINES;
        let mut room = RoomFeatures::default();
        let (mut gone_on, mut mine, mut theirs) = (0u8, 0u8, 0u8);
        let mut after: Option<UserId> = None;
        for (back, line) in lines.iter().rev().enumerate() {
            if line.author == me {
                own_long += 1;
                silent = silent.min(back);
                if now - line.at <= OF_LATE {
                    room.of_late += 1.0;
                }
            }
            if back < WINDOW {
                seen += 1;
                oldest = line.at;
                own += u8::from(line.author == me);
            }
            people.add_line(line.author, back);
            if line.author == author {
                match after {
                    Some(next) if next == author => gone_on += 1,
                    Some(next) if next == me => mine += 1,
                    Some(_) => theirs += 1,
                    None => {}
                }
            }
            after = Some(line.author);
        }
        let minutes = ((now - oldest).max(0) as f32 / MINUTE as f32).max(0.1);
        room.speakers = people.len as f32 + if own == 0 { 1.0 } else { 0.0 };
        room.own_share = f32::from(own) / WINDOW as f32;
        if seen >= FEW {
            room.evenness = f32::from(own) / f32::from(people.most_lines(me).max(1));
        }
        room.long_share = (f32::from(own_long) + 1.0) / (lines.len() as f32 + room.speakers);
        room.per_minute = f32::from(seen) / minutes;
        let few = |count: f32, most: f32, ends: f32| (1.0 - (count - most) / ends).clamp(0.0, 1.0);
        room.small =
            few(room.speakers, SMALL, SMALL_ENDS) * few(others as f32, FEW_OTHERS, FEW_OTHERS_ENDS);
        if let Some((least, most)) = people.silence_range(author, me) {
            room.silence = (1.0 + silent as f32).ln() - (1.0 + least as f32).ln();
            room.longest = silent > most;
        }
        room.follows = (f32::from(mine) + 0.5)
            / (f32::from(gone_on) + f32::from(mine) + f32::from(theirs) + 2.0);
        let before = || lines.iter().rev().find(|line| line.author != me);
        room.cut_in = silent == 0 && before().is_some_and(|line| line.author != author);
        room.asked = lines.back().is_some_and(|line| line.question);
        room
    }
}

/// Who spoke in the last lines, how many lines ago and how many lines; the first is the author.
struct People {
    ids: [UserId; WINDOW + 1],
    silent: [usize; WINDOW + 1],
    lines: [u8; WINDOW + 1],
    len: usize,
}

impl People {
    fn add_line(&mut self, id: UserId, back: usize) {
        if back >= WINDOW {
            return;
        }
        let known = self
            .ids
            .iter()
            .take(self.len)
            .position(|known| *known == id);
        let place = known.unwrap_or(self.len);
        if known.is_none() {
            (self.ids[place], self.silent[place]) = (id, back);
            self.len += 1;
        }
        self.lines[place] += 1;
    }

    /// The lines of whoever wrote most of them, `me` apart.
    fn most_lines(&self, me: UserId) -> u8 {
        let others = self
            .ids
            .iter()
            .zip(self.lines)
            .take(self.len)
            .filter(|(id, _)| **id != me);
        others.map(|(_, lines)| lines).max().unwrap_or(0)
    }

    /// For how many lines the others have been silent: the least and the most.
    fn silence_range(&self, author: UserId, me: UserId) -> Option<(usize, usize)> {
        let others = self
            .ids
            .iter()
            .zip(&self.silent)
            .take(self.len)
            .filter(|(id, _)| **id != author && **id != me);
        others.fold(None, |found, (_, silent)| {
            let (least, most) = found.unwrap_or((*silent, *silent));
            Some((least.min(*silent), most.max(*silent)))
        })
    }
}
