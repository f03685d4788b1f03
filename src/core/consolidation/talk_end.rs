//! Where a talk ends.

use std::sync::Arc;

use crate::chat::{MINUTE, MessageId, Millis, UserId};
use crate::recall::extract_terms;

/// A silence as long as this ends a talk. The ranking of recall divides talks by the same.
pub const TALK_PAUSE: Millis = 30 * MINUTE;
/// A talk of more messages than this is divided where its second half has its longest silence.
pub const LONGEST_TALK: usize = 200;
/// A line of fewer telling words tells nothing by itself.
const TELLING_TERMS: usize = 2;

#[derive(Clone, Debug, PartialEq)]
pub struct TalkMessage {
    pub id: MessageId,
    pub at: Millis,
    pub author: UserId,
    /// What they were called then.
    pub name: Arc<str>,
    /// Whether a person wrote it, and not the companion, another bot or a webhook.
    pub is_by_person: bool,
    pub reply_to: Option<MessageId>,
    pub reactions: u32,
    pub text: Arc<str>,
}

/// How many of these, oldest first, are the first talk; None where it may go on. Nothing else was said up to `until`.
pub fn find_talk_end(messages: &[TalkMessage], until: Millis) -> Option<usize> {
    let is_pause = |pair: &[TalkMessage]| measure_silence(pair) >= TALK_PAUSE;
    let paused = messages.windows(2).position(is_pause).map(|last| last + 1);
    let end = paused.or_else(|| {
        let last = messages.last()?;
        (until - last.at >= TALK_PAUSE).then_some(messages.len())
    });
    let length = end.unwrap_or(messages.len());
    if length <= LONGEST_TALK {
        return end;
    }
    let half = LONGEST_TALK / 2;
    // Of silences as long the first: whatever is said later changes nothing.
    (half..LONGEST_TALK)
        .rev()
        .max_by_key(|&at| measure_silence(&messages[at - 1..=at]))
}

fn measure_silence(pair: &[TalkMessage]) -> Millis {
    match pair {
        [before, after] => after.at - before.at,
        _ => 0,
    }
}

pub fn count_tellable_lines(talk: &[TalkMessage]) -> usize {
    let tells =
        |said: &&TalkMessage| said.is_by_person && extract_terms(&said.text).len() >= TELLING_TERMS;
    talk.iter().filter(tells).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn talk(times: impl IntoIterator<Item = Millis>) -> Vec<TalkMessage> {
        let message = |(at, id): (Millis, u64)| TalkMessage {
            id: MessageId(id),
            at,
            author: UserId(1),
            name: "Anna".into(),
            is_by_person: true,
            reply_to: None,
            reactions: 0,
            text: "the cello lesson was long".into(),
        };
        times.into_iter().zip(1..).map(message).collect()
    }

    #[test]
    fn a_talk_ends_with_a_long_silence_and_not_before() {
        let said = talk([0, MINUTE, 2 * MINUTE, 2 * MINUTE + TALK_PAUSE]);
        assert_eq!(find_talk_end(&said, said[3].at), Some(3));
        assert_eq!(find_talk_end(&said[3..], said[3].at + TALK_PAUSE - 1), None);
        assert_eq!(find_talk_end(&said[3..], said[3].at + TALK_PAUSE), Some(1));
        assert_eq!(find_talk_end(&[], 0), None);
    }

    #[test]
    fn where_a_long_talk_is_divided_does_not_depend_on_when_it_is_looked_at() {
        let mut at = 0;
        let times: Vec<Millis> = (0..500)
            .map(|n| {
                at += if n == 130 || n == 140 {
                    20 * MINUTE
                } else {
                    MINUTE
                };
                at
            })
            .collect();
        let said = talk(times);
        for seen in LONGEST_TALK + 1..said.len() {
            let until = said[seen - 1].at;
            assert_eq!(find_talk_end(&said[..seen], until), Some(130), "{seen}");
        }
        assert_eq!(
            find_talk_end(&said[..LONGEST_TALK], said[LONGEST_TALK].at),
            None
        );
    }

    #[test]
    fn lines_of_a_word_or_two_tell_nothing() {
        let mut said = talk(0..4);
        said[0].text = "lol".into();
        said[1].text = "ok then".into();
        said[2].is_by_person = false;
        assert_eq!(count_tellable_lines(&said), 1);
    }
}
