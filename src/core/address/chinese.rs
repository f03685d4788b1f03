//! How Chinese shows that a name is called. Nothing but characters side by side: there are no spaces to go by.

use super::cues::{zh, zh_asks, zh_names};
use crate::willingness::words::is_unspaced;

/// What follows a name, without the title or particle that belongs to it.
pub fn strip_title(after: &str) -> &str {
    let title = zh::TITLES.iter().find(|title| after.starts_with(**title));
    title
        .and_then(|title| after.get(title.len()..))
        .unwrap_or(after)
}

/// Whether an everyday word that opens a line can be anybody's name there.
pub fn may_open(word: &str) -> bool {
    word.chars()
        .next_back()
        .is_some_and(|last| is_unspaced(last) && !zh::TIMES.contains(&last))
}

/// Whether what follows a name speaks to its owner: "你觉得呢", "帮我看看", "评评理".
pub fn is_addressing(tail: &str) -> bool {
    if tail.starts_with(zh::YOU) || asks(tail) {
        return true;
    }
    if let Some(cue) = zh::AFTER_FIRST.iter().find(|cue| tail.starts_with(**cue)) {
        // "要不要过来" asks, though "过" alone would tell.
        return *cue == "别"
            || cue.contains('不')
            || !is_told_as_done(tail, tail.get(cue.len()..).unwrap_or_default());
    }
    if let Some(praise) = zh::PRAISE.iter().find(|praise| tail.starts_with(**praise)) {
        let rest = tail.get(praise.len()..).unwrap_or_default();
        return !rest
            .trim_start_matches(zh::BEFORE_LAST)
            .chars()
            .any(char::is_alphanumeric);
    }
    let mut chars = tail.chars();
    let (first, second, third) = (chars.next(), chars.next(), chars.next());
    if first == second && first.is_some_and(|c| zh::ASKED_TO.contains(&c)) {
        return !third.is_some_and(|c| zh::DONE.contains(&c));
    }
    if let Some(sought) = tail.strip_prefix('求') {
        return !sought.starts_with(zh::BEGS) && !is_told_as_done(tail, sought);
    }
    is_either_question(tail)
        || is_progress_question(tail)
        || zh::UP_TO_YOU.iter().any(|end| tail.ends_with(end))
        || tail.starts_with("觉得") && zh::ASKS.iter().any(|ask| tail.contains(ask))
        || zh::FOR_ME.iter().any(|end| tail.ends_with(end)) && !tail.contains(zh::TOLD)
        || tail.starts_with(['我', '咱']) && (tail.contains('你') || !is_about_owner(tail))
        || is_addressing_later(tail)
        || is_about_me(tail)
}

/// Whether what follows comes to its owner later on: "昨晚谢谢你听我说", but not "说你错了", "比你高".
fn is_addressing_later(tail: &str) -> bool {
    let clause = tail
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let Some((before, _)) = clause.split_once(zh::YOU) else {
        return false;
    };
    let is_about = zh::REPORTS.iter().any(|word| before.contains(word))
        || can_take_name(before) && !has_thanks(before);
    !is_about && !is_about_owner(clause)
}

/// Whether what follows tells its owner of me: "今天我生日".
fn is_about_me(tail: &str) -> bool {
    let told = zh_asks::TIMES
        .iter()
        .find_map(|time| tail.strip_prefix(time));
    told.is_some_and(|told| told.starts_with('我')) && !is_about_owner(tail)
}

/// Whether what follows a name that opens a clause asks its owner: about me, whether they can, what they are up to, or how
/// something is done. Other questions may be about them: "小雨昨晚几点睡的".
pub fn asks(tail: &str) -> bool {
    let clause = tail
        .split(['，', ',', '。', '！', '!', '\n'])
        .next()
        .unwrap_or_default();
    let said = clause.trim_end_matches(|c: char| !c.is_alphanumeric());
    if said == "呢" {
        return true;
    }
    if let Some(how) = said.strip_prefix("怎么") {
        let is_short = (1..=2).contains(&how.chars().count()) || how.ends_with("一下");
        return is_short && !how.contains(zh_asks::NOT_HOW);
    }
    let is_question = clause.contains(['？', '?']) || said.ends_with(zh_asks::ASKING_ENDS);
    let is_question = is_question
        || zh_asks::ASKING.iter().any(|word| said.contains(word))
        || is_either_question(said);
    let begins = |words: &[&str]| words.iter().any(|word| said.starts_with(word));
    let is_up_to = begins(zh_asks::TIMES)
        && zh_asks::UP_TO.iter().any(|word| said.contains(word))
        && !said.contains('了');
    let is_asked =
        said.contains(['我', '咱']) && !begins(zh_asks::OF_THEM) || begins(zh_asks::ABLE);
    is_up_to || is_question && is_asked && !is_about_owner(clause)
}

/// Whether these words end in thanks, so that a name behind them is thanked: "昨天谢谢你".
pub fn has_thanks(segment: &str) -> bool {
    zh_asks::THANKS
        .iter()
        .any(|thanks| segment.ends_with(thanks))
}

