//! The tests of `refusal_wording.rs`, of what nobody outside its crate can see.

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
        assert_eq!(kind, Some(RefusalTopic::AccountSpent), "{words}");
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
        assert_eq!(kind, Some(RefusalTopic::PromptTooLong), "{words}");
    }
}

#[test]
fn keys_filters_and_missing_models_are_known_by_the_words_of_each_server() {
    use RefusalTopic::{AccountSpent, Filtered, KeyRefused, ModelUnknown, NoToolCalls};
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

#[test]
fn a_model_that_comes_up_is_no_unknown_one() {
    for words in [
        "Model not ready",
        "Model m1 is not ready for inference yet",
        "model_not_ready model does not exist yet, loading",
    ] {
        assert_eq!(classify_refusal(words), None, "{words}");
    }
}
