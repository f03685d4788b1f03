//! How servers word the refusals that people can do something about, each in its own way and often under a status that
//! means something else. Only words are compared here; what follows from them is the business of `server_faults.rs`.
//! Looked up with OpenAI, Azure, Anthropic, Gemini, Mistral, xAI, DeepSeek, DashScope, Moonshot, Zhipu, SiliconFlow,
//! Volcengine, OpenRouter, LiteLLM, New API, vLLM, SGLang, llama.cpp and Ollama.

use std::sync::LazyLock;

use kith_language::{WordList, word_lists};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RefusalTopic {
    AccountSpent,
    PromptTooLong,
    NoToolCalls,
    Filtered,
    KeyRefused,
    ModelUnknown,
}

/// The words of each kind, and the list of what other languages write; the first kind that fits is meant. Of a wording
/// all parts between `+` stand in the text, each in one of its forms between `|`. A space is the edge of a word.
const WORDINGS: [(RefusalTopic, &str, &[&str]); 6] = [
    (
        RefusalTopic::AccountSpent,
        "account_spent",
        &[
            " credit | credits | balance | balances | overdue| arrear| unpaid | prepaid | billing | payment | top up ",
            " quota | funds +insufficient|exhausted|exceeded your current|exceeded current",
            " budget +exceeded|over budget|crossed",
            "exceededbudget|key limit exceeded|good standing|free tier only|freetieronly|spending limit|usage limits",
        ],
    ),
    (
        RefusalTopic::PromptTooLong,
        "prompt_too_long",
        &[
            " context length| context window| contextwindow| context size| context limit| maximum context",
            "maximum model length|maximum prompt length|max length exceeded|exceeds max length|maximum allowed length",
            " context | prompt | input +too long|too large|length exceeds|length should be|exceeds the maximum number",
            "exceeded model token limit|reduce the length of the messages",
        ],
    ),
    (
        RefusalTopic::NoToolCalls,
        "",
        &["support tools |support tool use|enable auto tool choice|requires jinja"],
    ),
    (
        RefusalTopic::Filtered,
        "input_filtered",
        &[
            " content filter| contentfilter| content policy| content management| data inspection| datainspection",
            " moderation | flagged | inappropriate | guardrail| high risk | nsfw | responsible ai ",
            " sensitive | unsafe | risk | violat| prohibited | harmful | filtered | blocked +content| input | prompt | text | words |information",
            " violat+ polic| guideline| terms ",
            " safety + system| filter| polic| reason| check",
        ],
    ),
    (
        RefusalTopic::KeyRefused,
        "key_refused",
        &[
            " api key| apikey| access token| auth token| api token| bearer | authentication | credentials +\
             invalid|incorrect|not valid|wrong|expired|missing|revoked|disabled|malformed|fail|denied|required|provide|\
             not found|not exist| no ",
            " unauthorized | unauthenticated | no auth | invalid key | token expired | token has expired | token is expired ",
        ],
    ),
    (
        RefusalTopic::ModelUnknown,
        "model_unknown",
        &[
            " model not | unknown model | no such model | invalid model | valid model + exist|found| model",
            " model + does not exist| doesn t exist",
        ],
    ),
];

/// A quota with one of these beside it fills again by itself: Gemini's per minute reads like an empty account.
const FILLS_AGAIN: &str = "retry in |try again in |retry delay|retrydelay| per minute| perminute|please wait|\
                           rate limit reached|rate limit exceeded";

/// So does a model come up by itself that is told of so.
const COMES_UP: &str =
    " loading | not ready | not yet | starting | warming | initializing | initialized ";

/// The phrases of other languages, in the order of [`WORDINGS`].
static PHRASES: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| {
    let phrases = |list: &str| word_lists(list).flat_map(WordList::entries).collect();
    WORDINGS.iter().map(|(_, list, _)| phrases(list)).collect()
});

/// What the code and the text of an error are about; none where their words fit no kind.
pub(super) fn classify_refusal(text: &str) -> Option<RefusalTopic> {
    let words = split_words(text);
    let has_one = |forms: &str| forms.split('|').any(|form| words.contains(form));
    let is_worded = |wording: &&str| wording.split('+').all(has_one);
    let fits = |(kind, wordings, phrases): &(RefusalTopic, &[&str], &Vec<&str>)| {
        (wordings.iter().any(&is_worded) || contains_any(&words, phrases))
            && match kind {
                RefusalTopic::AccountSpent => !has_one(FILLS_AGAIN),
                RefusalTopic::ModelUnknown => !has_one(COMES_UP),
                _ => true,
            }
    };
    let mut all = WORDINGS
        .iter()
        .zip(&*PHRASES)
        .map(|((kind, _, wordings), phrases)| (*kind, *wordings, phrases));
    all.find(fits).map(|(kind, ..)| kind)
}

/// A text as its words in lower case with a space around each, also those of names such as `AccountOverdue` and
/// `api_key`. Addresses of pages are left out: they end with words such as `billing` whatever is wrong.
fn split_words(text: &str) -> String {
    let mut words = String::from(" ");
    for part in text.split_whitespace().filter(|part| !part.contains("://")) {
        let mut was_lower = false;
        for c in part.chars() {
            if (!c.is_alphanumeric() || was_lower && c.is_uppercase()) && !words.ends_with(' ') {
                words.push(' ');
            }
            was_lower = c.is_lowercase();
            words.extend(
                c.is_alphanumeric()
                    .then(|| c.to_lowercase())
                    .into_iter()
                    .flatten(),
            );
        }
        if !words.ends_with(' ') {
            words.push(' ');
        }
    }
    words
}

/// Whether any of these parts stands in the words.
pub(super) fn contains_any(words: &str, parts: &[&str]) -> bool {
    parts.iter().any(|part| words.contains(part))
}

#[cfg(test)]
#[path = "tests/unit/refusal_wording.rs"]
mod tests;