/// Whether everybody is told to let the person speak or choose: "那让阿柚说", "这个让阿柚推荐", but not "我妈让阿柚早点回".
pub fn is_asked_through(segment: &str, tail: &str) -> bool {
    let Some(before) = segment.strip_suffix(zh_names::LETS) else {
        return false;
    };
    let opens = before.is_empty()
        || is_opener(before)
        || zh_names::BEFORE_LETS.contains(&before)
        || { before.starts_with(['这', '那']) && before.chars().count() <= 3 };
    let asked = tail.trim_start_matches(zh_names::BEFORE_ASKED);
    let verb = asked.starts_with(zh::ASKED_TO)
        || zh_names::ASKED_THROUGH
            .iter()
            .any(|verb| asked.starts_with(verb));
    let asked = if asked.is_empty() { tail } else { asked };
    opens
        && (verb || tail.starts_with('来'))
        && !is_told_as_done(asked, asked)
        && !asked.contains(['过', '她', '他'])
}

/// "我认识", "我跟她说了": the name before is whom it is about.
fn is_about_owner(tail: &str) -> bool {
    tail.contains(['她', '他']) || zh::I_KNOW.iter().any(|cue| tail.starts_with(cue))
}

/// "来不来", "今晚打不打": a short question that says both and nothing after it.
fn is_either_question(tail: &str) -> bool {
    let mut chars = tail.trim_end_matches(zh::BEFORE_LAST).chars();
    let (last, not, first) = (chars.next_back(), chars.next_back(), chars.next_back());
    first.is_some() && first == last && not == Some('不') && chars.count() <= 2
}

/// "起了没", "到家没": a short question how far somebody is, and nothing after it.
fn is_progress_question(tail: &str) -> bool {
    let asked = tail
        .split(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    (2..=4).contains(&asked.chars().count())
        && zh::ASKS_HOW_FAR.iter().any(|end| asked.ends_with(end))
        && !asked.starts_with(zh::COMES)
}

/// Whether what would ask for something is told as done: "小雨出来了", "小雨出来救场了".
fn is_told_as_done(tail: &str, rest: &str) -> bool {
    let clause = |text: &'_ str| {
        text.find(|c: char| !c.is_alphanumeric())
            .unwrap_or(text.len())
    };
    let (whole, rest_said) = (tail.get(..clause(tail)), rest.get(..clause(rest)));
    let (whole, said) = (whole.unwrap_or_default(), rest_said.unwrap_or_default());
    let asks = said.contains(['我', '你', '咱', '吗', '没', '吧']);
    rest.starts_with(zh::DONE) || !asks && (whole.ends_with('了') || said.contains('了'))
}

/// Whether the rest of a line, after a name and a space, comes round to the person.
pub fn is_reaching_owner(tail: &str) -> bool {
    zh::REACHES.iter().any(|cue| tail.contains(cue))
}

/// Whether a name that ends its clause is called by what stands before it: "去吗", "几点睡", but not "别理", "夸了".
pub fn is_call_ending(segment: &str) -> bool {
    let length = segment.chars().count();
    let Some(last) = segment
        .chars()
        .next_back()
        .filter(|last| length > 1 && is_unspaced(*last))
    else {
        return false;
    };
    match last {
        _ if is_complete(segment) => true,
        '了' => length > 2 && !can_take_name(segment.trim_end_matches('了')),
        '我' => !segment.trim_end_matches('我').ends_with(zh::WITH_ME),
        _ => (length > 2 || segment.starts_with(zh::URGES)) && !can_take_name(segment),
    }
}

/// Whether even an everyday word is called there: "是吧豆腐", but not "好吃吧年糕".
pub fn is_sure_call_ending(segment: &str) -> bool {
    segment.chars().nth(1).is_some()
        && is_complete(segment)
        && (segment.contains('你') || !segment.contains(zh::HANDLES))
}

/// Whether nothing can follow but a call.
fn is_complete(segment: &str) -> bool {
    segment.ends_with(zh::BEFORE_LAST)
        || zh::ENDS.iter().any(|end| segment.ends_with(end))
        || segment.ends_with('了') && segment.contains(zh::SETTLES)
}

/// Whether a name after these words is what they speak about: "喜欢", "去问".
pub fn can_take_name(segment: &str) -> bool {
    segment.ends_with(zh::TAKES_NAME)
}

/// Whether these words only open what is said: "哈哈哈", "所以".
pub fn is_opener(segment: &str) -> bool {
    !segment.is_empty()
        && (segment.chars().all(|c| zh::SOUNDS.contains(&c)) || zh::OPENERS.contains(&segment))
}

/// Whether thanks or an apology go on to say what for: "谢谢小雨的红包", "对不起小雨我忘了".
pub fn has_thanks_reason(greeting: &str, tail: &str) -> bool {
    let thanks = greeting.contains('谢') && tail.starts_with(['的', '请', '送', '给', '帮']);
    thanks || zh::SORRY.contains(&greeting) && tail.starts_with('我')
}
