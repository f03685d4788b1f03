//! The signals of the willingness: their names, and nothing else. What each looks at is computed in `sense.rs`, what it
//! weighs is in `data/weights.json`, how it is told to people is in `explain.rs`.

/// Declares the signals once: the enum, the list of all, and the names in `data/weights.json`.
macro_rules! signals {
    ($($(#[$doc:meta])* $signal:ident $name:literal,)*) => {
        /// Something that makes speaking more or less fitting. A value of 0 means there is nothing to say about it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Signal {
            $($(#[$doc])* $signal,)*
        }

        impl Signal {
            /// All of them, in the order of a score's values.
            pub const ALL: [Signal; SIGNALS] = [$(Signal::$signal),*];

            /// Its name in `data/weights.json` and in reports.
            pub fn name(self) -> &'static str {
                match self {
                    $(Signal::$signal => $name,)*
                }
            }
        }

        /// How many signals there are.
        pub const SIGNALS: usize = [$($name),*].len();
    };
}

signals! {
    // Address.
    /// It is mentioned.
    Mention "mention",
    /// A typed reply to its line.
    Reply "reply",
    /// Its name, used to call it.
    Vocative "vocative",
    /// Its name occurs.
    Named "named",
    /// A direct message.
    Direct "direct",
    /// Somebody else is mentioned, replied to or called by name.
    OtherAddressed "other_addressed",

    // Conversation.
    /// The author is somebody it just talked with; fades within minutes.
    Partner "partner",
    /// The same, fading within a quarter of an hour.
    Acquainted "acquainted",
    /// The author addressed it a short while ago.
    CalledBefore "called_before",
    /// The message seems to answer its line: the share of the link guess on own lines.
    AnswersMe "answers_me",
    /// It seems to belong to a conversation the companion takes part in.
    MyConversation "my_conversation",
    /// Two others seem to talk to each other.
    OthersTalk "others_talk",
    /// It continues the author's line that was meant for the companion.
    ContinuesToMe "continues_to_me",
    /// It continues the author's line that was meant for somebody else.
    ContinuesToOther "continues_to_other",
    /// Somebody else's call to the companion is still unanswered.
    Pending "pending",

    // Rhythm.
    /// How short ago it spoke: 1 just now, 0 an hour ago, logarithmic.
    Recent "recent",
    /// How few messages ago it spoke: 1 none, 0 a hundred, logarithmic.
    Lately "lately",
    /// It has not spoken here as far as it remembers.
    Stranger "stranger",
    /// Its share of the last lines.
    Share "share",
    /// The line before is its own.
    NextLine "next_line",
    /// How long nobody spoke before this: 0 no pause, 1 an hour, logarithmic.
    Lull "lull",
    /// How many speak here: 0 two, 1 twelve or more.
    Crowd "crowd",
    /// Messages a minute: 0 none, 1 sixty, logarithmic.
    Pace "pace",
    /// In a small room: it is its turn, by how long it has not spoken.
    SmallTurn "small_turn",
    /// In a small room: it just spoke.
    SmallRecent "small_recent",
    /// In a small room: the author goes on writing.
    SmallRun "small_run",

    // What kind of message.
    /// It asks something.
    Question "question",
    /// It asks the room: a question to nobody in particular that opens something new.
    OpenQuestion "open_question",
    /// It greets or thanks.
    Greeting "greeting",
    /// How long it is: 0 empty, 1 two thousand characters, logarithmic.
    Length "length",
    /// The author goes on writing: lines in a row.
    Run "run",
    /// The author's first line here.
    Newcomer "newcomer",

    // Topic.
    /// It shares rare words with what the companion said lately.
    Topic "topic",
    /// It touches the companion's interests.
    Interest "interest",
    /// It touches what the companion would rather not talk about.
    Dislike "dislike",

    // Self.
    /// How tired it is of speaking: 1 minus energy.
    Tired "tired",

    // Only when looked at later.
    /// How old the message is: 0 new, 1 an hour, logarithmic.
    Age "age",
    /// Somebody else has answered it.
    Answered "answered",
    /// The companion has spoken since.
    SpokeSince "spoke_since",
}
