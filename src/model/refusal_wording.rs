//! How servers word the refusals that people can do something about, each in its own way and often under a status that
//! means something else. Only words are compared here; what follows from them is the business of `server_faults.rs`.
//! Looked up with OpenAI, Azure, Anthropic, Gemini, Mistral, xAI, DeepSeek, DashScope, Moonshot, Zhipu, SiliconFlow,
//! Volcengine, OpenRouter, LiteLLM, New API, vLLM, SGLang, llama.cpp and Ollama.

use std::sync::LazyLock;

use kith_language::{WordList, word_lists};

/// What a refusal is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RefusalKind {
    /// The account, or what was set aside for it, is spent.
    AccountSpent,
    /// The prompt is longer than the model holds.
    PromptTooLong,
    /// The model takes no tool calls.
    NoToolCalls,
    /// A filter does not let the prompt pass.
    Filtered,
    /// The key is wrong or missing.
    KeyRefused,
    /// There is no such model.
    ModelUnknown,
}

/// The words of each kind, and the list of what other languages write; the first kind that fits is meant. Of a wording
/// all parts between `+` stand in the text, each in one of its forms between `|`. A space is the edge of a word.
const WORDINGS: [(RefusalKind, &str, &[&str]); 6] = [
    (
        RefusalKind::AccountSpent,
        "account_spent",
        &[
            " credit | credits | balance | balances | overdue| arrear| unpaid | prepaid | billing | payment | top up ",
            " quota | funds +insufficient|exhausted|exceeded your current|exceeded current",
            " budget +exceeded|over budget|crossed",
            "exceededbudget|key limit exceeded|good standing|free tier only|freetieronly|spending limit|usage limits",
        ],
    ),
    (
        RefusalKind::PromptTooLong,
        "prompt_too_long",
        &[
            " context length| context window| contextwindow| context size| context limit| maximum context",
            "maximum model length|maximum prompt length|max length exceeded|exceeds max length|maximum allowed length",
            " context | prompt | input +too long|too large|length exceeds|length should be|exceeds the maximum number",
            "exceeded model token limit|reduce the length of the messages",
        ],
    ),
    (
        RefusalKind::NoToolCalls,
        "",
        &["support tools |support tool use|enable auto tool choice|requires jinja"],
    ),
    (
        RefusalKind::Filtered,
        "input_filtered",
        &[
            " content filter| contentfilter| content policy| content management| data inspection| datainspection",
            " moderation | flagged | inappropriate | guardrail| high risk | nsfw | responsible ai ",
            " sensitive | unsafe | risk | violat| prohibited | harmful | filtered +content| input | prompt | text ",
            " violat+ polic| guideline| terms ",
            " safety + system| filter| polic| reason| check",
        ],
    ),
    (
        RefusalKind::KeyRefused,
        "key_refused",
        &[
            " api key| apikey| access token| auth token| api token| bearer | authentication | credentials +\
             invalid|incorrect|not valid|wrong|expired|missing|revoked|disabled|malformed|fail|denied|required|provide|\
             not found|not exist| no ",
            " unauthorized | unauthenticated | no auth ",
        ],
    ),
    (
        RefusalKind::ModelUnknown,
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

/// The phrases of other languages, in the order of [`WORDINGS`].
static PHRASES: LazyLock<Vec<Vec<&str>>> = LazyLock::new(|| {
    let phrases = |list: &str| word_lists(list).flat_map(WordList::entries).collect();
    WORDINGS.iter().map(|(_, list, _)| phrases(list)).collect()
});

/// What the code and the text of an error are about; none where their words fit no kind.
pub(super) fn classify_refusal(text: &str) -> Option<RefusalKind> {
    let words = split_words(text);
    let has_one = |forms: &str| forms.split('|').any(|form| words.contains(form));
    let is_worded = |wording: &&str| wording.split('+').all(has_one);
    let fits = |(kind, wordings, phrases): &(RefusalKind, &[&str], &Vec<&str>)| {
        (wordings.iter().any(|wording| is_worded(&wording)) || contains_any(&words, phrases))
            && (*kind != RefusalKind::AccountSpent || !has_one(FILLS_AGAIN))
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
mod tests {
    use super::*;

    #[test]
    fn spent_accounts_are_known_by_the_words_of_each_server() {
        for words in [
            "insufficient_quota you exceeded your current quota, please check your plan and billing details.",
            "invalid_request_error your credit balance is too low to access the anthropic api",
            "unknown_error insufficient balance",
            "402 this request requires more credits, or fewer max_tokens. you requested up to 4096 tokens",
            "402 insufficient credits. add more using the settings",
            "403 key limit exceeded (total limit)",
            "400 budget has been exceeded! current cost: 14.2, max budget: 10.0",
            "budget_exceeded litellm user: engineer-1, exceeded budget for model=m",
            "auth_error exceededbudget: end user=anna over budget. spend=0.0008, budget=0.0001",
            "429 no deployments available - crossed budget: exceeded budget for deployment model_name: m",
            "429 litellm.ratelimiterror: openaiexception - you exceeded your current quota, please check your plan",
            "arrearage access denied, please make sure your account is in good standing.",
            "allocationquota.freetieronly the free tier of the model has been exhausted.",
            "exceeded_current_quota_error your account is not active, exceeded current quota",
            "30001 sorry, your account balance is insufficient",
            "1113 余额不足或无可用资源包,请充值。",
            "403 insufficient_user_quota new_api_error",
            "403 用户额度不足, 剩余额度: 0",
        ] {
            let kind = classify_refusal(words);
            assert_eq!(kind, Some(RefusalKind::AccountSpent), "{words}");
        }
        for words in [
            "429 you exceeded your current quota, please check your plan and billing details. please retry in 17.3s.",
            "429 requests have exceeded call rate limit of your current openai s0 pricing tier. retry after 1 second",
            "throttling rate limit exceeded",
            "429 too many tokens, please wait before trying again.",
        ] {
            assert_eq!(classify_refusal(words), None, "{words}");
        }
    }

    #[test]
    fn prompts_that_are_too_long_are_known_by_the_words_of_each_server() {
        for words in [
            "context_length_exceeded this model's maximum context length is 8192 tokens.",
            "invalid_request_error prompt is too long: 208310 tokens > 200000 maximum",
            "invalid_request_error input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
            "400 the input token count (1048577) exceeds the maximum number of tokens allowed (1048576).",
            "3051 prompt contains 40000 tokens, too large for model with 32768 maximum context length",
            "this model's maximum prompt length is 131072 but the request contains 140000 tokens.",
            "400 litellm.contextwindowexceedederror: litellm.badrequesterror: contextwindowexceedederror",
            "badrequesterror the decoder prompt (length 10127) is longer than the maximum model length of 8192.",
            "the input (85050 tokens) is longer than the model's context length (32768 tokens).",
            "exceed_context_size_error the request exceeds the available context size, try increasing it",
            "requested tokens (2285) exceed context window of 2048",
            " the input length exceeds the context length",
            "invalidparameter range of input length should be [1, 30720]",
            "invalid_request_error invalid request: your request exceeded model token limit: 8192",
            "400 model max length exceeded, max length:8192",
            "1261 prompt exceeds max length",
        ] {
            let kind = classify_refusal(words);
            assert_eq!(kind, Some(RefusalKind::PromptTooLong), "{words}");
        }
    }

    #[test]
    fn keys_filters_and_missing_models_are_known_by_the_words_of_each_server() {
        use RefusalKind::{AccountSpent, Filtered, KeyRefused, ModelUnknown, NoToolCalls};
        for (text, kind) in [
            (
                "AccountOverdueError The request failed because your account has an overdue balance.",
                Some(AccountSpent),
            ),
            (
                "Your newly created team doesn't have any credits yet.",
                Some(AccountSpent),
            ),
            (
                "You have reached your specified API usage limits.",
                Some(AccountSpent),
            ),
            (
                "400 API key not valid. Please pass a valid API key.",
                Some(KeyRefused),
            ),
            (
                "invalid_api_key Incorrect API key provided: sk-1.",
                Some(KeyRefused),
            ),
            ("authentication_error invalid x-api-key", Some(KeyRefused)),
            ("No auth credentials found", Some(KeyRefused)),
            ("401 无效的令牌", Some(KeyRefused)),
            ("invalid_request_error Content Exists Risk", Some(Filtered)),
            (
                "data_inspection_failed Input data may contain inappropriate content.",
                Some(Filtered),
            ),
            (
                "content_filter The response was filtered due to the prompt triggering Azure's policy",
                Some(Filtered),
            ),
            (
                "SensitiveContentDetected the input text may contain sensitive information",
                Some(Filtered),
            ),
            (
                "1301 系统检测到输入或生成内容可能包含不安全或敏感内容",
                Some(Filtered),
            ),
            (
                "invalid_prompt flagged as potentially violating our usage policy",
                Some(Filtered),
            ),
            ("Model Not Exist", Some(ModelUnknown)),
            ("some/name is not a valid model ID", Some(ModelUnknown)),
            (
                "model_not_found The model `m` does not exist or you do not have access to it.",
                Some(ModelUnknown),
            ),
            ("500 tools param requires --jinja flag", Some(NoToolCalls)),
            (
                "Unsupported parameter: 'max_tokens' is not supported with this model.",
                None,
            ),
            ("no healthy upstream behind the load balancer", None),
            ("System role not supported", None),
            (
                "Rate limit reached. Try again in 20s. See https://example.org/account/billing",
                None,
            ),
            ("Invalid value at 'safety_settings'", None),
        ] {
            assert_eq!(classify_refusal(text), kind, "{text}");
        }
    }
}
