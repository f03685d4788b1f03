//! What models write in the place of speech, and what friends say that looks like it.

use kith_core::non_speech::{self, NonSpeech, SpeakerNames};
use proptest::prelude::*;

fn with_names<T>(read: impl Fn(SpeakerNames<'_>) -> T) -> T {
    let own = ["Juno", "junes", "阿柚", "小柚"].map(str::to_owned);
    let members = ["Anna", "Ben", "Cleo", "阿本", "可可"].map(str::to_owned);
    read(SpeakerNames {
        own: &own,
        members: &members,
    })
}

fn plain(text: &str) -> Option<NonSpeech> {
    with_names(|names| non_speech::classify_plain_text(text, names))
}

fn message(text: &str) -> Option<NonSpeech> {
    with_names(|names| non_speech::classify_message(text, names))
}

#[test]
fn silence_put_into_words_is_silence() {
    for text in [
        "(stays silent)",
        "*stays silent*",
        "_remains quiet_",
        "[silence]",
        "(no response)",
        "[No reply needed]",
        "**(Juno stays silent)**",
        "(Juno does not respond.)",
        "*Juno listens quietly*",
        "[nothing]",
        "(none)",
        "<silence>",
        "{no message}",
        "...",
        "…",
        "—",
        "No response needed.",
        "No response is necessary here.",
        "no reply required at this time",
        "No action needed.",
        "No response needed, as Anna and Ben are talking to each other.",
        "I should stay silent here, since they are talking to each other.",
        "I'll stay silent.",
        "I will remain silent for now.",
        "I choose to stay silent because this is between the two of them.",
        "I think I should stay quiet here.",
        "Okay, I should remain silent here since nobody spoke to me.",
        "Juno stays silent.",
        "Juno should keep quiet",
        "stay_silent",
        "Stay silent.",
        "Staying silent.",
        "Silence.",
        "Nothing to add.",
        "I have nothing to add here.",
        "There is nothing for me to say.",
        "No need for me to chime in",
        "N/A",
        "Not responding.",
        "I don't have anything to add.",
        "I do not think a response is needed here.",
        "No reply is needed since Anna wasn't talking to me.",
        "A response is not necessary.",
        "Best to stay quiet here.",
        "I will use stay_silent here.",
    ] {
        assert_eq!(plain(text), Some(NonSpeech::Silence), "{text}");
    }
}

#[test]
fn so_is_silence_put_into_chinese_words() {
    for text in [
        "（沉默）",
        "（保持沉默）",
        "【不回复】",
        "*不说话*",
        "（阿柚没有回复）",
        "（无需回复）",
        "无需回复。",
        "不需要我回应。",
        "没有必要回复",
        "我应该保持沉默。",
        "我选择沉默，因为他们在聊自己的事",
        "我还是不说话了",
        "阿柚保持沉默",
        "[静静看着]",
        "没有需要回复的内容",
        "不回复",
        "保持沉默。",
        "这里不需要我说话",
        "无需回应，他们在聊自己的",
        "沉默。",
        "静默。",
        "（静音）",
        "此处无声",
        "（此处无声）",
        "保持沉默，因为大家在聊别的。",
        "我觉得现在不适合插话。",
        "这个话题与我无关，不回复。",
        "当前不需要发言，等待被提及。",
        "等待用户输入。",
        "无回复",
        "stay_silent: 没我的事",
        "我选择 stay_silent。",
        "调用 stay_silent，因为没我的事",
        "（围观）",
    ] {
        assert_eq!(plain(text), Some(NonSpeech::Silence), "{text}");
    }
}

#[test]
fn talk_about_speaking_is_no_speech() {
    for text in [
        "I should respond to Anna in a friendly way.",
        "Okay, so I need to reply to Ben briefly.",
        "Anna is asking me about the bike. I should answer casually.",
        "I don't need to respond to this message.",
        "I won't reply, they're not talking to me.",
        "The user wants a short answer.",
        "Okay, the user is asking about dinner.",
        "Here's a possible response: haha yes",
        "Here is my reply:\nhaha yes",
        "Response: haha yes",
        "My reply: haha",
        "Thought: Anna is sad",
        "Reasoning: she failed the exam",
        "As Juno, I would say something dry.",
        "Juno would probably tease him here.",
        "Juno decides to wait.",
        "I would say something like: no way",
        "Let me craft a reply.",
        "It's better not to interrupt them.",
        "Since they are not talking to me, I can wait.",
        "This message is not directed at me.",
        "I'd rather not respond to this.",
        "You have been asked to respond to the conversation.",
        "Sending a message to Ben: hey",
        "我应该简短地回复阿本。",
        "我需要安慰一下她，然后回复她",
        "用户想知道晚上吃什么",
        "好的，我来回复一下。",
        "根据聊天记录，阿本在问晚饭",
        "作为阿柚，我会说火锅",
        "以下是我的回复：火锅吧",
        "回复：火锅吧",
        "思考：他在开玩笑",
        "阿柚应该安慰她",
        "这条消息不是对我说的",
        "没有人跟我说话",
        "I could respond with a joke about sharks.",
        "A short reply would work: hey",
        "Reply to Anna: yes I'm up",
        "To respond to Anna: yes",
        "I think the best response is: hey",
        "Sure, here is a casual reply: hey",
        "You could say: hey",
        "Now I will answer Ben.",
        "Based on the conversation, I would tease him.",
        "As Juno, hey",
        "Ben calls me by name.",
        "Anna is asking me about the bike.",
        "我觉得应该回复：火锅",
        "可以这样回复：火锅",
        "他在跟我开玩笑，我应该接一句",
        "下面是阿柚的回复",
        "发送消息：火锅",
        "我会以阿柚的身份继续对话。",
        "好的，我会按照设定扮演阿柚。",
    ] {
        assert_eq!(plain(text), Some(NonSpeech::Deliberation), "{text}");
    }
}

#[test]
fn stock_refusals_are_known_in_messages_too() {
    for text in [
        "I'm sorry, but I can't assist with that.",
        "I'm sorry, but I can't help with that request.",
        "I’m sorry, I can’t help with that.",
        "Sorry, but I cannot assist with this request.",
        "I apologize, but I am unable to provide that information.",
        "I cannot fulfill this request.",
        "I'm unable to help with that.",
        "I can't assist with that request.",
        "Unfortunately, I'm not able to provide personal advice.",
        "I'm sorry, but as an AI language model I can't do that.",
        "As an AI, I don't have feelings or opinions.",
        "I'm just an AI language model, so I can't watch films.",
        "I must decline this request.",
        "I am sorry, but I can't assist with that. I am running jokes, plans and things this group has decided.",
        "That goes against my guidelines.",
        "抱歉，我无法协助处理这个请求。",
        "很抱歉，我不能提供这方面的信息",
        "对不起，我无法回答这个问题。",
        "我无法满足您的要求",
        "抱歉，我无法帮助你。",
        "作为一个AI，我没有感情",
        "作为人工智能语言模型，我无法提供个人意见",
        "很抱歉，作为AI我不能做这个",
        "I am Qwen, created by Alibaba Cloud. How can I help?",
        "I am a large language model trained by Google.",
        "我是通义千问，由阿里云开发的大模型。",
        "Sorry, I can't help with that.",
        "抱歉，我不能帮你做这个。",
        "作为人工智能助手，我不便讨论这个话题。",
    ] {
        assert_eq!(plain(text), Some(NonSpeech::Refusal), "{text}");
        assert_eq!(message(text), Some(NonSpeech::Refusal), "{text}");
    }
}

#[test]
fn in_a_message_only_what_nobody_says_to_somebody_is_silence() {
    for text in [
        "(stays silent)",
        "*Juno says nothing*",
        "[no response]",
        "Juno stays silent.",
        "（沉默）",
        "【无需回复】",
        "stay_silent",
    ] {
        assert_eq!(message(text), Some(NonSpeech::Silence), "{text}");
    }
    for text in [
        "No response needed.",
        "no reply necessary",
        "This requires no response",
        "无需回复",
        "无回复",
        "不回复",
        "沉默",
        "静默。",
        "I will stay silent.",
        "No reply.",
        "There is no need for me to respond.",
        "This message doesn't require a response from me.",
        "不用回复",
        "没有人叫我，所以我不说话",
        "我觉得不需要说话",
        "保持安静。",
        "I'm sorry, but I don't see anyone asking me or anything.",
        "I don't see a question here.",
        "我没看到有人在问我",
    ] {
        assert_eq!(message(text), Some(NonSpeech::LikelySilence), "{text}");
        assert_eq!(plain(text), Some(NonSpeech::Silence), "{text}");
    }
    for text in [
        "NO_REPLY",
        "NO_RESPONSE_NEEDED",
        "STAY_SILENT",
        "[NO_REPLY]",
    ] {
        assert_eq!(
            (message(text), plain(text)),
            (Some(NonSpeech::Silence), Some(NonSpeech::Silence)),
            "{text}"
        );
    }
}

#[test]
fn a_word_without_a_call_is_silence_or_the_answer_to_a_question() {
    for text in [
        "none", "None.", "nothing", "pass", "null", "无", "跳过", "潜水", "静音",
    ] {
        let found = Some(NonSpeech::SilenceOrAnswer);
        assert_eq!((message(text), plain(text)), (None, found), "{text}");
    }
    for text in [
        "sorry, i didn't see your question",
        "I don't see any mention of it",
        "抱歉，没看到你的问题",
        "没看到人啊",
    ] {
        assert_eq!(message(text), None, "{text}");
    }
    for text in [
        "none, i ate them all",
        "nothing much, you?",
        "pass me the salt",
        "nothing!! it was empty",
        "没有",
    ] {
        assert_eq!((message(text), plain(text)), (None, None), "{text}");
    }
}

#[test]
fn what_stands_where_a_message_should_is_no_message() {
    for text in [
        "[message]",
        "<your message>",
        "{text}",
        "your text here",
        "Your message here.",
        "[your reply here]",
        "message text",
        "你的消息",
        "【消息内容】",
        "在这里写消息",
    ] {
        let found = Some(NonSpeech::Placeholder);
        assert_eq!((message(text), plain(text)), (found, found), "{text}");
    }
    for text in [
        "your message here made my day",
        "text",
        "message me later",
        "消息",
        "这是你的消息吗",
    ] {
        assert_eq!(message(text), None, "{text}");
    }
}

#[test]
fn a_line_about_silence_or_replies_is_known() {
    let is_about = |text: &str| with_names(|names| non_speech::is_about_silence(text, names));
    for text in [
        "should i reply or stay quiet?",
        "did ben answer you",
        "我该不该回复他",
        "juno be quiet",
        "他回你了吗",
    ] {
        assert!(is_about(text), "{text}");
    }
    for text in [
        "juno how is it where you are",
        "juno?",
        "阿柚你那边呢",
        "what's for dinner",
    ] {
        assert!(!is_about(text), "{text}");
    }
}

#[test]
fn what_takes_back_what_was_written_is_found_and_what_friends_try_again_is_not() {
    let found = |text: &str| {
        with_names(|names| {
            non_speech::find_retraction(text, names)
                .map(|(from, to)| text[from..to].trim().to_owned())
        })
    };
    for (text, taken_back) in [
        (
            "hey. Wait, let me try again. hello",
            "Wait, let me try again.",
        ),
        (
            "sure\nLet me rephrase that.\nof course",
            "Let me rephrase that.",
        ),
        ("嗨。等等，我重新说一遍。你好", "等等，我重新说一遍。"),
        ("好的\n不对，重来。\n行", "不对，重来。"),
    ] {
        assert_eq!(found(text).as_deref(), Some(taken_back), "{text}");
    }
    for text in [
        "wait, let me try again, the oven was off",
        "see you at 7. scratch that. 8 works",
        "let me try that soup",
        "等等，我重新热一下汤",
        "不对，是周五",
    ] {
        assert_eq!(found(text), None, "{text}");
    }
}

/// What friends write. None of it may be held back where it is a message, and only in doubt where it is plain text.
const FRIENDLY: &[&str] = &[
    "i am an AI, but I am not a robot",
    "sorry, can't make it tonight",
    "sorry can't help with that, i'm at work",
    "sorry i can't do sunday",
    "i'm sorry but i can't take him seriously with that hat",
    "i can't help you move but i can bring beer",
    "i'm afraid i can't, mum's visiting",
    "unfortunately the shop is closed",
    "i won't tell anyone",
    "i didn't reply to him yet",
    "no answer from the landlord",
    "no way",
    "no need to shout",
    "nothing much, you?",
    "none of them were any good",
    "silence is golden",
    "it was so quiet in here all day",
    "the silent ones are the worst",
    "she stays out of it as always",
    "be quiet i'm thinking",
    "i should sleep",
    "i should call her",
    "i need to fix the chain first",
    "should i reply to him?",
    "let me think",
    "let me see",
    "here's the thing, he never asked",
    "okay so what happened then",
    "this chat is dead lol",
    "this conversation is getting weird",
    "the question is who paid",
    "i would say horror",
    "the user manual says 40 psi",
    "ah no. not the bottom bracket",
    "haha",
    "😂",
    "ok?!",
    "(it was me)",
    "*so* good",
    "- milk\n- eggs",
    "3 things: milk, eggs, bread",
    "as a friend: don't",
    "thanks for asking! all good",
    "抱歉今晚来不了",
    "不好意思，周末我没法帮你搬家",
    "抱歉，我不能帮你搬家",
    "i'd rather not, it's late",
    "对不起我忘了",
    "我不知道啊",
    "我不能吃辣",
    "没人吃吗那我吃了",
    "没什么，就是困",
    "不用谢",
    "沉默了",
    "笑死",
    "今天好安静",
    "我应该早点睡",
    "我得回复老板邮件去了",
    "我还没回复他呢",
    "用户体验太差了",
    "根据天气预报明天下雨",
    "这问题我也答不上来",
    "回复他干嘛",
    "以后再说",
    "无所谓",
    "跳过这关",
    "跳过吧",
    "没有",
    "没",
    "与我无关",
    "沉默是金",
    "跳过。下一个！",
    "silence!!! thank you Rory",
    "沉默。你认真的吗？",
    "今天就先潜水去了，海里真冷",
    "等待下一场比赛",
    "我现在不方便说话，在开会",
    "我是由你们惯坏的",
    "我是程序员开发助手是我写的",
    "我会按照菜谱做的",
    "i am claude's biggest fan",
    "i am a model student",
    "i would not stay_silent about that",
    "snake_case or stay_silent, pick one",
];

#[test]
fn what_friends_say_is_speech() {
    for text in FRIENDLY {
        assert_eq!(message(text), None, "{text}");
        assert_eq!(plain(text), None, "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_read_and_a_long_one_says_more_than_silence(text in "\\PC{0,200}|([a-zA-Z'’,.! ]{0,12}(no response|stay silent|沉默|I can't|Juno|阿柚|，|\\(|\\*)){0,6}") {
        // What is none in a message is none in plain text either.
        prop_assert!(message(&text).is_none() || plain(&text).is_some(), "{text}");
        let long = format!("{text} {}", "and so we went down to the harbour in the rain ".repeat(100));
        prop_assert_eq!(message(&long), None);
    }
}
