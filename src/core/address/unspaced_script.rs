//! How a script without spaces between words shows that a name is called: by nothing but characters side by side, which
//! stand in the lists.

use super::cues::UnspacedCues;
use crate::word::is_unspaced;

/// The most characters of an opening such as 这个 before what lets somebody act.
const MOST_BEFORE_LETS: usize = 3;

impl UnspacedCues {
    /// Whether a name after @ goes on with one further character, so that it is somebody else's.
    pub fn is_handle_end(&self, after: &str) -> bool {
        let mut chars = after.chars();
        let (letter, gap) = (chars.next(), chars.next());
        letter.is_some_and(|letter| is_unspaced(letter) && !self.sounds.contains(&letter))
            && gap.is_some_and(char::is_whitespace)
    }

    /// What follows a name, without the title or particle that belongs to it.
    pub fn strip_title<'a>(&self, after: &'a str) -> &'a str {
        self.titles.strip_prefix(after).unwrap_or(after)
    }

    /// Whether an everyday word that opens a line can be anybody's name there.
    pub fn may_open(&self, word: &str) -> bool {
        word.chars()
            .next_back()
            .is_some_and(|last| is_unspaced(last) && !self.time_ends.contains(&last))
    }

    /// Whether what follows a name speaks to its owner: "你觉得呢", "帮我看看", "评评理".
    pub fn is_addressing(&self, tail: &str) -> bool {
        if tail.starts_with(&self.you[..]) || self.is_question_to_owner(tail) {
            return true;
        }
        if let Some(cue) = self.after_first.find_prefix(tail) {
            // "要不要过来" asks, though "过" alone would tell.
            return self.forbids.contains(cue)
                || cue.contains(&self.nots[..])
                || !self.is_told_as_done(tail, tail.get(cue.len()..).unwrap_or_default());
        }
        if let Some(rest) = self.praise.strip_prefix(tail) {
            return !rest
                .trim_start_matches(&self.before_last[..])
                .chars()
                .any(char::is_alphanumeric);
        }
        let mut chars = tail.chars();
        let (first, second, third) = (chars.next(), chars.next(), chars.next());
        if first == second && first.is_some_and(|c| self.asked_to.contains(&c)) {
            return !third.is_some_and(|c| self.done.contains(&c));
        }
        if let Some(sought) = tail.strip_prefix(&self.begging[..]) {
            return !sought.starts_with(&self.begs[..]) && !self.is_told_as_done(tail, sought);
        }
        self.is_either_question(tail)
            || self.is_progress_question(tail)
            || self.up_to_you.is_suffix_of(tail)
            || self.thinks.is_prefix_of(tail) && self.asks.is_within(tail)
            || self.for_me.is_suffix_of(tail) && !tail.contains(&self.told[..])
            || tail.starts_with(&self.us[..])
                && (tail.contains(&self.you_plain[..]) || !self.is_about_owner(tail))
            || self.is_addressing_later(tail)
            || self.is_about_me(tail)
    }

    /// Whether what follows comes to its owner later on: "昨晚谢谢你听我说", but not "说你错了", "比你高".
    fn is_addressing_later(&self, tail: &str) -> bool {
        let clause = tail
            .split(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or_default();
        let Some((before, _)) = clause.split_once(&self.you[..]) else {
            return false;
        };
        let is_about = self.reports.is_within(before)
            || self.can_take_name(before) && !self.has_thanks(before);
        !is_about && !self.is_about_owner(clause)
    }

    /// Whether what follows tells its owner of me: "今天我生日".
    fn is_about_me(&self, tail: &str) -> bool {
        let told = self.when.strip_prefix(tail);
        told.is_some_and(|told| told.starts_with(&self.me[..])) && !self.is_about_owner(tail)
    }

    /// Whether what follows a name that opens a clause asks its owner: about me, whether they can, what they are up to, or
    /// how something is done. Other questions may be about them: "小雨昨晚几点睡的".
    pub fn is_question_to_owner(&self, tail: &str) -> bool {
        let clause = tail
            .split(['，', ',', '。', '！', '!', '\n'])
            .next()
            .unwrap_or_default();
        let said = clause.trim_end_matches(|c: char| !c.is_alphanumeric());
        if self.alone_asks.contains(said) {
            return true;
        }
        if let Some(how) = self.how.strip_prefix(said) {
            let is_short =
                (1..=2).contains(&how.chars().count()) || self.how_ends.is_suffix_of(how);
            return is_short && !how.contains(&self.not_how[..]);
        }
        let is_question = clause.contains(['？', '?'])
            || said.ends_with(&self.asking_ends[..])
            || self.asking.is_within(said)
            || self.is_either_question(said);
        let is_up_to = self.when.is_prefix_of(said)
            && self.up_to.is_within(said)
            && !said.contains(&self.past[..]);
        let is_asked = said.contains(&self.us[..]) && !self.of_them.is_prefix_of(said)
            || self.able.is_prefix_of(said);
        is_up_to || is_question && is_asked && !self.is_about_owner(clause)
    }

    /// Whether these words end in thanks, so that a name behind them is thanked: "昨天谢谢你".
    pub fn has_thanks(&self, segment: &str) -> bool {
        self.thanks.is_suffix_of(segment)
    }

    /// Whether everybody is told to let the person speak or choose: "那让阿柚说", "这个让阿柚推荐", but not "我妈让阿柚早点回".
    pub fn is_asked_through(&self, segment: &str, tail: &str) -> bool {
        let Some(before) = segment.strip_suffix(&self.lets[..]) else {
            return false;
        };
        let opens = before.is_empty()
            || self.is_opener(before)
            || self.before_lets.contains(before)
            || before.starts_with(&self.these[..]) && before.chars().count() <= MOST_BEFORE_LETS;
        let asked = tail.trim_start_matches(&self.before_asked[..]);
        let verb = asked.starts_with(&self.asked_to[..]) || self.asked_through.is_prefix_of(asked);
        let asked = if asked.is_empty() { tail } else { asked };
        opens
            && (verb || tail.starts_with(&self.comes_to[..]))
            && !self.is_told_as_done(asked, asked)
            && !asked.contains(&self.not_asked_through[..])
    }

    /// "我认识", "我跟她说了": the name before is whom it is about.
    fn is_about_owner(&self, tail: &str) -> bool {
        tail.contains(&self.they[..]) || self.i_know.is_prefix_of(tail)
    }

    /// "来不来", "今晚打不打": a short question that says both and nothing after it.
    fn is_either_question(&self, tail: &str) -> bool {
        let mut chars = tail.trim_end_matches(&self.before_last[..]).chars();
        let (last, not, first) = (chars.next_back(), chars.next_back(), chars.next_back());
        first.is_some()
            && first == last
            && not.is_some_and(|not| self.nots.contains(&not))
            && chars.count() <= 2
    }

    /// "起了没", "到家没": a short question how far somebody is, and nothing after it.
    fn is_progress_question(&self, tail: &str) -> bool {
        let asked = tail
            .split(|c: char| !c.is_alphanumeric())
            .next()
            .unwrap_or_default();
        (2..=4).contains(&asked.chars().count())
            && self.asks_how_far.is_suffix_of(asked)
            && !asked.starts_with(&self.comes[..])
    }

    /// Whether what would ask for something is told as done: "小雨出来了", "小雨出来救场了".
    fn is_told_as_done(&self, tail: &str, rest: &str) -> bool {
        let clause = |text: &'_ str| {
            text.find(|c: char| !c.is_alphanumeric())
                .unwrap_or(text.len())
        };
        let (whole, rest_said) = (tail.get(..clause(tail)), rest.get(..clause(rest)));
        let (whole, said) = (whole.unwrap_or_default(), rest_said.unwrap_or_default());
        let asks = said.contains(&self.asks_after_all[..]);
        rest.starts_with(&self.done[..])
            || !asks && (whole.ends_with(&self.past[..]) || said.contains(&self.past[..]))
    }

    /// Whether the rest of a line, after a name and a space, comes round to the person.
    pub fn is_reaching_owner(&self, tail: &str) -> bool {
        self.reaches.is_within(tail)
    }

    /// Whether it can follow only a call, so that even one character before it is a name: "你来吗", alone also "呢", "在吗".
    pub fn is_turning_to(&self, tail: &str) -> bool {
        let said = tail.trim_end_matches(|c: char| !c.is_alphanumeric());
        tail.starts_with(&self.you[..])
            || self.alone_asks.contains(said)
            || self.after_first.find_prefix(said) == Some(said)
    }

    /// Whether what follows a name and a space is told of the person: "昨天来了", "她昨天没来", "和小明 谁更高".
    pub fn is_telling_of_owner(&self, tail: &str) -> bool {
        let tail = tail.trim_start();
        self.of_them.is_prefix_of(tail)
            || tail.contains(&self.they[..])
            || self.is_told_as_done(tail, tail)
    }

    /// Whether a name that ends its clause is called by what stands before it: "去吗", "几点睡", but not "别理", "夸了".
    pub fn is_call_ending(&self, segment: &str) -> bool {
        let length = segment.chars().count();
        let Some(last) = segment
            .chars()
            .next_back()
            .filter(|last| length > 1 && is_unspaced(*last))
        else {
            return false;
        };
        if self.is_complete(segment) {
            true
        } else if self.past.contains(&last) {
            length > 2 && !self.can_take_name(segment.trim_end_matches(&self.past[..]))
        } else if self.me.contains(&last) {
            !segment
                .trim_end_matches(&self.me[..])
                .ends_with(&self.with_me[..])
        } else {
            (length > 2 || segment.starts_with(&self.urges[..])) && !self.can_take_name(segment)
        }
    }

    /// Whether even an everyday word is called there: "是吧豆腐", but not "好吃吧年糕".
    pub fn is_sure_call_ending(&self, segment: &str) -> bool {
        segment.chars().nth(1).is_some()
            && self.is_complete(segment)
            && (segment.contains(&self.you_plain[..]) || !segment.contains(&self.handles[..]))
    }

    /// Whether nothing can follow but a call.
    fn is_complete(&self, segment: &str) -> bool {
        segment.ends_with(&self.before_last[..])
            || self.ends.is_suffix_of(segment)
            || segment.ends_with(&self.past[..]) && segment.contains(&self.settles[..])
    }

    /// Whether a name after these words is what they speak about: "喜欢", "去问".
    pub fn can_take_name(&self, segment: &str) -> bool {
        segment.ends_with(&self.takes_name[..])
    }

    /// Whether these words only open what is said: "哈哈哈", "所以".
    pub fn is_opener(&self, segment: &str) -> bool {
        !segment.is_empty()
            && (segment.chars().all(|c| self.sounds.contains(&c)) || self.openers.contains(segment))
    }

    /// Whether thanks or an apology go on to say what for: "谢谢小雨的红包", "对不起小雨我忘了".
    pub fn has_thanks_reason(&self, greeting: &str, tail: &str) -> bool {
        greeting.contains(&self.thanks_signs[..]) && tail.starts_with(&self.thanks_reasons[..])
            || self.sorry.contains(greeting) && tail.starts_with(&self.me[..])
    }
}
