//! What a message looks like without its text: questions, calls to everybody, greetings, reactions.

use kith_core::message_shape::MessageShape;

#[test]
fn a_question_needs_no_mark_in_chinese() {
    let asks = [
        "你吃了吗",
        "有没有人打球",
        "是软的还是硬的",
        "今晚打不打",
        "这个咋弄",
        "谁有充电器",
        "他说啥",
        "几点开始",
        "到了没",
        "要多久",
        "你来不",
        "为何不去",
        "是不是下雨了",
        "怎么走",
        "在哪集合",
        "有人吗😂",
        "然后呢…",
    ];
    for text in asks {
        assert!(MessageShape::from_text(text).question, "{text}");
    }
    for text in [
        "我还没",
        "但是我还是想去",
        "是的，还是算了",
        "不管是你还是我",
        "下雨了",
        "好的呀",
        "今天不去",
        "我不",
        "吃饱了",
        "笑死我了哈哈哈",
    ] {
        assert!(!MessageShape::from_text(text).question, "{text}");
    }
}

#[test]
fn a_question_needs_no_mark_in_english_wherever_its_sentence_stands() {
    for text in [
        "ok its empty. where does the goose live now",
        "we broke up. was i hard work",
        "or is that gross",
        "did he cry",
        "wait did i win that",
        "has ANYONE small screwdrivers",
        "so what now",
        "juno, where is it",
        "will it rain",
    ] {
        assert!(MessageShape::from_text(text).question, "{text}");
    }
    for text in [
        "did it!",
        "was great",
        "have it your way",
        "will do",
        "ok that is good",
        "see docs.what.org",
        "i know who did it",
        "and when i got home",
    ] {
        assert!(!MessageShape::from_text(text).question, "{text}");
    }
}

#[test]
fn what_is_meant_for_everybody_shows() {
    for text in [
        "大家早",
        "有人打球吗",
        "各位周末愉快",
        "谁会修打印机",
        "你们吃啥",
        "anyone up for a game",
        "hey guys",
    ] {
        assert!(MessageShape::from_text(text).to_all, "{text}");
    }
    for text in ["我到家了", "你吃啥", "no one called", "他们走了"] {
        assert!(!MessageShape::from_text(text).to_all, "{text}");
    }
}

#[test]
fn greetings_and_thanks_are_told_apart_from_the_rest_in_chinese() {
    for text in [
        "早啊",
        "晚安～",
        "谢啦兄弟",
        "谢谢老板",
        "大家辛苦了",
        "生日快乐！",
        "拜拜",
    ] {
        assert!(MessageShape::from_text(text).greeting, "{text}");
    }
    for text in ["早就说了", "今天早上没吃饭", "快点", "我不谢顶"] {
        assert!(!MessageShape::from_text(text).greeting, "{text}");
    }
}

#[test]
fn a_reaction_is_one_at_the_start_or_after_a_name() {
    for text in [
        "yes that works",
        "tom: yes",
        "thanks, found it",
        "嗯嗯",
        "好的，明天见",
    ] {
        assert!(MessageShape::from_text(text).agrees, "{text}");
    }
    for text in [
        "what is that",
        "tom said yes",
        "tom: is it yes",
        "明天好的话",
    ] {
        assert!(!MessageShape::from_text(text).agrees, "{text}");
    }
}

#[test]
fn the_size_of_a_message_counts_two_chinese_characters_as_a_word() {
    assert_eq!(MessageShape::from_text("so it goes").size, 3.0);
    assert_eq!(MessageShape::from_text("明天再说").size, 2.0);
    assert_eq!(MessageShape::from_text("").size, 0.0);
}
