//! The signals of the willingness: their names, and how they are told to people. Nothing else: what each looks at is
//! computed in `sense/values.rs`, what it weighs is in `data/weights.json`.

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
    /// A direct message, or nobody else is around.
    Direct "direct" ("it is said to it alone", "只对它说"),
    /// Somebody else is mentioned, replied to or called by name.
    OtherAddressed "other_addressed" ("somebody else is addressed", "在对别人说"),
    /// Somebody else is addressed, and told "you".
    YouOther "you_other" ("somebody else is addressed", "在对别人说"),
    /// It is called by somebody it has not talked with for long: 0 just now, 1 an hour ago or never, logarithmic.
    CalledAnew "called_anew" ("they turn to it anew", "又来找它了"),
    /// It is called and asked something.
    CalledQuestion "called_question" ("they ask it something", "在问它问题"),
    /// It is called, by how long the message is.
    CalledLength "called_length" ("how much they tell it", "对它说了多少"),
    /// It is called in answer to its line.
    CalledAnswer "called_answer" ("they answer what it said by name", "点名回应它的话"),
    /// It is called where the chat moves fast.
    CalledPace "called_pace" ("they pick it out of a fast chat", "在热闹里点了它的名"),

    // Conversation.
    /// The author is somebody it just talked with; fades within minutes.
    Partner "partner" ("it just talked with this person", "刚和这个人聊过"),
    /// The same, fading within a quarter of an hour.
    Acquainted "acquainted" ("it talked with this person a while ago", "不久前和这个人聊过"),
    /// How many lines it has spoken to them of late, logarithmic.
    SpokeTo "spoke_to" ("it has been talking with this person", "一直在和这个人聊"),
    /// The author addressed it a short while ago.
    CalledBefore "called_before" ("this person addressed it before", "这个人之前找过它"),
    /// The message seems to answer its line: the share of the link guess on own lines.
    AnswersMe "answers_me" ("it seems to answer what it said", "像是在接它的话"),
    /// It seems to answer its newest line.
    AnswersLast "answers_last" ("it seems to answer what it said", "像是在接它的话"),
    /// It seems to answer what somebody else said to the companion.
    AnswersCaller "answers_caller" ("it seems to answer what was said to it", "像是在接别人对它说的话"),
    /// It seems to belong to a conversation the companion takes part in.
    MyConversation "my_conversation" ("it belongs to a conversation it takes part in", "属于它参与的对话"),
    /// Its share of the lines of the conversation the message seems to belong to.
    MyPart "my_part" ("it belongs to a conversation it takes part in", "属于它参与的对话"),
    /// How many lines that conversation has, logarithmic.
    LongTalk "long_talk" ("it belongs to a long conversation", "属于一段长对话"),
    /// It seems to open something new: the share of the link guess on no line at all.
    Opens "opens" ("it opens something new", "开了新话头"),
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
    /// It spoke one to two minutes ago.
    Silent1 "silent_1" ("it has said nothing for some minutes", "几分钟没说话了"),
    /// It spoke two to five minutes ago.
    Silent2 "silent_2" ("it has said nothing for some minutes", "几分钟没说话了"),
    /// It spoke five to fifteen minutes ago.
    Silent5 "silent_5" ("it has said nothing for some minutes", "几分钟没说话了"),
    /// How many lines it wrote in the last three minutes: 1 ten or more.
    OfLate "of_late" ("it has been talking a lot just now", "刚才说了不少"),
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
    /// How many of its turns were answers to people who had not called it.
    StepsIn "steps_in" ("it often steps in here", "它在这里常主动接话"),
    /// The same, where somebody asks nobody in particular.
    StepsInQuestion "steps_in_question" ("it often answers such questions", "这类问题它常回答"),
    /// How many of its turns were meant for nobody in particular.
    Starts "starts" ("it often speaks to the room", "它常对大家说话"),
    // Taking turns: in a small room only.
    /// How small the room is: 1 up to three people, 0 from four on.
    SmallRoom "small_room" ("among few people", "人少"),
    /// It is called.
    SmallCalled "small_called" ("among few people they call it", "人少，叫到了它"),
    /// Somebody else is addressed.
    SmallOther "small_other" ("among few people somebody else is addressed", "人少，在对别人说"),
    /// Its share of the remembered lines.
    SmallShare "small_share" ("among few people, how much it talks", "人少，它平时说话的多少"),
    /// How long it has been silent beside whoever else spoke last, logarithmic.
    SmallSilence "small_silence" ("among few people it is its turn", "人少，该轮到它了"),
    /// Nobody has been silent for as long.
    SmallLongest "small_longest" ("among few people it is its turn", "人少，该轮到它了"),
    /// How often it is the next to speak after the author.
    SmallFollows "small_follows" ("it usually speaks after this person", "通常这个人之后轮到它"),
    /// The author cuts in on it and somebody else.
    SmallCutIn "small_cut_in" ("among few people, a third joins in", "人少，第三个人插话"),
    /// The line before asks something.
    SmallAsked "small_asked" ("among few people, a question is being answered", "人少，有人在答问题"),
    /// The message asks something.
    SmallQuestion "small_question" ("among few people a question", "人少，有人提问"),
    /// How long it is.
    SmallLength "small_length" ("the message's length", "消息的长短"),
    /// The author goes on: the second line in a row.
    SmallRun1 "small_run_1" ("among few people, they are still writing", "人少，对方还在写"),
    /// The author goes on: the third line in a row.
    SmallRun2 "small_run_2" ("among few people, they are still writing", "人少，对方还在写"),

    // What kind of message.
    /// It asks something.
    Question "question" ("they ask a question", "提了问题"),
    /// It asks the room: a question to nobody in particular that opens something new.
    OpenQuestion "open_question" ("a question to the room", "向大家提问"),
    /// It greets or thanks.
    Greeting "greeting" ("they greet or thank", "打招呼或道谢"),
    /// How long it is: 0 empty, 1 two thousand bytes, logarithmic.
    Length "length" ("the message's length", "消息的长短"),
    /// It has three words at most.
    Brief "brief" ("it is only a word or two", "只有一两个词"),
    /// It opens with a reaction: agrees, declines, thanks.
    Agrees "agrees" ("they only react", "只是个反应"),
    /// It speaks of its author.
    Personal "personal" ("they speak of themselves", "在说自己的事"),
    /// The author goes on writing: lines in a row.
    Run "run" ("they write several lines in a row", "连着发了几条"),
    /// The author's first line here.
    Newcomer "newcomer" ("somebody new writes", "新来的人发言"),

    // Topic.
    /// It shares rare words with what the companion said lately.
    Topic "topic" ("it is about what it talked about", "和它刚聊的有关"),
    /// How much of it is words of what the companion said or answered before, weighed by rarity.
    Known "known" ("it is about what it usually answers", "是它常回应的话题"),
    /// It touches the companion's interests, each counting by how rare it is in the room.
    Interest "interest" ("it touches its interests", "是它感兴趣的"),
    /// It touches what the companion would rather not talk about.
    Dislike "dislike" ("it is about what it does not like", "是它不爱聊的"),

    // Self.
    /// How tired it is of speaking: 1 minus energy.
    Tired "tired" ("it has talked a lot", "它说得有点累了"),
    /// How people here take what it says: −1 they would rather it kept quiet … 1 they like it.
    Welcome "welcome" ("how people here take it", "这里的人对它的态度"),

    // Only when looked at later.
    /// How old the message is: 0 new, 1 an hour, logarithmic.
    Age "age" ("the message's age", "消息过了一会儿"),
    /// Somebody else has answered it.
    Answered "answered" ("somebody else has answered", "别人已经回答了"),
    /// The companion has spoken since.
    SpokeSince "spoke_since" ("it has spoken since", "之后它说过话了"),
}
