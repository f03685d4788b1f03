//! Which words of a few messages tell what they are about. A rough cut, in microseconds; the search ranks by rarity.

/// The most words a search for a prompt looks for, newest first.
const MOST_WORDS: usize = 12;
/// Words of alphabetic writing shorter than this say little.
const SHORTEST: usize = 4;

/// Words of four letters and more that say nothing about the topic.
const COMMON: &str = "about actually after again also always anyone anything around because been before being could \
    does doing done dont down else even ever every everyone from gets getting gonna good going guys have having haha \
    here hahaha isnt into just keep kind know least like literally little lmao look looks made make many maybe mean \
    more most much must need never nice nope okay only other over people pretty probably really right said same says \
    should some someone something still stuff such sure take tell than thanks that thats their them then there these \
    they thing things think this those though thought today told took very wait want wanted wants well went were what \
    whats when where which while will with without wont would yeah your youre yours";
/// The same in Chinese, as pairs of characters.
const COMMON_PAIRS: &str = "什么 怎么 这个 那个 我们 你们 他们 一个 没有 不是 就是 可以 觉得 知道 现在 今天 还是 但是 因为 \
    所以 这样 那样 时候 真的 有点 一下 不过 如果 已经 应该 可能 自己 大家 哈哈 是的 好的 的话 不会 不要 也是 都是 还有";

/// The telling words of messages, in their order. Chinese, Japanese and Korean give pairs of characters.
pub(super) fn of(newest: &[&str]) -> Vec<String> {
    let mut words = Vec::new();
    for text in newest {
        for word in split(text) {
            if words.len() < MOST_WORDS && !words.contains(&word) {
                words.push(word);
            }
        }
    }
    words
}

/// How many of `words` a text holds.
pub(super) fn shared(words: &[String], text: &str) -> usize {
    let held: Vec<String> = split(text).collect();
    words.iter().filter(|word| held.contains(word)).count()
}

fn split(text: &str) -> impl Iterator<Item = String> {
    let lower = text.to_lowercase();
    let runs: Vec<String> = lower.split(|c: char| !c.is_alphanumeric() && c != '\'').map(str::to_owned).collect();
    runs.into_iter().flat_map(telling)
}

/// The telling words of a run of letters; a run may change its writing in the middle (`看dune吗`).
fn telling(run: String) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = run.as_str();
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_cjk(c) != is_cjk(first)).unwrap_or(rest.len());
        let (piece, tail) = rest.split_at(end);
        rest = tail;
        let chars: Vec<char> = piece.chars().filter(|c| *c != '\'').collect();
        if is_cjk(first) {
            let pairs = chars.windows(2).map(|pair| pair.iter().collect::<String>());
            words.extend(pairs.filter(|pair| !COMMON_PAIRS.split_whitespace().any(|common| common == pair)));
        } else if chars.len() >= SHORTEST {
            let word: String = chars.into_iter().collect();
            if !COMMON.split_whitespace().any(|common| common == word) {
                words.push(word);
            }
        }
    }
    words
}

/// Writing without spaces between words, as far as the pairs matter.
fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}')
}
