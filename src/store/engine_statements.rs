//! The statements that engines word in different ways, one field each. What all others say alike stands where it is used.

/// How the messages that hold a word of a search are found. Channel is always one of the list `?3`, and the arrival number
/// below `?2`.
#[derive(Clone, Copy)]
pub(crate) enum FindingCandidates {
    /// The index alone knows their arrival numbers.
    AtOnce {
        /// Those that query `?1` finds, in their order.
        find_holding: &'static str,
    },
    /// Each of them has to be visited.
    InParts(FindingInParts),
}

#[derive(Clone, Copy)]
pub(crate) struct FindingInParts {
    /// The arrival numbers of what query `?1` finds, and the places of the queries that find it in the list `?4`, from 1 on, as
    /// numbers of four bytes.
    pub find_sharing: &'static str,
    /// The arrival numbers of what query `?1` finds, as numbers of eight bytes.
    pub find_holding: &'static str,
    /// The same of those from `?4` on, which are few.
    pub find_within: &'static str,
}

/// How messages of channel `?3` with arrival numbers and ids from `?2` and `?4` on are counted.
#[derive(Clone, Copy)]
pub(crate) enum CountingSince {
    /// What query `?1` finds.
    EachAlone(&'static str),
    /// What each query of the list `?1` finds, in its order.
    Together(&'static str),
}

/// How the messages that hold words are counted where the index keeps a count of each.
#[derive(Clone, Copy)]
pub(crate) struct WordCountSql {
    /// In how many each word of the list `?1` stands, in its order.
    pub each: &'static str,
    /// In how many query `?1` finds something.
    pub by_query: &'static str,
}

pub(crate) struct EngineStatements {
    /// Puts text `?2` into the index as message `?1` of channel `?3`.
    pub add_words: &'static str,
    /// Takes it out again, by the same values.
    pub remove_words: &'static str,
    pub find_candidates: FindingCandidates,
    /// How many messages the index holds.
    pub count_indexed: &'static str,
    pub empty_index: &'static str,
    /// Makes one piece of the index, so that its list of what its pages begin with knows only words that are in it. None
    /// where it has no such list.
    pub renew_index: Option<&'static str>,
    /// How many of the messages of channel `?3` a query finds that are on show.
    pub count_since: CountingSince,
    /// Whether query `?1` finds a message whose author is not of kind `?2`.
    pub find_by_others: &'static str,
    /// Arrival number, channel, id and text of what query `?1` finds after `?2` by an author of kind `?3`.
    pub find_lines_after: &'static str,
    /// What follows asks for many at once: a server takes a round trip for each statement. None where one by one is as quick.
    ///
    /// The messages of the arrival numbers `?1`, as hits with their arrival number behind.
    pub read_together: Option<&'static str>,
    /// The ids of what answers messages among the `?3` that follow each, with its place in the lists of channels `?1` and ids
    /// `?2`.
    pub find_answers: Option<&'static str>,
    /// Of the same, as hits with their place in the lists behind: they, `?3` lines before and as many after, oldest first.
    pub read_around: Option<&'static str>,
    pub count_holding: Option<WordCountSql>,
    /// How many decisions of channel `?1` since `?2` scored a message, and how many only observing kept from speaking.
    pub count_decisions: &'static str,
    /// How many turns of channel `?1` began and ended since `?2`, and how many of them acted.
    pub count_turns: &'static str,
    /// Time, author's kind, score, threshold and whether it is addressed, of the newest `?4` messages of channel `?1` from
    /// id `?2` to before `?3`.
    pub read_day: &'static str,
    /// All turns by id, with whether report or prompts hold one of the texts of the list `?1`.
    pub find_telling_turns: &'static str,
    /// What is written anew by itself, so that nothing is left there of what is deleted.
    pub parts: fn() -> Vec<&'static str>,
    pub try_writing: &'static str,
}
