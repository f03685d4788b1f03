//! Recall: search over what was said, scope first: by words, and by meaning where somebody makes vectors. Never finds what
//! the prompt already shows.

use std::collections::{HashMap, HashSet};

use kith_core::chat::{AuthorKind, ChannelId, MINUTE, MessageId, Millis, UserId};
use kith_core::context::{RecalledMessage, RecalledTalk};
use kith_core::recall::{
    AROUND, RecallLine, RecallQuery, ScoreParts, TimeRange, find_named_person, fuse_rankings,
    rank_alike_lines, rank_lines, rate_answer, remove_names,
};
use kith_store::{
    LeftOutMessages, MessageSearch, SearchAuthor, SearchContext, SearchHit, StoreError,
};

use super::Memory;
use super::question_embedder::find_similar;

/// So many of the lines that hold a word of a question are ranked with what stands around them.
pub(super) const RANKED: usize = 200;
/// So many lines at most are looked at because somebody said them at the time that is spoken of, the newest of them.
const SAID_THEN: usize = 50;
/// What fits so much worse than the best line is not shown.
const WORTH_SHOWING: f64 = 0.12;
/// A hit is shown with two lines at most; so many lines are found for each place that is shown.
const LINES_OF_PLACE: usize = 3;
/// So many of the lines that words find are ranked together with what has the same meaning.
const FUSED: usize = 50;
/// A line so close to a hit is shown with it.
const CLOSE: Millis = 5 * MINUTE;

pub(super) type MessagePlace = (ChannelId, MessageId);

/// Where may be looked, and what is on show already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecallSources {
    pub here: ChannelId,
    /// The channels whose text everybody in `here` can view, with `here`. A direct message is in its own list only.
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
    pub limit: usize,
}

impl Memory {
    /// Messages that answer a question, best first, with the lines around them. Hits that share lines count as one.
    pub async fn recall(
        &self,
        sources: &RecallSources,
        question: RecallQuestion,
    ) -> Result<Vec<RecalledTalk>, StoreError> {
        let places = question.limit;
        let limit = LINES_OF_PLACE * places;
        let question = RecallQuestion { limit, ..question };
        let found = self
            .find_strong_hits(sources, question, WORTH_SHOWING)
            .await?;
        let found = keep_places(found, places);
        Ok(found.into_iter().map(RecalledTalk::from).collect())
    }

    /// The same with ids and scores, and with what fits much worse than the best.
    pub async fn search(
        &self,
        sources: &RecallSources,
        question: RecallQuestion,
    ) -> Result<Vec<SearchHit>, StoreError> {
        let found = self.find_hits(sources, question).await?;
        Ok(found.into_iter().map(|found| found.hit).collect())
    }

    /// The same with the lines around them and why each ranks where it does, the weakest included.
    pub async fn find_hits(
        &self,
        sources: &RecallSources,
        question: RecallQuestion,
    ) -> Result<Vec<HitWithContext>, StoreError> {
        self.find_strong_hits(sources, question, 0.0).await
    }

