//! What people make of a name: 柚子, 柚柚, 柚姐 of 阿柚, "mik", "miks" and "mikey" of Mika. By rule from the name and the
//! aliases; a name that is an everyday word gets none, for people would not be understood either.

use super::cues::{zh, zh_names};
use super::name::{CompanionName, NameKind};
use super::{is_letter, is_listed};
use crate::willingness::words::{is_ordinary, is_unspaced};

/// From so many letters on the first part of a name stands for all of it.
const SHORTEST: usize = 3;
/// The most characters of a name in Chinese that others are made of.
const LONGEST: usize = 3;

/// The pet names of somebody with these names, without these names themselves.
pub fn derive_nicknames(names: &[&str]) -> Vec<CompanionName> {
    let mut made: Vec<CompanionName> = Vec::new();
    let mut add = |form: String| {
        if names.iter().any(|name| name.eq_ignore_ascii_case(&form)) {
            return;
        }
        let kind = if is_word(&form) {
            NameKind::PetName
        } else {
            NameKind::Plain
        };
        if let Some(name) = CompanionName::new(&form, kind, true)
            && !made.contains(&name)
        {
            made.push(name);
        }
    };
    for name in names.iter().filter(|name| !is_ordinary(name)) {
        if name.chars().all(is_unspaced) {
            derive_chinese_nicknames(name, names)
                .into_iter()
                .for_each(&mut add);
        } else if name.chars().all(|c| c.is_ascii_alphabetic()) {
            derive_english_nicknames(name)
                .into_iter()
                .for_each(&mut add);
        }
    }
    made
}

/// Whether a pet name may be meant as something else: a fruit, or the month of which three letters are written.
fn is_word(form: &str) -> bool {
    is_ordinary(form) || form.is_ascii() && form.len() <= SHORTEST
}

/// The character of a name that people make others of, with what it has around it; `names` say which people of the same
/// character are somebody else.
fn derive_chinese_nicknames(name: &str, names: &[&str]) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let prefixed = chars.len() > 1 && zh_names::PREFIXES.contains(&chars[0]);
    let bare = if prefixed { &chars[1..] } else { &chars[..] };
    let suffixed = bare.len() > 1
        && bare
            .last()
            .is_some_and(|last| zh_names::SUFFIXES.contains(last));
    let bare = if suffixed {
        &bare[..bare.len() - 1]
    } else {
        bare
    };
    // Without anything around it the given name comes last.
    let Some(&core) = bare.last().filter(|_| chars.len() <= LONGEST) else {
        return Vec::new();
    };
    let around = |other: &[char]| {
        names
            .iter()
            .any(|name| name.starts_with(other) || name.ends_with(other))
    };
    let others = |c: char| {
        let kinds = [zh_names::OF_MEN, zh_names::OF_WOMEN];
        kinds.iter().any(|kind| !kind.contains(&c) && around(kind))
            && kinds.iter().any(|kind| kind.contains(&c) && !around(kind))
            || matches!(c, '小' | '老')
                && around(if c == '小' {
                    &['老']
                } else {
                    &['小', '阿']
                })
    };
    let twice = format!("{core}{core}");
    let mut forms: Vec<String> = zh_names::SUFFIXES
        .iter()
        .filter(|c| !others(**c))
        .map(|c| format!("{core}{c}"))
        .collect();
    forms.extend(
        zh_names::LONG_SUFFIXES
            .iter()
            .map(|title| format!("{core}{title}")),
    );
    forms.extend(
        ['啊', '呀']
            .map(|c| format!("{core}{c}"))
            .into_iter()
            .filter(|form| !is_listed(zh::OPENERS, form)),
    );
    for prefix in zh_names::PREFIXES.iter().filter(|c| !others(**c)) {
        forms.push(format!("{prefix}{core}"));
        forms.push(format!("{prefix}{twice}"));
        forms.push(format!("{prefix}{core}子"));
    }
    forms.push(twice);
    // Of a name of two characters the first is also taken for a family's: 麦哥 of 麦冬.
    if let [family, _] = chars[..]
        && !prefixed
        && !suffixed
    {
        let titles = [zh_names::OF_MEN, zh_names::OF_WOMEN].concat();
        forms.extend(
            titles
                .iter()
                .filter(|c| !others(**c))
                .map(|c| format!("{family}{c}")),
        );
    }
    // An everyday word is a pet name only as a thing's name that the name is of: 柚子, but not 天天 or 大家.
    forms.retain(|form| !is_ordinary(form) || form.ends_with('子') && form.starts_with(core));
    forms
}

/// The first part of a name up to the consonant behind its first vowel, and what is hung on it.
fn derive_english_nicknames(name: &str) -> Vec<String> {
    let name = name.to_ascii_lowercase();
    let vowel = |c: char| matches!(c, 'a' | 'e' | 'i' | 'o' | 'u');
    let Some(first) = name.find(vowel) else {
        return Vec::new();
    };
    let Some(behind) = name[first..].find(|c| !vowel(c)).map(|at| first + at) else {
        return Vec::new();
    };
    let Some((stem, last)) = name.get(..=behind).zip(name.chars().nth(behind)) else {
        return Vec::new();
    };
    if stem.len() < SHORTEST || stem.len() >= name.len() || !is_letter(last) {
        return Vec::new();
    }
    let mut forms: Vec<String> = ["", "s", "y", "ie", "ey"]
        .iter()
        .map(|end| format!("{stem}{end}"))
        .collect();
    forms.extend(["y", "ie"].map(|end| format!("{stem}{last}{end}")));
    forms.retain(|form| !is_ordinary(form));
    forms
}
