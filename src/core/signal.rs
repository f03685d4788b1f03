//! The signals of the willingness: their names, and how they are told to people. Nothing else: what each looks at is
//! computed in `features/values.rs`, what it weighs is in `data/weights.json`.

use crate::persona::Language;

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
    /// Its name occurs, or somebody is told by what it cares about: "the bike lady".
    Named "named" ("its name comes up, or what it is known for", "说到了它的名字，或者它是干什么的"),
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

    // Its own conversation: what answers its last turn, or goes on in a talk it takes part in.
    /// How much the message stands in a talk with it: its turn was lately, few others wrote since.
    Talk "talk" ("they are talking with it", "正在和它聊"),
    /// Nobody else wrote since its turn.
    TalkDirect "talk_direct" ("it comes right after what it said", "紧接在它的话后面"),
    /// The same, and it is the author's first line since.
    TalkFirst "talk_first" ("it comes right after what it said", "紧接在它的话后面"),
    /// The author is who its turn answered.
    TalkPartner "talk_partner" ("it was talking with this person", "刚才在和这个人聊"),
    /// Its turn asked something, and this may answer it.
    TalkAnswer "talk_answer" ("they answer its question", "在回答它的问题"),
    /// In a talk with it they ask something.
    TalkQuestion "talk_question" ("they ask something in a talk with it", "聊着聊着问了问题"),
    /// In a talk with it they say "you".
    TalkYou "talk_you" ("they say you in a talk with it", "聊着聊着说到你"),
    /// In a talk with it they ask for something.
    TalkRequest "talk_request" ("they ask it for something", "在请它做点什么"),
    /// In a talk with it they only laugh or acknowledge.
    TalkSlight "talk_slight" ("they only react to what it said", "只是对它的话有点反应"),
    /// In a talk with it they close it: thanks, good night.
    TalkClosing "talk_closing" ("they close the talk with it", "在结束和它的对话"),
    /// In a talk with it, by how long the message is.
    TalkLength "talk_length" ("how much they tell it", "对它说了多少"),
    /// Its turn was meant for somebody else.
    TalkElsewhere "talk_elsewhere" ("it was talking with somebody else", "刚才在和别人聊"),
    /// It shares words with its last turn.
    TalkTopic "talk_topic" ("it is about what it just said", "和它刚说的有关"),

    // What the words say about the talk.
    /// The burst asks for something: an opinion, help, a guess.
    Request "request" ("they ask for something", "想请人做点什么"),
    /// The burst turns to several people or to whoever reads it.
    Room "room" ("they turn to everybody", "在对大家说"),
    /// The same, as a question.
    RoomQuestion "room_question" ("they ask everybody", "在问大家"),
    /// Laughing, acknowledgements or signs only.
    Slight "slight" ("it is only a reaction", "只是个反应"),
    /// It closes a talk.
    Closing "closing" ("they are leaving or thanking", "在道别或道谢"),
    /// It ends in the middle.
    Trailing "trailing" ("they will go on writing", "话还没说完"),
    /// The burst tells of trouble.
    Distress "distress" ("something is wrong with them", "遇到难处了"),
    /// The burst tells of good news.
    GoodNews "good_news" ("they tell good news", "有好消息"),
    /// Its author does not want to be answered now.
    LeaveBe "leave_be" ("they want to be left alone", "想自己待会儿"),
    /// It is loud.
    Loud "loud" ("they are excited", "很激动"),
    /// The burst names somebody else.
    NamesOther "names_other" ("somebody else is named", "提到了别人"),
    /// The same, and says "you".
    NamesOtherYou "names_other_you" ("somebody else is told you", "在对别人说你"),
    /// An earlier line of the burst named the companion.
    BurstNames "burst_names" ("they named it a moment ago", "刚才提到了它"),
    /// How long the burst is, logarithmic.
    BurstLength "burst_length" ("how much they wrote at once", "一口气写了多少"),
    /// How many lines the burst has beyond the first.
    BurstLines "burst_lines" ("they wrote several lines in a row", "连着发了几条"),

    // What stands around it.
    /// Somebody else asked something right before, which this may answer.
    BeforeAsks "before_asks" ("they answer somebody else's question", "在回答别人的问题"),
    /// Somebody else's line right before was meant for the author.
    BeforeToAuthor "before_to_author" ("somebody else just spoke to them", "别人刚对他说了话"),
    /// Somebody else wrote a moment before.
    BeforeOther "before_other" ("somebody else wrote a moment before", "别人刚说了话"),
    /// Two people have the last lines to themselves.
    Pair "pair" ("two others are talking to each other", "另外两个人在对话"),
    /// The two who spoke last, one of them the companion, are spoken to together: "you two".
    YouTwo "you_two" ("they speak to it and one other", "是对它和另一个人说的"),
    /// A question to nobody in particular after a long pause.
    LullQuestion "lull_question" ("a question after a long silence", "沉默许久后的提问"),
    /// A pause of more than ten minutes before it.
    LongLull "long_lull" ("it breaks a long silence", "打破了长时间的沉默"),
    /// A question where the companion has been silent for long.
    ColdQuestion "cold_question" ("a question out of the blue", "突然的提问"),
    /// How many are around, logarithmic.
    Around "around" ("how many are here", "在场人数"),
    /// Nobody but the author is around.
    AuthorAlone "author_alone" ("nobody else is here", "没有别人在"),
    /// The same, and something is wrong with them.
    AloneDistress "alone_distress" ("nobody else is here for them", "没有别人能陪他"),
    /// Its share of the last six lines.
    ShareNow "share_now" ("its share of the last lines", "最近几条里它说话的比例"),
    /// How many lines since its last, logarithmic.
    SinceOwn "since_own" ("it has listened for a while", "它听了一会儿了"),

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
