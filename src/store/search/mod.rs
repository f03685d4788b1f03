//! Finding what was said, by words and by meaning, with the lines around it; and the vectors that this takes.

mod candidate_parts;
mod candidates;
mod context;
mod messages;
pub(crate) mod pending;
mod similar;
mod term_weights;
pub(crate) mod vectors;

pub use context::SearchContext;
pub use messages::{LeftOutMessages, MessageSearch, SearchAuthor, SearchHit};
pub use pending::{UnembeddedBatch, UnembeddedMessage};
pub use similar::{SimilarMessages, VectorSearch};

use context::{find_context, read_surrounding_lines};
use messages::find_messages;
use pending::{find_unembedded, keep_vectors};
use similar::find_similar;
use vectors::remove_orphans;

use crate::db::Database;
use crate::handle::{Store, StoreReply};
use crate::text_index;
use crate::values::params;
use kith_core::chat::{ChannelId, MessageId};
use kith_core::recall::TextVector;

impl Store {
    /// Messages that fit, best first.
    pub fn search(&self, search: MessageSearch) -> StoreReply<Vec<SearchHit>> {
        self.read_counting(move |conn, counts| {
            let terms =
                text_index::count_terms(conn, counts, &search.words, search.most_ranked, false)?;
            find_messages(conn, &search, terms.searched())
        })
    }

    /// Messages that hold a word of the search, and as many lines as `reach` before and after each in its channel.
    pub fn search_with_context(
        &self,
        search: MessageSearch,
        reach: usize,
    ) -> StoreReply<SearchContext> {
        self.read_counting(move |conn, counts| find_context(conn, counts, &search, reach))
    }

    /// A message and as many lines as `reach` before and after it in its channel, oldest first.
    pub fn load_surrounding_lines(
        &self,
        channel: ChannelId,
        id: MessageId,
        reach: usize,
    ) -> StoreReply<Vec<SearchHit>> {
        self.read(move |conn| read_surrounding_lines(conn, channel, id, reach))
    }

    /// Removes all vectors but those of `model`, and of these what has lost its message to damage. Without a model all go.
    /// In many commits, so that nobody waits long behind it.
    pub fn remove_other_vectors(&self, model: Option<String>) -> StoreReply<()> {
        self.run_in_steps(move |store| {
            let models = move |db: &mut Database| {
                db.conn.execute(
                    "DELETE FROM vector_coverage WHERE model IN (SELECT id FROM vector_models WHERE name IS DISTINCT FROM ?1)",
                    params![model],
                )?;
                let removed = db
                    .conn
                    .execute("DELETE FROM vector_models WHERE name IS DISTINCT FROM ?1", params![model])?;
                db.erased |= removed > 0;
                Ok(())
            };
            store.write(models).wait()?;
            while store.write(remove_orphans).wait()? > 0 {}
            Ok(())
        })
    }

    pub fn find_similar(&self, search: VectorSearch) -> StoreReply<SimilarMessages> {
        self.read(move |conn| find_similar(conn, &search))
    }

    /// The next messages of these channels of which `model` has to make vectors, at most `limit` of them; none where all is
    /// done.
    pub fn find_unembedded(
        &self,
        model: String,
        channels: Vec<ChannelId>,
        limit: usize,
    ) -> StoreReply<Option<UnembeddedBatch>> {
        self.read(move |conn| find_unembedded(conn, &model, &channels, limit))
    }

    /// Keeps the vectors of a batch, in the order of its messages; a message without one is passed over. What was edited or
    /// deleted since, or written by somebody who does not want to be remembered any more, is refused.
    pub fn keep_vectors(
        &self,
        model: String,
        batch: UnembeddedBatch,
        vectors: Vec<Option<TextVector>>,
    ) -> StoreReply<()> {
        self.write(move |db| keep_vectors(&db.conn, &model, &batch, &vectors))
    }
}
