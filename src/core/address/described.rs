//! Somebody told by what they do: "the bike lady", "ask the piano one", 那个开出租的师傅. Finds what they are told by; whose
//! that is, others know.

use super::{is_listed, split_words, word_offset};

/// What people are called in English who are told by what they do.
const PEOPLE: &[&str] = &[
    "guy",
    "girl",
    "gal",
    "lady",
    "woman",
    "man",
    "lad",
    "lass",
    "dude",
    "person",
    "expert",
    "nerd",
    "wizard",
    "queen",
    "king",
    "doctor",
    "doc",
    "whisperer",
    "department",
];
/// "The soup one" is a thing unless somebody is to be asked, or thinks and speaks.
const ASKS: &[&str] = &["ask", "asks", "tell"];
const MINDS: &[&str] = &[
    "think", "thinks", "say", "says", "said", "know", "knows", "reckon", "reckons", "can", "too",
];
/// What stands before it.
const ARTICLES: &[&str] = &["the", "our", "that"];
/// The most words it is told by.
const MOST: usize = 2;
/// What people are called in Chinese who are told by what they do, …
const ZH_PEOPLE: &[&str] = &[
    "那位",
    "那个人",
    "师傅",
    "朋友",
    "家伙",
    "老板",
    "同学",
    "哥们",
    "姐们",
    "兄弟",
    "姐妹",
    "专家",
    "大神",
    "人呢",
    "呢",
];
/// … behind this, and after one of these.
const ZH_OF: &str = "的";
const ZH_THAT: &[&str] = &["那个", "咱们", "我们"];
/// The most characters it is told by.
const ZH_MOST: usize = 8;

/// What everybody is told by who is told so in a text.
pub fn find_descriptions(text: &str) -> Vec<&str> {
    let line = text.lines().next().unwrap_or_default();
    let mut found = find_english_descriptions(line);
    found.extend(find_chinese_descriptions(line));
    found
}

fn find_english_descriptions(line: &str) -> Vec<&str> {
    let said: Vec<&str> = split_words(line).collect();
    let is_person = |at: usize| {
        is_listed(PEOPLE, said[at])
            || said[at].eq_ignore_ascii_case("one")
                && said.get(at + 1).is_some_and(|next| is_listed(MINDS, next))
    };
    let mut found = Vec::new();
    for (at, article) in said
        .iter()
        .enumerate()
        .filter(|(_, word)| is_listed(ARTICLES, word))
    {
        let asked = at > 0 && is_listed(ASKS, said[at - 1]);
        let ends = |end: &usize| is_person(*end) || asked && said[*end].eq_ignore_ascii_case("one");
        let Some(end) = (at + 2..said.len().min(at + MOST + 2)).find(ends) else {
            continue;
        };
        let from = |word: &str| word_offset(line, word);
        found.extend(line.get(from(article) + article.len()..from(said[end])));
    }
    found
}

fn find_chinese_descriptions(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices(ZH_OF).filter_map(|(of, _)| {
        let (before, after) = (line.get(..of)?, line.get(of + ZH_OF.len()..)?);
        let called = ZH_PEOPLE.iter().any(|person| after.starts_with(person));
        let that = ZH_THAT
            .iter()
            .filter_map(|that| Some(before.rfind(that)? + that.len()))
            .max();
        let told = match that {
            Some(from) => before.get(from..)?,
            None if after.starts_with("那位") => before,
            None => return None,
        };
        (called && !told.is_empty() && told.chars().count() <= ZH_MOST).then_some(told)
    })
}
