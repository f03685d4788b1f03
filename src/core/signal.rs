//! The signals of the willingness: their names, and how they are told to people. Nothing else: what each looks at is
//! computed in `features/values.rs`, what it weighs is in `data/weights.json`.

use kith_language::signals;

use crate::persona::Language;

/// Declares the signals once: the enum, the list of all, the names, which are those in `data/weights.json` and of the
/// messages for people in `data/messages/*/signals.ftl`, and the numbers they are stored by. A number is given once: a new
/// signal takes the next, wherever it stands, and that of a removed one stays unused.
macro_rules! signals {
    ($($(#[$doc:meta])* $signal:ident $name:ident = $number:literal,)*) => {
        /// Something that makes speaking more or less fitting. A value of 0 means there is nothing to say about it.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Signal {
            $($(#[$doc])* $signal,)*
        }

        impl Signal {
            /// All of them, in the order of a score's values.
            pub const ALL: [Signal; SIGNALS] = [$(Signal::$signal),*];

            /// Those that say how much it has said a moment ago. In small groups who spoke last speaks next, so there they
            /// are no reason against speaking: they raise the threshold (`Weights::restraint_of`).
            pub const RESTRAINTS: [Signal; 2] = [Signal::ShareNow, Signal::Tired];

            /// Its name in `data/weights.json` and in reports.
            pub fn name(self) -> &'static str {
                match self {
                    $(Signal::$signal => stringify!($name),)*
                }
            }

            /// What it is stored by.
            pub fn number(self) -> u8 {
                match self {
                    $(Signal::$signal => $number,)*
                }
            }

            pub fn from_number(number: u8) -> Option<Signal> {
                match number {
                    $($number => Some(Signal::$signal),)*
                    _ => None,
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

        pub const SIGNALS: usize = [$(Signal::$signal),*].len();
    };
}

signals! {
    // Address.
    Mention mention = 0,
    /// A typed reply to its line.
    Reply reply = 1,
    /// Its name, used to call it.
    Vocative vocative = 2,
    /// It is called where it has not spoken yet, so that nothing else can tell that it takes part.
    FirstCall first_call = 3,
    /// Its name occurs, or somebody is told by what it cares about: "the bike lady".
    Named named = 4,
    /// A direct message, or nobody else is around.
    Direct direct = 5,
    /// Somebody else is mentioned, replied to or called by name.
    OtherAddressed other_addressed = 6,
    /// Somebody else is addressed, and told "you".
    YouOther you_other = 7,
    /// It is called by somebody it has not talked with for long: 0 just now, 1 an hour ago or never, logarithmic.
    CalledAnew called_anew = 8,
    /// It is called and asked something.
    CalledQuestion called_question = 9,
    /// It is called, by how long the message is.
    CalledLength called_length = 10,
    /// It is called in answer to its line.
    CalledAnswer called_answer = 11,
    /// It is called where the chat moves fast.
    CalledPace called_pace = 12,

    // Conversation.
    /// The author is somebody it just talked with; fades within minutes.
    Partner partner = 13,
    /// The same, fading within a quarter of an hour.
    Acquainted acquainted = 14,
    /// How many lines it has spoken to them of late, logarithmic.
    SpokeTo spoke_to = 15,
    /// The author addressed it a short while ago.
    CalledBefore called_before = 16,
    /// The message seems to answer its line: the share of the link guess on own lines.
    AnswersMe answers_me = 17,
    /// It seems to answer its newest line.
    AnswersLast answers_last = 18,
    /// It seems to answer what somebody else said to the companion.
    AnswersCaller answers_caller = 19,
    /// It seems to belong to a conversation the companion takes part in.
    MyConversation my_conversation = 20,
    /// Its share of the lines of the conversation the message seems to belong to.
    MyPart my_part = 21,
    /// How many lines that conversation has, logarithmic.
    LongTalk long_talk = 22,
    /// It seems to open something new: the share of the link guess on no line at all.
    Opens opens = 23,
    /// Two others seem to talk to each other.
    OthersTalk others_talk = 24,
    /// It continues the author's line that was meant for the companion.
    ContinuesToMe continues_to_me = 25,
    /// It continues the author's line that was meant for somebody else.
    ContinuesToOther continues_to_other = 26,
    /// Somebody else's call to the companion is still unanswered.
    Pending pending = 27,

    /// How much the talk is its own: somebody turned to it, and others have not taken the talk back.
    Hold hold = 28,

    // Rhythm.
    /// How short ago it spoke: 1 just now, 0 an hour ago, logarithmic.
    Recent recent = 29,
    /// It spoke one to two minutes ago.
    Silent1 silent_1 = 30,
    /// It spoke two to five minutes ago.
    Silent2 silent_2 = 31,
    /// It spoke five to fifteen minutes ago.
    Silent5 silent_5 = 32,
    /// How many lines it wrote in the last three minutes: 1 ten or more.
    OfLate of_late = 33,
    /// How few messages ago it spoke: 1 none, 0 a hundred, logarithmic.
    Lately lately = 34,
    /// It has not spoken here as far as it remembers.
    Stranger stranger = 35,
    /// Its share of the last lines.
    Share share = 36,
    /// The line before is its own.
    NextLine next_line = 37,
    /// How long nobody spoke before this: 0 no pause, 1 an hour, logarithmic.
    Lull lull = 38,
    /// How many speak here: 0 two, 1 twelve or more.
    Crowd crowd = 39,
    /// Messages a minute: 0 none, 1 sixty, logarithmic.
    Pace pace = 40,
    /// How many of its turns were answers to people who had not called it.
    StepsIn steps_in = 41,
    /// The same, where somebody asks nobody in particular.
    StepsInQuestion steps_in_question = 42,
    /// How many of its turns were meant for nobody in particular.
    Starts starts = 43,
    // Taking turns: in a small room only.
    /// How small the room is: 1 up to three people, 0 from four on.
    SmallRoom small_room = 44,
    /// It is called.
    SmallCalled small_called = 45,
    /// Somebody else is addressed.
    SmallOther small_other = 46,
    /// Its share of the remembered lines.
    SmallShare small_share = 47,
    /// How long it has been silent beside whoever else spoke last, logarithmic.
    SmallSilence small_silence = 48,
    /// Nobody has been silent for as long.
    SmallLongest small_longest = 49,
    /// How often it is the next to speak after the author.
    SmallFollows small_follows = 50,
    /// The author cuts in on it and somebody else.
    SmallCutIn small_cut_in = 51,
    /// The line before asks something.
    SmallAsked small_asked = 52,
    /// The message asks something.
    SmallQuestion small_question = 53,
    /// How long it is.
    SmallLength small_length = 54,
    /// The author goes on: the second line in a row.
    SmallRun1 small_run_1 = 55,
    /// The author goes on: the third line in a row.
    SmallRun2 small_run_2 = 56,

    // Its own conversation: what answers its last turn, or goes on in a talk it takes part in.
    /// How much the message stands in a talk with it: its turn was lately, few others wrote since.
    Talk talk = 57,
    /// The same, as far as the talk is its own.
    TalkHeld talk_held = 58,
    /// Nobody else wrote since its turn.
    TalkDirect talk_direct = 59,
    /// The same, and it is the author's first line since.
    TalkFirst talk_first = 60,
    /// The author is who its turn answered.
    TalkPartner talk_partner = 61,
    /// Its turn asked something, and this may answer it.
    TalkAnswer talk_answer = 62,
    /// In a talk with it they ask something.
    TalkQuestion talk_question = 63,
    /// In a talk with it they say "you".
    TalkYou talk_you = 64,
    /// In a talk with it they ask for something.
    TalkRequest talk_request = 65,
    /// In a talk with it they only laugh or acknowledge.
    TalkSlight talk_slight = 66,
    /// In a talk with it they close it: thanks, good night.
    TalkClosing talk_closing = 67,
    /// In a talk with it, by how long the message is.
    TalkLength talk_length = 68,
    /// Its turn was meant for somebody else.
    TalkElsewhere talk_elsewhere = 69,
    /// It shares words with its last turn.
    TalkTopic talk_topic = 70,

    // What the words say about the talk.
    /// The burst asks for something: an opinion, help, a guess.
    Request request = 71,
    /// The burst turns to several people or to whoever reads it.
    Room room = 72,
    /// The same, as a question.
    RoomQuestion room_question = 73,
    /// Laughing, acknowledgements or signs only.
    Slight slight = 74,
    Closing closing = 75,
    /// It ends in the middle.
    Trailing trailing = 76,
    /// The burst tells of trouble.
    Distress distress = 77,
    /// The burst tells of good news.
    GoodNews good_news = 78,
    /// Its author does not want to be answered now.
    LeaveBe leave_be = 79,
    Loud loud = 80,
    /// The burst names somebody else.
    NamesOther names_other = 81,
    /// The same, and says "you".
    NamesOtherYou names_other_you = 82,
    /// An earlier line of the burst named the companion.
    BurstNames burst_names = 83,
    /// How long the burst is, logarithmic.
    BurstLength burst_length = 84,
    /// How many lines the burst has beyond the first.
    BurstLines burst_lines = 85,

    // What stands around it.
    /// Somebody else asked something right before, which this may answer.
    BeforeAsks before_asks = 86,
    /// Somebody else's line right before was meant for the author.
    BeforeToAuthor before_to_author = 87,
    /// Somebody else wrote a moment before.
    BeforeOther before_other = 88,
    /// Two people have the last lines to themselves.
    Pair pair = 89,
    /// The two who spoke last, one of them the companion, are spoken to together: "you two".
    YouTwo you_two = 90,
    /// A question to nobody in particular after a long pause.
    LullQuestion lull_question = 91,
    /// A pause of more than ten minutes before it.
    LongLull long_lull = 92,
    /// A question where the companion has been silent for long.
    ColdQuestion cold_question = 93,
    /// How many are around, logarithmic.
    Around around = 94,
    /// Nobody but the author is around.
    AuthorAlone author_alone = 95,
    /// The same, and something is wrong with them.
    AloneDistress alone_distress = 96,
    /// Its share of the last six lines.
    ShareNow share_now = 97,
    /// How many lines since its last, logarithmic.
    SinceOwn since_own = 98,

    // What kind of message.
    Question question = 99,
    /// It asks the room: a question to nobody in particular that opens something new.
    OpenQuestion open_question = 100,
    /// It greets or thanks.
    Greeting greeting = 101,
    /// How long it is: 0 empty, 1 two thousand bytes, logarithmic.
    Length length = 102,
    /// It has three words at most.
    Brief brief = 103,
    /// It opens with a reaction: agrees, declines, thanks.
    Agrees agrees = 104,
    Personal personal = 105,
    /// The author goes on writing: lines in a row.
    Run run = 106,
    /// The author's first line here.
    Newcomer newcomer = 107,

    // Topic.
    /// It shares rare words with what the companion said lately.
    Topic topic = 108,
    /// How much of it is words of what the companion said or answered before, weighed by rarity.
    Known known = 109,
    /// It touches the companion's interests, each counting by how rare it is in the room.
    Interest interest = 110,
    /// It touches what the companion would rather not talk about.
    Dislike dislike = 111,

    // Self.
    /// How tired it is of speaking: 1 minus energy.
    Tired tired = 112,
    /// How people here take what it says: −1 they would rather it kept quiet … 1 they like it.
    Welcome welcome = 113,

    // Only when looked at later.
    /// How old the message is: 0 new, 1 an hour, logarithmic.
    Age age = 114,
    /// Somebody else has answered it.
    Answered answered = 115,
    /// The companion has spoken since.
    SpokeSince spoke_since = 116,
}
