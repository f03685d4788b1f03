//! The signals of the willingness: their names, and how they are told to people. Nothing else: what each looks at is
//! computed in `features/values.rs`, what it weighs is in `data/weights.json`.

use kith_language::signals;

use crate::persona::Language;

/// Declares the signals once: the enum, the list of all, and the names, which are those in `data/weights.json` and of the
/// messages for people in `data/messages/*/signals.ftl`.
macro_rules! signals {
    ($($(#[$doc:meta])* $signal:ident $name:ident,)*) => {
        /// Something that makes speaking more or less fitting. A value of 0 means there is nothing to say about it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Signal {
            $($(#[$doc])* $signal,)*
        }

        impl Signal {
            /// All of them, in the order of a score's values.
            pub const ALL: [Signal; SIGNALS] = [$(Signal::$signal),*];

            /// Those that say how much it has said a moment ago. Among people who spoke last speaks next, so they are no
            /// reason against speaking: they raise the threshold (`ThresholdShift::restraint`).
            pub const RESTRAINTS: [Signal; 2] = [Signal::ShareNow, Signal::Tired];

            /// Its name in `data/weights.json` and in reports.
            pub fn name(self) -> &'static str {
                match self {
                    $(Signal::$signal => stringify!($name),)*
                }
            }

            /// What was seen, in a few words for people.
            pub fn phrase(self, language: Language) -> String {
                let message = match self {
                    $(Signal::$signal => signals::$name(),)*
                };
                message.in_language(language)
            }
        }

        /// How many signals there are.
        pub const SIGNALS: usize = [$(Signal::$signal),*].len();
    };
}

signals! {
    // Address.
    /// It is mentioned.
    Mention mention,
    /// A typed reply to its line.
    Reply reply,
    /// Its name, used to call it.
    Vocative vocative,
    /// It is called where it has not spoken yet, so that nothing else can tell that it takes part.
    FirstCall first_call,
    /// Its name occurs, or somebody is told by what it cares about: "the bike lady".
    Named named,
    /// A direct message, or nobody else is around.
    Direct direct,
    /// Somebody else is mentioned, replied to or called by name.
    OtherAddressed other_addressed,
    /// Somebody else is addressed, and told "you".
    YouOther you_other,
    /// It is called by somebody it has not talked with for long: 0 just now, 1 an hour ago or never, logarithmic.
    CalledAnew called_anew,
    /// It is called and asked something.
    CalledQuestion called_question,
    /// It is called, by how long the message is.
    CalledLength called_length,
    /// It is called in answer to its line.
    CalledAnswer called_answer,
    /// It is called where the chat moves fast.
    CalledPace called_pace,

    // Conversation.
    /// The author is somebody it just talked with; fades within minutes.
    Partner partner,
    /// The same, fading within a quarter of an hour.
    Acquainted acquainted,
    /// How many lines it has spoken to them of late, logarithmic.
    SpokeTo spoke_to,
    /// The author addressed it a short while ago.
    CalledBefore called_before,
    /// The message seems to answer its line: the share of the link guess on own lines.
    AnswersMe answers_me,
    /// It seems to answer its newest line.
    AnswersLast answers_last,
    /// It seems to answer what somebody else said to the companion.
    AnswersCaller answers_caller,
    /// It seems to belong to a conversation the companion takes part in.
    MyConversation my_conversation,
    /// Its share of the lines of the conversation the message seems to belong to.
    MyPart my_part,
    /// How many lines that conversation has, logarithmic.
    LongTalk long_talk,
    /// It seems to open something new: the share of the link guess on no line at all.
    Opens opens,
    /// Two others seem to talk to each other.
    OthersTalk others_talk,
    /// It continues the author's line that was meant for the companion.
    ContinuesToMe continues_to_me,
    /// It continues the author's line that was meant for somebody else.
    ContinuesToOther continues_to_other,
    /// Somebody else's call to the companion is still unanswered.
    Pending pending,

    /// How much the talk is its own: somebody turned to it, and others have not taken the talk back.
    Hold hold,

    // Rhythm.
    /// How short ago it spoke: 1 just now, 0 an hour ago, logarithmic.
    Recent recent,
    /// It spoke one to two minutes ago.
    Silent1 silent_1,
    /// It spoke two to five minutes ago.
    Silent2 silent_2,
    /// It spoke five to fifteen minutes ago.
    Silent5 silent_5,
    /// How many lines it wrote in the last three minutes: 1 ten or more.
    OfLate of_late,
    /// How few messages ago it spoke: 1 none, 0 a hundred, logarithmic.
    Lately lately,
    /// It has not spoken here as far as it remembers.
    Stranger stranger,
    /// Its share of the last lines.
    Share share,
    /// The line before is its own.
    NextLine next_line,
    /// How long nobody spoke before this: 0 no pause, 1 an hour, logarithmic.
    Lull lull,
    /// How many speak here: 0 two, 1 twelve or more.
    Crowd crowd,
    /// Messages a minute: 0 none, 1 sixty, logarithmic.
    Pace pace,
    /// How many of its turns were answers to people who had not called it.
    StepsIn steps_in,
    /// The same, where somebody asks nobody in particular.
    StepsInQuestion steps_in_question,
    /// How many of its turns were meant for nobody in particular.
    Starts starts,
    // Taking turns: in a small room only.
    /// How small the room is: 1 up to three people, 0 from four on.
    SmallRoom small_room,
    /// It is called.
    SmallCalled small_called,
    /// Somebody else is addressed.
    SmallOther small_other,
    /// Its share of the remembered lines.
    SmallShare small_share,
    /// How long it has been silent beside whoever else spoke last, logarithmic.
    SmallSilence small_silence,
    /// Nobody has been silent for as long.
    SmallLongest small_longest,
    /// How often it is the next to speak after the author.
    SmallFollows small_follows,
    /// The author cuts in on it and somebody else.
    SmallCutIn small_cut_in,
    /// The line before asks something.
    SmallAsked small_asked,
    /// The message asks something.
    SmallQuestion small_question,
    /// How long it is.
    SmallLength small_length,
    /// The author goes on: the second line in a row.
    SmallRun1 small_run_1,
    /// The author goes on: the third line in a row.
    SmallRun2 small_run_2,

    // Its own conversation: what answers its last turn, or goes on in a talk it takes part in.
    /// How much the message stands in a talk with it: its turn was lately, few others wrote since.
    Talk talk,
    /// The same, as far as the talk is its own.
    TalkHeld talk_held,
    /// Nobody else wrote since its turn.
    TalkDirect talk_direct,
    /// The same, and it is the author's first line since.
    TalkFirst talk_first,
    /// The author is who its turn answered.
    TalkPartner talk_partner,
    /// Its turn asked something, and this may answer it.
    TalkAnswer talk_answer,
    /// In a talk with it they ask something.
    TalkQuestion talk_question,
    /// In a talk with it they say "you".
    TalkYou talk_you,
    /// In a talk with it they ask for something.
    TalkRequest talk_request,
    /// In a talk with it they only laugh or acknowledge.
    TalkSlight talk_slight,
    /// In a talk with it they close it: thanks, good night.
    TalkClosing talk_closing,
    /// In a talk with it, by how long the message is.
    TalkLength talk_length,
    /// Its turn was meant for somebody else.
    TalkElsewhere talk_elsewhere,
    /// It shares words with its last turn.
    TalkTopic talk_topic,

    // What the words say about the talk.
    /// The burst asks for something: an opinion, help, a guess.
    Request request,
    /// The burst turns to several people or to whoever reads it.
    Room room,
    /// The same, as a question.
    RoomQuestion room_question,
    /// Laughing, acknowledgements or signs only.
    Slight slight,
    /// It closes a talk.
    Closing closing,
    /// It ends in the middle.
    Trailing trailing,
    /// The burst tells of trouble.
    Distress distress,
    /// The burst tells of good news.
    GoodNews good_news,
    /// Its author does not want to be answered now.
    LeaveBe leave_be,
    /// It is loud.
    Loud loud,
    /// The burst names somebody else.
    NamesOther names_other,
    /// The same, and says "you".
    NamesOtherYou names_other_you,
    /// An earlier line of the burst named the companion.
    BurstNames burst_names,
    /// How long the burst is, logarithmic.
    BurstLength burst_length,
    /// How many lines the burst has beyond the first.
    BurstLines burst_lines,

    // What stands around it.
    /// Somebody else asked something right before, which this may answer.
    BeforeAsks before_asks,
    /// Somebody else's line right before was meant for the author.
    BeforeToAuthor before_to_author,
    /// Somebody else wrote a moment before.
    BeforeOther before_other,
    /// Two people have the last lines to themselves.
    Pair pair,
    /// The two who spoke last, one of them the companion, are spoken to together: "you two".
    YouTwo you_two,
    /// A question to nobody in particular after a long pause.
    LullQuestion lull_question,
    /// A pause of more than ten minutes before it.
    LongLull long_lull,
    /// A question where the companion has been silent for long.
    ColdQuestion cold_question,
    /// How many are around, logarithmic.
    Around around,
    /// Nobody but the author is around.
    AuthorAlone author_alone,
    /// The same, and something is wrong with them.
    AloneDistress alone_distress,
    /// Its share of the last six lines.
    ShareNow share_now,
    /// How many lines since its last, logarithmic.
    SinceOwn since_own,

    // What kind of message.
    /// It asks something.
    Question question,
    /// It asks the room: a question to nobody in particular that opens something new.
    OpenQuestion open_question,
    /// It greets or thanks.
    Greeting greeting,
    /// How long it is: 0 empty, 1 two thousand bytes, logarithmic.
    Length length,
    /// It has three words at most.
    Brief brief,
    /// It opens with a reaction: agrees, declines, thanks.
    Agrees agrees,
    /// It speaks of its author.
    Personal personal,
    /// The author goes on writing: lines in a row.
    Run run,
    /// The author's first line here.
    Newcomer newcomer,

    // Topic.
    /// It shares rare words with what the companion said lately.
    Topic topic,
    /// How much of it is words of what the companion said or answered before, weighed by rarity.
    Known known,
    /// It touches the companion's interests, each counting by how rare it is in the room.
    Interest interest,
    /// It touches what the companion would rather not talk about.
    Dislike dislike,

    // Self.
    /// How tired it is of speaking: 1 minus energy.
    Tired tired,
    /// How people here take what it says: −1 they would rather it kept quiet … 1 they like it.
    Welcome welcome,

    // Only when looked at later.
    /// How old the message is: 0 new, 1 an hour, logarithmic.
    Age age,
    /// Somebody else has answered it.
    Answered answered,
    /// The companion has spoken since.
    SpokeSince spoke_since,
}
