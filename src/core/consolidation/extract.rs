//! An episode without a model: the lines of a talk that tell most, by the rarity of their words, by reactions and by
//! replies, each with who said it.

use std::collections::{BTreeMap, BTreeSet};

use super::rarity::WordRarity;
use super::talk_end::{TalkMessage, count_tellable_lines};
use crate::chat::{ChannelId, MessageId, UserId};
use crate::memory_entry::{
    MEMORY_CHARACTERS, MemoryContent, MemoryDraft, MemoryKind, MemoryOrigin,
};
use crate::recall::extract_terms;
use crate::sensitive_topics::is_sensitive;
use crate::truncate::truncate_line;

/// A talk with fewer lines that tell something is no episode.
pub const LEAST_TELLABLE_LINES: usize = 3;
const LINES: usize = 3;
/// So many of a line's rarest words count: a long line is not better for being long.
const COUNTED_TERMS: usize = 6;
/// A line that tells so much less than the best one is left out.
const WORTH_TELLING: f64 = 0.4;
/// What a reaction and a reply add, the first most; a question tells less than an answer.
const REACTION: f64 = 0.5;
const REPLY: f64 = 0.3;
const QUESTION: f64 = 0.7;
/// The most people of an episode, those who said most.
const MOST_PEOPLE: usize = 8;
const BETWEEN: &str = " · ";

/// What happened in a talk, in the words of those who were there; None where nothing was told. Nothing sensitive is quoted.
pub fn extract_episode(
    channel: ChannelId,
    talk: &[TalkMessage],
    rarity: &WordRarity,
) -> Option<MemoryDraft> {
    if count_tellable_lines(talk) < LEAST_TELLABLE_LINES {
        return None;
    }
    let mut told = choose_lines(talk, rarity);
    let best = told.first()?;
    let at = best.at;
    told.sort_by_key(|said| said.id);
    let room = (MEMORY_CHARACTERS - BETWEEN.len() * (told.len() - 1)) / told.len();
    let quotes = told.iter().map(|said| {
        let line = format!("{}: {}", said.name, said.text);
        truncate_line(&line, room)
    });
    let content = MemoryContent {
        people: find_people(talk),
        text: quotes.collect::<Vec<_>>().join(BETWEEN),
        at,
        confidence: 1.0,
        importance: rate_importance(talk),
        sources: told.iter().map(|said| said.id).collect(),
        ..MemoryContent::new(MemoryKind::Episode, channel, MemoryOrigin::Consolidation)
    };
    Some(MemoryDraft {
        content,
        supersedes: Vec::new(),
    })
}

/// The lines that tell most, the best first; each counts by the words that those before it do not hold.
fn choose_lines<'a>(talk: &'a [TalkMessage], rarity: &WordRarity) -> Vec<&'a TalkMessage> {
    let replies = count_replies(talk);
    let lines = talk
        .iter()
        .filter(|said| said.is_by_person && !is_sensitive(&said.text));
    let mut left: Vec<(&TalkMessage, BTreeSet<String>)> = lines
        .map(|said| (said, extract_terms(&said.text).into_iter().collect()))
        .collect();
    let mut chosen = Vec::new();
    let mut best = 0.0;
    while chosen.len() < LINES {
        let scored = left
            .iter()
            .enumerate()
            .map(|(place, (said, terms))| (score_line(said, terms, rarity, &replies), place));
        // Of lines that tell as much the first.
        let Some((score, place)) = scored.rev().max_by(|a, b| a.0.total_cmp(&b.0)) else {
            break;
        };
        if score <= 0.0 || score < WORTH_TELLING * best {
            break;
        }
        best = f64::max(best, score);
        let (said, told) = left.remove(place);
        for (_, terms) in &mut left {
            terms.retain(|term| !told.contains(term));
        }
        chosen.push(said);
    }
    chosen
}

fn score_line(
    said: &TalkMessage,
    terms: &BTreeSet<String>,
    rarity: &WordRarity,
    replies: &BTreeMap<MessageId, u32>,
) -> f64 {
    let mut weights: Vec<f64> = terms.iter().map(|term| rarity.weigh(term)).collect();
    weights.sort_by(|a, b| b.total_cmp(a));
    let words: f64 = weights.iter().take(COUNTED_TERMS).sum();
    let answered = replies.get(&said.id).copied().unwrap_or(0);
    let liked =
        1.0 + REACTION * f64::from(said.reactions).ln_1p() + REPLY * f64::from(answered).ln_1p();
    let asks = said.text.trim_end().ends_with(['?', '？']);
    words * liked * if asks { QUESTION } else { 1.0 }
}

fn count_replies(talk: &[TalkMessage]) -> BTreeMap<MessageId, u32> {
    let mut replies = BTreeMap::new();
    for answered in talk.iter().filter_map(|said| said.reply_to) {
        *replies.entry(answered).or_default() += 1;
    }
    replies
}

