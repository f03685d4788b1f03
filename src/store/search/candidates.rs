//! The best of very many messages that hold a word of a search, where ranking each of them by the index would take tens of
//! milliseconds: the index looks up the length of every message it ranks.

use std::collections::BinaryHeap;

use super::candidate_parts::CandidateParts;
use super::term_weights::{WeighedTerm, weigh_terms};
use crate::engine_statements::FindingCandidates;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{bind_channels, params};
use kith_core::chat::ChannelId;

/// So many messages the index ranks by itself; of more, those that are worth it are chosen here first.
pub(crate) const RANKED_BY_INDEX: u64 = 1_500;

/// Messages that hold a term of a search, with their weights: those with more and rarer terms first, of equals the newest.
/// Hardly anybody wants all of them, so each is put in its place only when it is asked for.
pub(crate) enum Candidates<'c> {
    /// All of them, by weight and arrival number.
    Known(BinaryHeap<(u64, i64)>),
    InParts(CandidateParts<'c>),
}

impl<'c> Candidates<'c> {
    /// Those in these channels with an arrival number below this one. Of many channels a file knows what stands in others, too.
    pub fn find(
        conn: &'c SqlConnection,
        channels: &[ChannelId],
        terms: &[(String, u64)],
        before_arrival: i64,
    ) -> SqlResult<Self> {
        let terms = weigh_terms(conn, channels, terms)?;
        match conn.statements().find_candidates {
            FindingCandidates::AtOnce { find_holding } => {
                find_at_once(conn, find_holding, channels, &terms, before_arrival).map(Self::Known)
            }
            FindingCandidates::InParts(statements) => {
                CandidateParts::find(conn, statements, channels, terms, before_arrival)
                    .map(Self::InParts)
            }
        }
    }

    pub fn take(&mut self, most: usize) -> SqlResult<Vec<(i64, f64)>> {
        let mut taken = Vec::new();
        while taken.len() < most {
            let next = match self {
                Self::Known(best) => best.pop(),
                Self::InParts(parts) => parts.next(most - taken.len())?,
            };
            let Some((weight, arrival)) = next else {
                break;
            };
            taken.push((arrival, f64::from_bits(weight)));
        }
        Ok(taken)
    }
}

fn find_at_once(
    conn: &SqlConnection,
    find_holding: &str,
    channels: &[ChannelId],
    terms: &[WeighedTerm],
    before_arrival: i64,
) -> SqlResult<BinaryHeap<(u64, i64)>> {
    let mut weighed: Vec<(i64, f64)> = Vec::new();
    for term in terms {
        let values = params![term.query, before_arrival, bind_channels(channels)];
        let holding: Vec<i64> = conn.read_all(find_holding, values)?;
        weighed = add_weight(&weighed, &holding, term.weight);
    }
    let by_weight = weighed
        .into_iter()
        .map(|(arrival, weight)| (weight.to_bits(), arrival));
    Ok(by_weight.collect())
}

/// Messages and their weights, in the order of their arrival, with the weight of one more term for those that hold it.
fn add_weight(weighed: &[(i64, f64)], holding: &[i64], weight: f64) -> Vec<(i64, f64)> {
    let mut sums = Vec::with_capacity(weighed.len() + holding.len());
    let mut known = weighed.iter().copied().peekable();
    for &arrival in holding {
        while let Some(before) = known.next_if(|(other, _)| *other < arrival) {
            sums.push(before);
        }
        let held = known.next_if(|(other, _)| *other == arrival);
        sums.push((arrival, held.map_or(0.0, |(_, held)| held) + weight));
    }
    sums.extend(known);
    sums
}

#[cfg(test)]
mod tests {
    use crate::postgres::PostgresAddress;
    use kith_core::chat::{Author, AuthorKind, Message, MessageId, UserId};
    use kith_core::event::ChatEvent;
    use proptest::prelude::*;

    use crate::Store;

    use super::*;

    #[test]
    fn a_message_weighs_as_much_as_all_terms_it_holds() {
        let one = add_weight(&[], &[2, 5, 9], 0.5);
        let two = add_weight(&one, &[1, 5, 11], 0.25);
        assert_eq!(two, [(1, 0.25), (2, 0.5), (5, 0.75), (9, 0.5), (11, 0.25)]);
    }

    const WORDS: [&str; 4] = ["oats", "kettle", "barn", "猫"];

    /// A message that holds those of the words whose bit is set.
    fn said(id: u64, held: u8) -> ChatEvent {
        let held = (0..WORDS.len()).filter(|word| held & (1 << word) != 0);
        let text: Vec<&str> = held.map(|word| WORDS[word]).collect();
        ChatEvent::Message(Message {
            id: MessageId(id),
            channel: ChannelId(1 + id % 3),
            arrival: 0,
            at: 1,
            author: Author {
                id: UserId(7),
                name: "Anna".into(),
                kind: AuthorKind::Person,
            },
            text: text.join(" ").into(),
            reply_to: None,
            mentions: Vec::new(),
        })
    }

    type Found = Vec<(u64, i64)>;

    /// What holds such words, best first: at once, and in parts as far as there are any.
    fn find_all(
        store: &Store,
        terms: &[(String, u64)],
        before: i64,
        wanted: usize,
    ) -> (Found, Option<Found>) {
        let terms = terms.to_vec();
        let found = store.read(move |conn| {
            let channels = [ChannelId(1), ChannelId(2)];
            let all = Candidates::find(conn, &channels, &terms, before)?.take(usize::MAX)?;
            let all = all
                .into_iter()
                .map(|(arrival, weight)| (weight.to_bits(), arrival));
            let FindingCandidates::InParts(statements) = conn.statements().find_candidates else {
                return Ok((all.collect(), None));
            };
            let terms = weigh_terms(conn, &channels, &terms)?;
            let mut parts = CandidateParts::find(conn, statements, &channels, terms, before)?;
            let mut in_parts = Vec::new();
            while let Some(next) = parts.next(wanted)? {
                in_parts.push(next);
            }
            Ok((all.collect(), Some(in_parts)))
        });
        found.wait().expect("found")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(12))]

        #[test]
        fn in_parts_the_same_is_found_in_the_same_order_as_at_once(
            held in prop::collection::vec(0_u8..16, 1..60),
            counts in prop::array::uniform4(0_u64..12),
            asked in 1_usize..5,
            before in 1_i64..70,
            wanted in 1_usize..6,
        ) {
            let Some(address) = PostgresAddress::of_new_schema() else {
                return Ok(());
            };
            let store = Store::open_server(&address).expect("opened");
            let events: Vec<ChatEvent> =
                (1..).zip(&held).map(|(id, held)| said(id, *held)).collect();
            store.append(events.clone()).wait().expect("stored");
            let terms: Vec<(String, u64)> = WORDS.iter().zip(counts).take(asked)
                .map(|(word, count)| ((*word).to_owned(), count)).collect();
            let in_memory = Store::open_in_memory().expect("opened");
            in_memory.append(events).wait().expect("stored");
            let (expected, _) = find_all(&in_memory, &terms, before, wanted);
            let (found, in_parts) = find_all(&store, &terms, before, wanted);
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(in_parts, Some(expected));
        }
    }
}