    /// What answers a question, best first. Word hits below a share of the best score are left out.
    async fn find_strong_hits(
        &self,
        sources: &RecallSources,
        question: RecallQuestion,
        least_share: f64,
    ) -> Result<Vec<HitWithContext>, StoreError> {
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
            return Ok(newest.into_iter().map(HitWithContext::alone).collect());
        }
        let with_words = MessageSearch {
            words: question.words.clone(),
            limit: RANKED,
            ..search.clone()
        };
        let around = self.store.search_with_context(with_words, AROUND.len());
        let mut around = around.await?;
        self.add_lines_of_period(&question, &search, &mut around)
            .await?;
        let by_meaning = self
            .find_by_meaning(sources, &question, &around, &search)
            .await;
        let limits = MessageSearch {
            limit: search
                .limit
                .max(if by_meaning.is_empty() { 0 } else { FUSED }),
            ..search
        };
        let mut by_words = rank_hits(&question, around, None, &limits);
        let best = by_words.first().map_or(0.0, |found| found.hit.score);
        by_words.retain(|found| found.hit.score >= least_share * best);
        let mut found = fuse_hits(by_words, by_meaning);
        found.truncate(question.limit);
        Ok(found)
    }

    /// What means the same as a question in other words, best first.
    async fn find_by_meaning(
        &self,
        sources: &RecallSources,
        question: &RecallQuestion,
        by_words: &SearchContext,
        search: &MessageSearch,
    ) -> Vec<HitWithContext> {
        if !self.embedder.is_there() {
            return Vec::new();
        }
        let text = remove_names(&question.words, &to_recall_lines(&by_words.stretches));
        let vector = self
            .embedder
            .embed(&text, sources.here, question.asker)
            .await;
        let Some(vector) = vector else {
            return Vec::new();
        };
        let found = find_similar(&self.store, vector, search.clone(), AROUND.len()).await;
        let likeness = found.hits.iter().map(|hit| {
            let score = rate_answer(&found.spread, hit.score);
            ((hit.channel, hit.id), score)
        });
        let likeness = likeness.collect();
        let around = SearchContext {
            stretches: found.stretches,
            ..SearchContext::default()
        };
        let limits = MessageSearch {
            limit: FUSED,
            ..search.clone()
        };
        rank_hits(question, around, Some(&likeness), &limits)
    }

    /// A message with the lines beside it that no prompt shows; none where it is gone.
    pub(super) async fn load_hit(
        &self,
        sources: &RecallSources,
        (channel, id): MessagePlace,
    ) -> Result<Option<HitWithContext>, StoreError> {
        let left_out = sources.left_out();
        let is_shown = |line: &SearchHit| left_out.contains(line.channel, line.id);
        let lines = self.store.load_surrounding_lines(channel, id, 1).await?;
        let place = lines.iter().position(|line| line.id == id);
        Ok(place.map(|place| HitWithContext::from_stretch(&lines, place, is_shown)))
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
fn keep_places(found: Vec<HitWithContext>, places: usize) -> Vec<HitWithContext> {
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

/// What was found by words and by meaning as one ranking. Its score is the better one of both.
pub(super) fn fuse_hits(
    by_words: Vec<HitWithContext>,
    by_meaning: Vec<HitWithContext>,
) -> Vec<HitWithContext> {
    let place = |found: &HitWithContext| (found.hit.channel, found.hit.id);
    let rankings = [&by_words, &by_meaning].map(|all| all.iter().map(place).collect());
    let mut known: HashMap<MessagePlace, HitWithContext> = HashMap::new();
    for found in by_words.into_iter().chain(by_meaning) {
        let score = found.hit.score;
        let kept = known.entry(place(&found)).or_insert(found);
        kept.hit.score = kept.hit.score.max(score);
    }
    let fused = fuse_rankings(&rankings).into_iter();
    fused.filter_map(|place| known.remove(&place)).collect()
}

/// The lines that answer a question, best first, within the limits of the search: by their words, or by how alike they are.
fn rank_hits(
    question: &RecallQuestion,
    around: SearchContext,
    likeness: Option<&HashMap<MessagePlace, f64>>,
    limits: &MessageSearch,
) -> Vec<HitWithContext> {
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
    let ranked = match likeness {
        None => rank_lines(&asked, &lines),
        Some(likeness) => rank_alike_lines(&asked, &lines, likeness),
    };
    let left_out = limits.left_out;
    let is_shown = |hit: &SearchHit| left_out.is_some_and(|out| out.contains(hit.channel, hit.id));
    ranked
        .into_iter()
        .filter(|ranked| limits.admits(&stretches[ranked.at.0][ranked.at.1]))
        .take(limits.limit)
        .map(|ranked| {
            let found =
                HitWithContext::from_stretch(&stretches[ranked.at.0], ranked.at.1, is_shown);
            HitWithContext {
                // What was found by meaning has no such sum.
                parts: ranked.parts.filter(|_| likeness.is_none()),
                ..found.with_score(ranked.score)
            }
        })
        .collect()
}

/// A line that was found, and the lines that are shown with it.
#[derive(Clone, Debug, PartialEq)]
pub struct HitWithContext {
    pub hit: SearchHit,
    pub before: Option<SearchHit>,
    pub after: Option<SearchHit>,
    /// Why it ranks where it does; None where it was not ranked by words.
    pub parts: Option<ScoreParts>,
}

impl HitWithContext {
    fn alone(hit: SearchHit) -> Self {
        Self {
            hit,
            before: None,
            after: None,
            parts: None,
        }
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
            parts: None,
        }
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = (ChannelId, MessageId)> {
        let lines = self.before.iter().chain([&self.hit]).chain(&self.after);
        lines.map(|line| (line.channel, line.id))
    }
}

impl From<HitWithContext> for RecalledTalk {
    fn from(found: HitWithContext) -> Self {
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
