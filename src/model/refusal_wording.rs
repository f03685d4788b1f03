//! How servers word the two refusals that no waiting mends and each of them tells in its own way, often under a status
//! that means something else: the money is gone, and the prompt is too long. Only words are compared here; what follows
//! from them is `fault`'s business. Looked up with OpenAI, Azure, Anthropic, Gemini, Mistral, xAI, DeepSeek, DashScope,
//! Moonshot, Zhipu, SiliconFlow, OpenRouter, LiteLLM, New API, vLLM, SGLang, llama.cpp and Ollama.

use std::sync::LazyLock;

use kith_language::{WordList, word_lists};

/// The account, or what was set aside for it, is spent.
const SPENT: [&str; 21] = [
    "insufficient_quota",
    "insufficient_user_quota",
    "insufficient balance",
    "insufficient credit",
    "balance is insufficient",
    "credit balance is too low",
    "more credits",
    "exceeded your current quota",
    "exceeded current quota",
    "exceeded_current_quota",
    "budget_exceeded",
    "budget has been exceeded",
    "exceededbudget",
    "exceeded budget",
    "crossed budget",
    "key limit exceeded",
    "billing_not_active",
    "billing hard limit",
    "arrearage",
    "account is in good standing",
    "freetieronly",
];

/// The same in the words of other languages.
static SPENT_IN_WORDS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    word_lists("account_spent")
        .flat_map(WordList::entries)
        .collect()
});

/// A quota with one of these beside it fills again by itself: Gemini's per minute reads like an empty account.
const FILLS_AGAIN: [&str; 4] = ["retry in", "retrydelay", "per minute", "perminute"];

/// The prompt is longer than the model holds.
const TOO_LONG: [&str; 21] = [
    "context_length",
    "context length",
    "context_window",
    "context window",
    "contextwindow",
    "context size",
    "context_size",
    "context limit",
    "maximum model length",
    "maximum prompt length",
    "max length exceeded",
    "exceeds max length",
    "prompt is too long",
    "prompt too long",
    "input is too long",
    "input length exceeds",
    "range of input length",
    "exceeds the maximum number of tokens",
    "exceeded model token limit",
    "maximum allowed length",
    "reduce the length of the messages",
];

/// Whether code and text of an error, in lower case, say that the money is gone.
pub(super) fn is_account_spent(words: &str) -> bool {
    let is_spent = contains_any(words, &SPENT) || contains_any(words, &SPENT_IN_WORDS);
    is_spent && !contains_any(words, &FILLS_AGAIN)
}

/// Whether they say that the prompt is too long.
pub(super) fn is_prompt_too_long(words: &str) -> bool {
    contains_any(words, &TOO_LONG)
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
            assert!(
                is_account_spent(words) && !is_prompt_too_long(words),
                "{words}"
            );
        }
        for words in [
            "429 you exceeded your current quota, please check your plan and billing details. please retry in 17.3s.",
            "429 requests have exceeded call rate limit of your current openai s0 pricing tier. retry after 1 second",
            "throttling rate limit exceeded",
            "429 too many tokens, please wait before trying again.",
        ] {
            assert!(
                !is_account_spent(words) && !is_prompt_too_long(words),
                "{words}"
            );
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
            assert!(
                is_prompt_too_long(words) && !is_account_spent(words),
                "{words}"
            );
        }
    }
}