/// The people who said most, by their ids.
pub(super) fn find_people(talk: &[TalkMessage]) -> Vec<UserId> {
    let mut counts: BTreeMap<UserId, usize> = BTreeMap::new();
    for said in talk.iter().filter(|said| said.is_by_person) {
        *counts.entry(said.author).or_default() += 1;
    }
    let mut people: Vec<(UserId, usize)> = counts.into_iter().collect();
    people.sort_by_key(|(person, count)| (std::cmp::Reverse(*count), *person));
    people.truncate(MOST_PEOPLE);
    let mut people: Vec<UserId> = people.into_iter().map(|(person, _)| person).collect();
    people.sort_unstable();
    people
}

/// How much a talk matters, 0 … 1: by how many people took part, reacted and replied.
pub(super) fn rate_importance(talk: &[TalkMessage]) -> f64 {
    let people = find_people(talk).len() as f64;
    let reactions: u32 = talk.iter().map(|said| said.reactions).sum();
    let replies = talk.iter().filter(|said| said.reply_to.is_some()).count() as f64;
    let warmth = (people - 1.0).max(0.0).ln_1p() + f64::from(reactions).ln_1p() + replies.ln_1p();
    (0.2 + 0.08 * warmth).min(0.8)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TALK: ChannelId = ChannelId(1);

    fn says(id: u64, (author, name): (u64, &str), text: &str) -> TalkMessage {
        TalkMessage {
            id: MessageId(id),
            at: 1_000 * id as i64,
            author: UserId(author),
            name: name.into(),
            is_by_person: true,
            reply_to: None,
            reactions: 0,
            text: text.into(),
        }
    }

    const ANNA: (u64, &str) = (1, "Anna");
    const BEN: (u64, &str) = (2, "Ben");

    fn moving() -> Vec<TalkMessage> {
        vec![
            says(1, ANNA, "hey, anybody around today?"),
            says(2, BEN, "yeah just got home from work"),
            says(
                3,
                ANNA,
                "I got the part, singing Carmen at the opera in May!",
            ),
            says(4, BEN, "lol"),
            says(5, BEN, "I can drive the van and carry the bookshelves"),
            says(6, ANNA, "that would be great, thanks"),
        ]
    }

    fn rarity(talk: &[TalkMessage]) -> WordRarity {
        let everyday = [
            "yeah just got home from work",
            "anybody around today?",
            "that would be great, thanks",
        ];
        let lines = talk.iter().map(|said| &*said.text);
        WordRarity::from_lines(everyday.into_iter().cycle().take(300).chain(lines))
    }

    #[test]
    fn an_episode_quotes_the_lines_that_tell_most_in_their_order_with_who_said_them() {
        let talk = moving();
        let episode = extract_episode(TALK, &talk, &rarity(&talk))
            .expect("told")
            .content;
        assert_eq!(
            episode.text,
            "Anna: I got the part, singing Carmen at the opera in May! · Ben: I can drive the van and carry the bookshelves"
        );
        assert_eq!(episode.sources, [MessageId(3), MessageId(5)]);
        assert_eq!(episode.people, [UserId(1), UserId(2)]);
    }

    #[test]
    fn what_people_reacted_and_replied_to_tells_more() {
        let mut talk = moving();
        let before = rate_importance(&talk);
        talk[1].reactions = 8;
        talk[5].reply_to = Some(MessageId(2));
        let everyday = WordRarity::from_lines(talk.iter().map(|said| &*said.text));
        let chosen = choose_lines(&talk, &everyday);
        assert_eq!(chosen[0].id, MessageId(2));
        assert!(rate_importance(&talk) > before);
    }

    #[test]
    fn small_talk_and_what_is_sensitive_is_no_episode() {
        let talk = moving();
        assert_eq!(extract_episode(TALK, &talk[..2], &rarity(&talk)), None);
        let mut sick = talk.clone();
        sick[2].text = "I was diagnosed with cancer last week".into();
        let episode = extract_episode(TALK, &sick, &rarity(&sick)).expect("told");
        assert!(!episode.content.text.contains("cancer"), "{episode:?}");
    }

    #[test]
    fn an_episode_is_one_line_that_is_never_too_long() {
        let mut talk = moving();
        for said in &mut talk {
            said.text = format!(
                "line {}\nof very {} words",
                said.id.0,
                "different ".repeat(80)
            )
            .into();
        }
        let episode = extract_episode(TALK, &talk, &rarity(&talk))
            .expect("told")
            .content;
        assert!(
            episode.text.chars().count() <= MEMORY_CHARACTERS,
            "{}",
            episode.text
        );
        assert!(!episode.text.contains('\n'));
    }

    #[test]
    fn a_talk_in_chinese_is_told_as_well() {
        let talk = vec![
            says(1, ANNA, "大家早"),
            says(2, ANNA, "我大提琴比赛拿了一等奖，奖杯好沉"),
            says(3, BEN, "哈哈哈"),
            says(4, BEN, "我可以开面包车帮你搬书架"),
            says(5, ANNA, "太好了谢谢"),
        ];
        let lines = talk.iter().map(|said| &*said.text);
        let rarity = WordRarity::from_lines(lines);
        let episode = extract_episode(TALK, &talk, &rarity).expect("told").content;
        assert!(
            episode.text.contains("大提琴比赛") && episode.text.contains("面包车"),
            "{}",
            episode.text
        );
    }
}
