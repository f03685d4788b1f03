//! The English words around a name that show it is a call, or is not. Lower case; data only.

/// Said before a name, whatever follows: "hey Mia what's up".
pub const GREETS: &[&str] = &[
    "hey",
    "hi",
    "hello",
    "yo",
    "oi",
    "heya",
    "hiya",
    "dear",
    "thanks",
    "thx",
    "ty",
    "thank you",
    "good morning",
    "good night",
    "good evening",
    "happy birthday",
    "welcome back",
    "welcome",
    "congrats",
    "hey there",
    "hi there",
    "oh hey",
    "oh hi",
    "ok hey",
    "sup",
    "wb",
    "please",
    "pls",
    "plz",
];

/// Said before a name that ends its clause: "ok Mia", "lol Mia".
pub const CLOSES: &[&str] = &[
    "ok",
    "okay",
    "yes",
    "yeah",
    "yep",
    "no",
    "nah",
    "nope",
    "sorry",
    "please",
    "pls",
    "morning",
    "night",
    "gn",
    "gm",
    "bye",
    "goodbye",
    "lol",
    "lmao",
    "haha",
    "omg",
    "wow",
    "nice",
    "cool",
    "great",
    "right",
    "sure",
    "well done",
    "nice one",
    "good one",
    "good job",
    "come on",
    "cmon",
    "stop it",
    "shut up",
    "damn",
    "so",
    "well",
    "true",
    "same",
    "agreed",
    "exactly",
    "why",
    "what",
    "wait",
    "help",
    "help me",
    "tell me",
    "tell us",
    "tell me more",
    "oh",
    "ah",
    "evening",
    "afternoon",
    "cheers",
    "indeed",
    "later",
    "brb",
    "back",
    "help us",
];

/// The word before a name at the very end of a line that is enough alone: "thanks Mia".
pub const BEFORE_LAST: &[&str] = &[
    "you", "u", "ya", "thoughts", "right", "please", "pls", "plz", "thanks", "thx", "ty", "night",
    "morning", "welcome", "congrats", "lol", "haha", "huh", "eh", "though", "agreed",
];

/// What takes a name as the one spoken about, also with -s, -ed and -ing: "have you seen Mia?", "everyone blames Mia".
pub const TAKES_NAME: &[&str] = &[
    "see", "seen", "saw", "meet", "met", "know", "knew", "ask", "tell", "told", "call", "text",
    "like", "love", "hate", "miss", "need", "want", "find", "found", "hear", "heard", "get", "got",
    "remember", "visit", "help", "invite", "add", "kick", "ban", "block", "date", "marry", "kiss",
    "hug", "wake", "beat", "blame", "bring", "brought", "thank", "let", "make", "made", "trust",
    "believe", "follow", "join", "support", "pick", "pass", "watch", "ignore", "avoid", "forgive",
    "forget", "forgot", "tag", "mention", "quote", "copy", "mute", "unmute", "report", "warn",
    "save", "protect", "teach", "taught", "give", "gave", "sent", "buy", "bought", "lend", "lent",
    "owe", "pay", "paid", "remind", "convince", "surprise", "scare", "annoy", "bother", "trade",
    "draw", "drew", "ping", "message", "email", "poke", "carry", "feed", "fed", "fight", "fought",
    "chase", "become", "became", "hire", "fire", "leave", "left", "keep", "kept", "hold", "held",
    "lose", "lost", "win", "choose", "chose", "name", "drive", "drove", "come", "sell", "sold",
    "steal", "stole", "fit", "suit", "play", "cast", "catch", "caught", "punch", "hit", "touch",
    "feel", "felt", "of",
];

/// Other words after which a name is the one spoken about: "come with Mia", "typical Mia".
pub const BELONGS: &[&str] = &[
    "with", "to", "from", "for", "about", "of", "on", "at", "by", "without", "behind", "after",
    "before", "than", "as", "and", "or", "near", "over", "under", "around", "between", "against",
    "into", "off", "via", "per", "inside", "beside", "past", "through", "is", "was", "be", "are",
    "were", "isn't", "wasn't", "am", "it's", "that's", "i'm", "he's", "she's", "the", "a", "an",
    "my", "our", "your", "ur", "his", "her", "their", "poor", "old", "dear", "little", "young",
    "big", "typical", "classic", "real", "fake", "another", "every", "no", "you're", "youre",
    "how's", "where's", "who's", "what's", "has", "have", "had", "does", "did", "do", "can",
    "will", "would", "could", "should", "if", "because", "when", "while", "not", "even", "only",
    "just", "so", "very", "such", "more", "most", "called", "named", "here's", "there's", "since",
    "until", "till", "except", "plus", "minus", "vs",
];

/// Before a word of [`TAKES_NAME`] these make it a thing: "i need your help Mia".
pub const OWNS: &[&str] = &[
    "your", "ur", "my", "the", "a", "some", "any", "more", "no", "that",
];

/// After a form of "be" these stand for the name: "is that Mia?".
pub const POINTS: &[&str] = &["that", "this", "it"];

