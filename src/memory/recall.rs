//! Recall: full-text search over what was said, scope first. Never finds what the prompt already shows.

use std::collections::{HashMap, HashSet};

use kith_core::chat::{AuthorKind, ChannelId, MINUTE, MessageId, Millis, UserId};
use kith_core::context::{RecalledMessage, RecalledTalk};
use kith_core::recall::{
    AROUND, RecallLine, RecallQuery, TimeRange, find_named_person, rank_lines,
};
use kith_store::{
    LeftOutMessages, MessageSearch, SearchAuthor, SearchContext, SearchHit, StoreError,
};

use super::Memory;

/// So many of the lines that hold a word of a question are ranked with what stands around them.
pub(super) const RANKED: usize = 200;
/// So many lines at most are looked at because somebody said them at the time that is spoken of, the newest of them.
const SAID_THEN: usize = 50;
/// What fits so much worse than the best line is not shown.
const WORTH_SHOWING: f64 = 0.12;
/// A hit is shown with two lines at most; so many lines are found for each place that is shown.
const LINES_OF_PLACE: usize = 3;
/// A line so close to a hit is shown with it.
const CLOSE: Millis = 5 * MINUTE;

/// A message by its channel and id.
pub(super) type MessagePlace = (ChannelId, MessageId);

/// Where may be looked, and what is on show already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecallSources {
    /// The channel the text is for.
    pub here: ChannelId,
    /// The channels whose text everybody in `here` can view now; with `here` itself. A direct message stands alone
    /// in its own list and in no other.
    pub channels: Vec<ChannelId>,
    /// The oldest message of `here` that the prompt shows; it and what came after is not recalled.
    pub shown_from: Option<MessageId>,
    /// The newest message of `here` that is left out of the context for good; it and what came before is not recalled.
    pub begins_after: Option<MessageId>,
}

impl RecallSources {
    pub(super) fn left_out(&self) -> LeftOutMessages {
        LeftOutMessages {
            channel: self.here,
            from: self.shown_from,
            until: self.begins_after,
        }
    }
}

/// What to recall.
#[derive(Clone, Debug, Default)]
pub struct RecallQuestion {
    /// A question, or words, any of which will do; without any the newest messages are found.
    pub words: String,
    /// Who asks, if that is known: what somebody asks about themselves is best found in what they said.
    pub asker: Option<UserId>,
    /// Only what this person wrote.
    pub author: Option<SearchAuthor>,
    /// Not before this.
    pub from: Option<Millis>,
    /// Before this.
    pub to: Option<Millis>,
    /// The time the question speaks of: what was said then fits better.
    pub period: Option<TimeRange>,
    /// When it is asked, where that is known: what was said just now fits better.
    pub now: Option<Millis>,
    /// The most messages to answer with.
    pub limit: usize,
}

impl Memory {
    /// Messages that answer a question, best first, with the lines around them. Those that show some of the same lines
    /// count as one of `limit`.
    ///
    /// # Errors
    /// The store failed.
    pub async fn recall(
        &self,
        sources: &RecallSources,
        question: RecallQuestion,
    ) -> Result<Vec<RecalledTalk>, StoreError> {
        let places = question.limit;
        let limit = LINES_OF_PLACE * places;
        let question = RecallQuestion { limit, ..question };
        let mut found = self.find_hits(sources, question).await?;
        let scores = found.iter().map(|found| found.hit.score);
        let best = scores.fold(0.0, f64::max);
        found.retain(|found| found.hit.score >= WORTH_SHOWING * best);
        let found = keep_places(found, places);
        Ok(found.into_iter().map(RecalledTalk::from).collect())
    }

    /// The same with ids and scores.
    ///
    /// # Errors
    /// The store failed.
    pub async fn search(
        &self,
        sources: &RecallSources,
        question: RecallQuestion,
    ) -> Result<Vec<SearchHit>, StoreError> {
        let found = self.find_hits(sources, question).await?;
        Ok(found.into_iter().map(|found| found.hit).collect())
    }

    async fn find_hits(
        &self,
        sources: &RecallSources,
        question: RecallQuestion,
    ) -> Result<Vec<HitInTalk>, StoreError> {
        let search = MessageSearch {
            channels: sources.channels.clone(),
            author: question.author.clone(),
            from: question.from,
            to: question.to,
            left_out: Some(sources.left_out()),
            limit: question.limit,
            ..MessageSearch::default()
        };
        if question.words.trim().is_empty() {
            let newest = self.store.search(search).await?;
            return Ok(newest.into_iter().map(HitInTalk::alone).collect());
        }
        let with_words = MessageSearch {
            words: question.words.clone(),
            limit: RANKED,
            ..search.clone()
        };
        let mut around = self
            .store
            .search_with_context(with_words, AROUND.len())
            .await?;
        self.add_lines_of_period(&question, &search, &mut around)
            .await?;
        Ok(rank_hits(&question, around, &search))
    }

    /// Adds what the one person who is named said at the time that is spoken of, in whatever words.
    async fn add_lines_of_period(
        &self,
        question: &RecallQuestion,
        limits: &MessageSearch,
        around: &mut SearchContext,
    ) -> Result<(), StoreError> {
        let Some(period) = question.period else {
            return Ok(());
        };
        let person = find_named_person(&question.words, &to_recall_lines(&around.stretches));
        let Some(person) = person else {
            return Ok(());
        };
        let search = MessageSearch {
            author: Some(SearchAuthor::Id(person)),
            from: Some(
                limits
                    .from
                    .map_or(period.from, |from| from.max(period.from)),
            ),
            to: Some(limits.to.map_or(period.to, |to| to.min(period.to))),
            limit: SAID_THEN,
            ..limits.clone()
        };
        let known: HashSet<MessagePlace> =
            around.stretches.iter().flatten().map(place_of).collect();
        let said = self.store.search(search).await?.into_iter();
        let new = said.filter(|line| !known.contains(&place_of(line)));
        around.stretches.extend(new.map(|line| vec![line]));
        Ok(())
    }
}

