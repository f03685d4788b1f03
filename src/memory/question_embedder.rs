//! Who makes the vector of a question. The memory knows no model: whoever has one gives it a way to ask.

use std::pin::Pin;
use std::sync::{Arc, PoisonError, RwLock};

use kith_core::chat::{ChannelId, UserId};
use kith_core::recall::{TextVector, has_meaning};
use kith_store::{MessageSearch, SimilarMessages, Store, VectorSearch};

/// So many of the messages nearest to a question are looked at.
const NEAREST: usize = 100;

#[derive(Clone, Debug, PartialEq)]
pub struct QuestionVector {
    /// The model's name: only vectors of its own are held against it.
    pub model: String,
    pub vector: TextVector,
}

pub trait QuestionEmbedder: Send + Sync {
    /// The vector of what is asked or said in a channel, maybe by a known person; none where none was made in time.
    fn embed_question<'a>(
        &'a self,
        text: &'a str,
        channel: ChannelId,
        person: Option<UserId>,
    ) -> Pin<Box<dyn Future<Output = Option<QuestionVector>> + Send + 'a>>;
}

/// The one that is asked now, if any; all handles share it.
#[derive(Clone, Default)]
pub(super) struct CurrentEmbedder(Arc<RwLock<Option<Arc<dyn QuestionEmbedder>>>>);

impl CurrentEmbedder {
    pub(super) fn replace(&self, embedder: Option<Arc<dyn QuestionEmbedder>>) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = embedder;
    }

    pub(super) fn is_there(&self) -> bool {
        self.get().is_some()
    }

    fn get(&self) -> Option<Arc<dyn QuestionEmbedder>> {
        self.0
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// The vector of a text that says enough to have one.
    pub(super) async fn embed(
        &self,
        text: &str,
        channel: ChannelId,
        person: Option<UserId>,
    ) -> Option<QuestionVector> {
        let embedder = self.get()?;
        if !has_meaning(text) {
            return None;
        }
        embedder.embed_question(text, channel, person).await
    }
}

/// The messages nearest to a question, nearest first; empty where they cannot be read, because words still find some.
pub(super) async fn find_similar(
    store: &Store,
    question: QuestionVector,
    within: MessageSearch,
    reach: usize,
) -> SimilarMessages {
    let search = VectorSearch {
        model: question.model,
        vector: question.vector,
        within: MessageSearch {
            limit: NEAREST,
            ..within
        },
        reach,
    };
    let found = store.find_similar(search).await;
    found.unwrap_or_else(|error| {
        tracing::warn!(%error, "vectors cannot be read; only words are looked for");
        SimilarMessages::default()
    })
}