/// After a name that opens a clause: "Mia please", "Mia what's that".
pub const AFTER_FIRST: &[&str] = &[
    "you", "u", "ya", "your", "ur", "you're", "please", "pls", "plz", "help", "whats", "what's",
    "what", "how", "hows", "how's", "why", "where", "where's", "when", "thoughts", "wake", "tell",
    "look", "check", "stop", "listen", "wait", "thanks", "thx", "ty", "thank", "welcome", "hi",
    "hello", "hey", "omg", "lol", "any", "i'm", "im", "i", "we", "don't", "dont", "let's", "lets",
    "come", "get", "give", "remember", "let", "hmm", "hm", "uh", "um", "ok", "okay", "quick",
    "that's", "thats",
];

/// After a name that opens a clause, where nothing else but these follows: "Mia no", "Mia no way lol".
pub const SHORT_AFTER: &[&str] = &[
    "no",
    "nope",
    "nah",
    "yes",
    "yeah",
    "yep",
    "way",
    "noo",
    "nooo",
    "really",
    "seriously",
];

/// After a name that opens a clause, if one of [`ASKED`] follows: "Mia can you".
pub const ASKS: &[&str] = &[
    "can", "could", "would", "will", "did", "do", "does", "are", "were", "have", "had", "should",
    "may", "can't", "don't", "didn't", "aren't", "won't", "am", "shall",
];

/// After a name that opens a clause, if one of [`ASKED_ABOUT`] follows: "Mia is that you".
pub const ASKS_ABOUT: &[&str] = &["is", "isn't", "was", "wasn't"];

/// What is asked about after one of [`ASKS_ABOUT`].
pub const ASKED_ABOUT: &[&str] = &["that", "this", "it", "there", "my", "your"];

/// After a name that opens a question, where the verb that asks was left out: "Mia want to come over?".
pub const ASKS_SHORTLY: &[&str] = &[
    "want", "wanna", "ever", "got", "fancy", "ready", "free", "up", "still", "feel", "feeling",
    "seen", "tonight",
];

/// After a name that opens a clause, if one of [`TOLD_OF`] follows: "Mia it's my birthday".
pub const TELLS: &[&str] = &["it's", "its", "today's", "tomorrow's"];

/// What one of [`TELLS`] tells its owner of.
pub const TOLD_OF: &[&str] = &["my", "me", "your", "our", "so", "too"];

/// After "be", what somebody is asked to be.
pub const BE_ASKED: &[&str] = &[
    "honest", "nice", "quiet", "careful", "real", "serious", "kind", "good", "my",
];

/// What somebody did to me: before "me" it tells, where any other verb asks: "Mia back me up".
pub const DID: &[&str] = &[
    "gave", "told", "sent", "made", "got", "took", "left", "saw", "taught", "brought", "bought",
    "kept", "found", "heard", "met", "lent", "paid", "said", "is", "was", "has", "like", "likes",
    "and", "or", "to", "at", "with", "for", "on", "of",
];

/// Words of thanks that begin a clause.
pub const THANKS: &[&str] = &["thanks", "thank", "thx", "ty", "cheers"];

/// Who is asked or asks after one of [`ASKS`].
pub const ASKED: &[&str] = &["you", "u", "ya", "we", "i", "me", "your"];

/// Words that join two names in a list.
pub const JOINS: &[&str] = &["and", "or", "&", "vs", "n"];

/// Faces typed with a letter or digit.
pub const FACES: &[&str] = &[
    "<3", ":3", ":D", ":P", ":p", ":o", ":O", "xD", "XD", "xx", "x",
];

/// Words that open what is said.
pub const OPENERS: &[&str] = &[
    "ok",
    "okay",
    "but",
    "so",
    "and",
    "well",
    "yeah",
    "yes",
    "no",
    "oh",
    "wait",
    "lol",
    "omg",
    "ha",
    "haha",
    "anyway",
    "actually",
    "also",
    "then",
    "btw",
    "hmm",
    "ah",
    "lmao",
    "seriously",
    "damn",
];

/// Manners after a name that ends what is said: "bring my jacket Mia please".
pub const MANNERS: &[&str] = &[
    " please", " pls", " plz", " thanks", " thx", " ty", " lol", " haha",
];

/// What a line ends with that is not done.
pub const OPEN_ENDS: &[&str] = &[
    "and",
    "so",
    "but",
    "or",
    "because",
    "cause",
    "cuz",
    "then",
    "if",
    "when",
    "like",
    "also",
    "plus",
    "with",
    "the",
    "a",
    "to",
    "btw",
    "anyway",
    "wait",
    "well",
    "actually",
    "could you",
    "can you",
    "would you",
    "will you",
    "what",
    "is",
    "my",
    "your",
    "our",
    "their",
    "an",
    "of",
    "for",
    "from",
    "about",
    "maybe",
];

/// Before "let", beside what opens: "just let Mia pick".
pub const BEFORE_LET: &[&str] = &["just", "maybe", "fine", "please", "pls", "now", "right"];

/// What everybody can let somebody do that it does by speaking.
pub const ASKED_THROUGH: &[&str] = &[
    "pick",
    "choose",
    "decide",
    "say",
    "speak",
    "talk",
    "answer",
    "tell",
    "explain",
    "guess",
    "judge",
    "recommend",
    "suggest",
    "settle",
    "start",
    "try",
    "have",
    "rate",
    "name",
    "vote",
    "sing",
    "read",
    "describe",
    "weigh",
];
