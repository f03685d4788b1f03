//! The signals of the willingness: their names, and how they are told to people. Nothing else: what each looks at is
//! computed in `sense.rs`, what it weighs is in `data/weights.json`.

use crate::core::persona::Language;

/// Declares the signals once: the enum, the list of all, the names in `data/weights.json`, and the words for people in
/// English and Chinese.
macro_rules! signals {
    ($($(#[$doc:meta])* $signal:ident $name:literal ($en:literal, $zh:literal),)*) => {
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

            /// What was seen, in a few words for people.
            pub fn phrase(self, language: Language) -> &'static str {
                match self {
                    $(Signal::$signal => language.pick($en, $zh),)*
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
    Mention "mention" ("they mention it", "提到了它"),
    /// A typed reply to its line.
    Reply "reply" ("they reply to its message", "回复了它的消息"),
    /// Its name, used to call it.
    Vocative "vocative" ("they call it by name", "叫了它的名字"),
    /// It is called where it has not spoken yet, so that nothing else can tell that it takes part.
    FirstCall "first_call" ("they call it for the first time", "第一次有人叫它"),
    /// Its name occurs.
    Named "named" ("its name comes up", "说到了它的名字"),
    /// A direct message.
    Direct "direct" ("it is a direct message", "这是私信"),
    /// Somebody else is mentioned, replied to or called by name.
    OtherAddressed "other_addressed" ("somebody else is addressed", "在对别人说"),

    // Conversation.
    /// The author is somebody it just talked with; fades within minutes.
    Partner "partner" ("it just talked with this person", "刚和这个人聊过"),
    /// The same, fading within a quarter of an hour.
    Acquainted "acquainted" ("it talked with this person a while ago", "不久前和这个人聊过"),
    /// The author addressed it a short while ago.
    CalledBefore "called_before" ("this person addressed it before", "这个人之前找过它"),
    /// The message seems to answer its line: the share of the link guess on own lines.
    AnswersMe "answers_me" ("it seems to answer what it said", "像是在接它的话"),
    /// It seems to belong to a conversation the companion takes part in.
    MyConversation "my_conversation" ("it belongs to a conversation it takes part in", "属于它参与的对话"),
    /// Two others seem to talk to each other.
    OthersTalk "others_talk" ("two others are talking to each other", "另外两个人在对话"),
    /// It continues the author's line that was meant for the companion.
    ContinuesToMe "continues_to_me" ("they go on talking to it", "还在继续对它说"),
    /// It continues the author's line that was meant for somebody else.
    ContinuesToOther "continues_to_other" ("they go on talking to somebody else", "还在继续对别人说"),
    /// Somebody else's call to the companion is still unanswered.
    Pending "pending" ("somebody else waits for its answer", "还有别人在等它回答"),

    // Rhythm.
    /// How short ago it spoke: 1 just now, 0 an hour ago, logarithmic.
    Recent "recent" ("it spoke a short while ago", "不久前刚说过话"),
    /// How few messages ago it spoke: 1 none, 0 a hundred, logarithmic.
    Lately "lately" ("it spoke a few messages ago", "几条消息前说过话"),
    /// It has not spoken here as far as it remembers.
    Stranger "stranger" ("it has not spoken here yet", "还没在这里说过话"),
    /// Its share of the last lines.
    Share "share" ("its share of the last lines", "最近几条里它说话的比例"),
    /// The line before is its own.
    NextLine "next_line" ("it follows right on its own line", "紧接在它的话后面"),
    /// How long nobody spoke before this: 0 no pause, 1 an hour, logarithmic.
    Lull "lull" ("the pause before it", "之前的停顿"),
    /// How many speak here: 0 two, 1 twelve or more.
    Crowd "crowd" ("many people are talking", "说话的人很多"),
    /// Messages a minute: 0 none, 1 sixty, logarithmic.
    Pace "pace" ("the chat moves fast", "聊得很快"),
    /// In a small room: it is its turn, by how long it has not spoken.
    SmallTurn "small_turn" ("among few people it is its turn", "人少，该轮到它了"),
    /// In a small room: it just spoke.
    SmallRecent "small_recent" ("among few people, it just spoke", "人少，它刚说过"),
    /// In a small room: the author goes on writing.
    SmallRun "small_run" ("among few people, they are still writing", "人少，对方还在写"),

    // What kind of message.
    /// It asks something.
    Question "question" ("they ask a question", "提了问题"),
    /// It asks the room: a question to nobody in particular that opens something new.
    OpenQuestion "open_question" ("a question to the room", "向大家提问"),
    /// It greets or thanks.
    Greeting "greeting" ("they greet or thank", "打招呼或道谢"),
    /// How long it is: 0 empty, 1 two thousand characters, logarithmic.
    Length "length" ("the message's length", "消息的长短"),
    /// The author goes on writing: lines in a row.
    Run "run" ("they write several lines in a row", "连着发了几条"),
    /// The author's first line here.
    Newcomer "newcomer" ("somebody new writes", "新来的人发言"),

    // Topic.
    /// It shares rare words with what the companion said lately.
    Topic "topic" ("it is about what it talked about", "和它刚聊的有关"),
    /// It touches the companion's interests.
    Interest "interest" ("it touches its interests", "是它感兴趣的"),
    /// It touches what the companion would rather not talk about.
    Dislike "dislike" ("it is about what it does not like", "是它不爱聊的"),

    // Self.
    /// How tired it is of speaking: 1 minus energy.
    Tired "tired" ("it has talked a lot", "它说得有点累了"),

    // Only when looked at later.
    /// How old the message is: 0 new, 1 an hour, logarithmic.
    Age "age" ("the message's age", "消息过了一会儿"),
    /// Somebody else has answered it.
    Answered "answered" ("somebody else has answered", "别人已经回答了"),
    /// The companion has spoken since.
    SpokeSince "spoke_since" ("it has spoken since", "之后它说过话了"),
}
