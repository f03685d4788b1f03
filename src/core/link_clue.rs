//! The clues that a message answers an earlier line: their names. What they weigh is in `data/weights.json`.

/// Declares the clues once: the enum, the list of all, and the names in `data/weights.json`.
macro_rules! clues {
    ($($(#[$doc:meta])* $clue:ident $name:literal,)*) => {
        /// Something that speaks for or against a message answering an earlier line.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum LinkClue {
            $($(#[$doc])* $clue,)*
        }

        impl LinkClue {
            /// All of them, in order.
            pub const ALL: [LinkClue; CLUES] = [$(LinkClue::$clue),*];

            /// Its name in `data/weights.json`.
            pub fn name(self) -> &'static str {
                match self {
                    $(LinkClue::$clue => $name,)*
                }
            }
        }

        pub const CLUES: usize = [$($name),*].len();
    };
}

clues! {
    Previous "previous",
    /// How many lines back, logarithmic.
    Distance "distance",
    /// How long ago, logarithmic.
    Age "age",
    /// How much longer ago than three minutes, logarithmic.
    Stale "stale",
    SameAuthor "same_author",
    /// The same author goes on, and nobody wrote between.
    SameRun "same_run",
    /// It is their own newest line.
    SameNewest "same_newest",
    /// It is their own newest line, and was meant for somebody whom the message names.
    SamePartner "same_partner",
    NamesAuthor "names_author",
    /// The message names the line's author, and the line was meant for the message's author.
    NamesBack "names_back",
    /// The message names the line's author, who asked.
    NamesAsker "names_asker",
    /// The message names somebody, and not the line's author.
    NamesOther "names_other",
    /// The line was meant for the message's author.
    MeantForMe "meant_for_me",
    /// The same, and they have spoken since.
    SpokenSince "spoken_since",
    /// The line was meant for somebody else.
    MeantForOther "meant_for_other",
    /// The two talked with each other a moment ago.
    Partners "partners",
    /// The line asks, and somebody else says something.
    AnswersQuestion "answers_question",
    /// The line asks, and somebody says something that asks nothing and names nobody.
    Statement "statement",
    /// Rare words in common.
    Words "words",
    Rarest "rarest",
    /// It is the newest line of its author.
    Newest "newest",
    /// How long the line is, logarithmic.
    Length "length",
    /// Somebody else's line, older than the newest by the message's author, who does not name them.
    Passed "passed",
    /// The message agrees, declines or thanks, and the line was not meant for its author.
    Reacts "reacts",

    // Of the message alone, the same for every line: what speaks against answering any.
    /// The message asks something new: a question that names nobody.
    Asks "asks",
    /// It asks whoever reads it.
    AsksAll "asks_all",
    Greets "greets",
    /// Its author has not spoken yet.
    First "first",
    /// How long its author has not spoken, logarithmic.
    Pause "pause",
    /// It agrees, declines or thanks.
    Agrees "agrees",
}
