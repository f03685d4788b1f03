//! What comes to mind by itself: earlier lines that have so much in common with the newest ones that a prompt shows them.

use kith_core::chat::{MessageId, TurnId};
use kith_core::context::RecalledTalk;
use kith_core::recall::{CueQuery, RecallCue, find_associations, rate_association};
use kith_store::{MessageSearch, SearchContext, SearchHit, StoreError};

use super::Memory;
use super::question_embedder::find_similar;
use super::recall::{HitWithContext, RecallSources, fuse_hits, to_recall_lines};

/// The most talks shown in one prompt.
const MOST_SHOWN: usize = 3;
/// So many of the lines that hold one of the rarest words of the newest ones are looked at.
const LOOKED_AT: usize = 200;
/// How many lines around each are looked at.
const REACH: usize = 2;
/// How well a message fits that a line was typed as an answer to: twice what is needed.
const ANSWERED: f64 = 2.0;

/// What is going on in a channel, for what may come to mind of it.
#[derive(Clone, Debug, Default)]
pub struct RecallContext {
    /// The turn whose prompt it is: in all its rounds the same lines may be shown.
    pub turn: TurnId,
    /// The newest lines, newest first.
    pub cues: Vec<RecallCue>,
    /// What the companion is called.
    pub names: Vec<String>,
}

impl Memory {
    /// What the newest lines bring to mind, best first: earlier lines that have telling words in common with them, or
    /// that they answer. Empty where nothing fits well enough or the store fails: a prompt does without. What a prompt of
    /// another turn showed lately is not shown again unless it fits much better now.
    pub async fn recall_for_prompt(
        &self,
        sources: &RecallSources,
        moment: &RecallContext,
    ) -> Vec<RecalledTalk> {
        let found = match self.find_in_mind(sources, moment).await {
            Ok(found) => found,
            Err(error) => {
                tracing::warn!(%error, channel = %sources.here, "nothing could be recalled for a prompt");
                return Vec::new();
            }
        };
        let mut shown = self.shown.lock().await;
        let mut chosen: Vec<HitWithContext> = Vec::new();
        for found in found {
            let place = (found.hit.channel, found.hit.id);
            let is_same = |other: &HitWithContext| other.hit.text == found.hit.text;
            let is_chosen = chosen
                .iter()
                .any(|other| is_same(other) || other.ids().any(|id| id == place));
            if chosen.len() < MOST_SHOWN
                && !is_chosen
                && !shown.is_repeated(sources.here, moment.turn, place, found.hit.score)
            {
                chosen.push(found);
            }
        }
        let places = chosen.iter().map(|found| {
            let SearchHit {
                channel, id, score, ..
            } = found.hit;
            ((channel, id), score)
        });
        shown.record(sources.here, moment.turn, places.collect());
        chosen.into_iter().map(RecalledTalk::from).collect()
    }

    async fn find_in_mind(
        &self,
        sources: &RecallSources,
        moment: &RecallContext,
    ) -> Result<Vec<HitWithContext>, StoreError> {
        let mut found = Vec::new();
        for answered in moment.cues.iter().filter_map(|cue| cue.answers) {
            found.extend(self.find_answered(sources, answered).await?);
        }
        let (by_words, by_meaning) = tokio::join!(
            self.find_by_words(sources, moment),
            self.find_associations_by_meaning(sources, moment)
        );
        found.extend(fuse_hits(by_words?, by_meaning?));
        Ok(found)
    }

    /// What has telling words in common with the newest lines, best first.
    async fn find_by_words(
        &self,
        sources: &RecallSources,
        moment: &RecallContext,
    ) -> Result<Vec<HitWithContext>, StoreError> {
        let left_out = sources.left_out();
        let is_out = |line: &SearchHit| left_out.contains(line.channel, line.id);
        let words: Vec<&str> = moment.cues.iter().map(|cue| &*cue.text).collect();
        let search = MessageSearch {
            channels: sources.channels.clone(),
            words: words.join("\n"),
            left_out: Some(left_out),
            most_ranked: Some(LOOKED_AT as u64),
            limit: LOOKED_AT,
            ..MessageSearch::default()
        };
        let SearchContext {
            stretches,
            frequencies,
            messages,
        } = self.store.search_with_context(search, REACH).await?;
        let asked = CueQuery {
            cues: &moment.cues,
            names: &moment.names,
            frequencies: frequencies.into_iter().collect(),
            messages,
        };
        let mut found = Vec::new();
        for ranked in find_associations(&asked, &to_recall_lines(&stretches)) {
            let (stretch, place) = (&stretches[ranked.at.0], ranked.at.1);
            if !is_out(&stretch[place]) {
                let talk = HitWithContext::from_stretch(stretch, place, is_out);
                found.push(talk.with_score(ranked.score));
            }
        }
        Ok(found)
    }

    /// What means nearly the same as the newest line in other words, best first, with how well it fits.
    async fn find_associations_by_meaning(
        &self,
        sources: &RecallSources,
        moment: &RecallContext,
    ) -> Result<Vec<HitWithContext>, StoreError> {
        let Some(cue) = moment.cues.first() else {
            return Ok(Vec::new());
        };
        let embedding = self
            .embedder
            .embed(&cue.text, sources.here, Some(cue.author));
        let Some(vector) = embedding.await else {
            return Ok(Vec::new());
        };
        let within = MessageSearch {
            channels: sources.channels.clone(),
            left_out: Some(sources.left_out()),
            ..MessageSearch::default()
        };
        let similar = find_similar(&self.store, vector, within, 0).await;
        let mut found = Vec::new();
        for hit in similar.hits {
            let score = rate_association(&cue.text, &hit.text, &similar.spread, hit.score);
            if score >= 1.0 {
                let talk = self.load_hit(sources, (hit.channel, hit.id)).await?;
                found.extend(talk.map(|talk| talk.with_score(score)));
            }
        }
        Ok(found)
    }

    /// The message a line answers, where the prompt does not show it.
    async fn find_answered(
        &self,
        sources: &RecallSources,
        id: MessageId,
    ) -> Result<Option<HitWithContext>, StoreError> {
        let left_out = sources.left_out();
        let found = self.load_hit(sources, (sources.here, id)).await?;
        let found = found.filter(|found| !left_out.contains(found.hit.channel, found.hit.id));
        Ok(found.map(|talk| talk.with_score(ANSWERED)))
    }
}