/// The hits of the best so many places: one that is shown with lines of a better one adds to its place. Together they show no
/// more lines than as many hits that stand apart.
fn keep_places(found: Vec<HitInTalk>, places: usize) -> Vec<HitInTalk> {
    let mut shown: HashSet<MessagePlace> = HashSet::new();
    let (mut kept, mut opened) = (Vec::new(), 0);
    for hit in found {
        let adds_to_place = hit.ids().any(|id| shown.contains(&id));
        let new = hit.ids().filter(|id| !shown.contains(id)).count();
        if shown.len() + new > LINES_OF_PLACE * places || !adds_to_place && opened == places {
            continue;
        }
        opened += usize::from(!adds_to_place);
        shown.extend(hit.ids());
        kept.push(hit);
    }
    kept
}

/// The lines that answer a question, best first, within the limits of the search.
fn rank_hits(
    question: &RecallQuestion,
    around: SearchContext,
    limits: &MessageSearch,
) -> Vec<HitInTalk> {
    let SearchContext {
        stretches,
        frequencies,
        messages,
    } = around;
    let lines = to_recall_lines(&stretches);
    let frequencies: HashMap<String, u64> = frequencies.into_iter().collect();
    let asked = RecallQuery {
        text: &question.words,
        asker: question.asker,
        frequencies,
        messages,
        period: question.period,
        now: question.now,
    };
    let ranked = rank_lines(&asked, &lines);
    let left_out = limits.left_out;
    let is_shown = |hit: &SearchHit| left_out.is_some_and(|out| out.contains(hit.channel, hit.id));
    let is_within = |hit: &SearchHit| {
        let is_by = match &limits.author {
            None => true,
            Some(SearchAuthor::Id(id)) => hit.author == *id,
            Some(SearchAuthor::Name(name)) => hit
                .author_name
                .to_lowercase()
                .contains(&name.trim().to_lowercase()),
        };
        let (from, to) = (
            limits.from.unwrap_or(Millis::MIN),
            limits.to.unwrap_or(Millis::MAX),
        );
        is_by && (from..to).contains(&hit.at) && !is_shown(hit)
    };
    ranked
        .into_iter()
        .filter(|ranked| is_within(&stretches[ranked.at.0][ranked.at.1]))
        .take(limits.limit)
        .map(|ranked| {
            let found = HitInTalk::from_stretch(&stretches[ranked.at.0], ranked.at.1, is_shown);
            found.with_score(ranked.score)
        })
        .collect()
}

/// A line that was found, and the lines that are shown with it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct HitInTalk {
    pub(super) hit: SearchHit,
    pub(super) before: Option<SearchHit>,
    pub(super) after: Option<SearchHit>,
}

impl HitInTalk {
    fn alone(hit: SearchHit) -> Self {
        let (before, after) = (None, None);
        Self { hit, before, after }
    }

    pub(super) fn with_score(mut self, score: f64) -> Self {
        self.hit.score = score;
        self
    }

    /// A line of a stretch with what it answers, or the line before it, and the line after it, but nothing that is on show.
    pub(super) fn from_stretch(
        stretch: &[SearchHit],
        place: usize,
        is_shown: impl Fn(&SearchHit) -> bool,
    ) -> Self {
        let hit = &stretch[place];
        let is_close = |line: &&SearchHit| (line.at - hit.at).abs() <= CLOSE && !is_shown(line);
        let answered = hit.reply_to.and_then(|id| {
            let before = &stretch[..place];
            before.iter().rfind(|line| line.id == id)
        });
        let before = place.checked_sub(1).and_then(|place| stretch.get(place));
        let before = answered
            .filter(|line| !is_shown(line))
            .or(before.filter(is_close));
        let after = stretch.get(place + 1).filter(is_close);
        Self {
            before: before.cloned(),
            after: after.cloned(),
            hit: hit.clone(),
        }
    }

    /// The ids of its lines.
    pub(super) fn ids(&self) -> impl Iterator<Item = (ChannelId, MessageId)> {
        let lines = self.before.iter().chain([&self.hit]).chain(&self.after);
        lines.map(|line| (line.channel, line.id))
    }
}

impl From<HitInTalk> for RecalledTalk {
    fn from(found: HitInTalk) -> Self {
        let recalled = |line: SearchHit| RecalledMessage {
            at: line.at,
            author: line.author,
            name: line.author_name,
            text: line.text,
        };
        Self {
            hit: recalled(found.hit),
            before: found.before.map(recalled),
            after: found.after.map(recalled),
        }
    }
}

fn place_of(line: &SearchHit) -> MessagePlace {
    (line.channel, line.id)
}

/// What was found as it is ranked.
pub(super) fn to_recall_lines(stretches: &[Vec<SearchHit>]) -> Vec<Vec<RecallLine<'_>>> {
    stretches
        .iter()
        .map(|stretch| stretch.iter().map(to_recall_line).collect())
        .collect()
}

fn to_recall_line(found: &SearchHit) -> RecallLine<'_> {
    RecallLine {
        channel: found.channel,
        id: found.id,
        at: found.at,
        author: found.author,
        name: &found.author_name,
        text: &found.text,
        reply_to: found.reply_to,
        is_own: found.author_kind == AuthorKind::Companion,
    }
}
