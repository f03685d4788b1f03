//! What people make of a name: 柚子, 柚柚, 柚姐 of 阿柚, "mik", "miks" and "mikey" of Mika. By rule from the name and the
//! aliases; a name that is an everyday word gets none, for people would not be understood either.

use super::cues::{AddressCues, SpacedCues, UnspacedCues};
use super::is_letter;
use super::name::{CompanionName, NameKind};
use crate::word::{is_ordinary, is_unspaced};

/// From so many letters on the first part of a name stands for all of it.
const SHORTEST: usize = 3;
/// The most characters of a name in Chinese that others are made of.
const LONGEST: usize = 3;

/// The pet names of somebody with these names, without these names themselves.
pub fn derive_nicknames(names: &[&str], cues: &AddressCues) -> Vec<CompanionName> {
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
            derive_unspaced_nicknames(name, names, &cues.unspaced)
                .into_iter()
                .for_each(&mut add);
        } else if name.chars().all(|c| c.is_ascii_alphabetic()) {
            derive_spaced_nicknames(name, &cues.spaced)
                .into_iter()
                .for_each(&mut add);
        }
    }
    made
}

/// Whether a pet name may be meant as something else: a fruit, or the month of which three letters are written.
fn is_word(form: &str) -> bool {
    is_ordinary(form) || form.chars().count() == 1 || form.is_ascii() && form.len() <= SHORTEST
}

/// The nicknames made of one character of a name; `names` say which people of that character are somebody else.
fn derive_unspaced_nicknames(name: &str, names: &[&str], cues: &UnspacedCues) -> Vec<String> {
    let chars: Vec<char> = name.chars().collect();
    let prefixed = chars.len() > 1 && cues.prefixes.contains(&chars[0]);
    let bare = if prefixed { &chars[1..] } else { &chars[..] };
    let suffixed = bare.len() > 1 && bare.last().is_some_and(|last| cues.suffixes.contains(last));
    let bare = if suffixed {
        &bare[..bare.len() - 1]
    } else {
        bare
    };
    // Without anything around it the given name comes last.
    let Some(&core) = bare.last().filter(|_| chars.len() <= LONGEST) else {
        return Vec::new();
    };
    let free = |affixes: &[char]| -> Vec<char> {
        let affixes = affixes.iter().copied();
        affixes
            .filter(|c| !is_taken_affix(*c, names, cues))
            .collect()
    };
    let twice = format!("{core}{core}");
    let behind = |affixes: &[char]| -> Vec<String> {
        affixes.iter().map(|c| format!("{core}{c}")).collect()
    };
    let mut forms = behind(&free(&cues.suffixes));
    forms.extend(
        cues.long_suffixes
            .iter()
            .map(|title| format!("{core}{title}")),
    );
    let called = behind(&cues.calling_ends).into_iter();
    forms.extend(called.filter(|form| !cues.openers.contains(form)));
    for prefix in free(&cues.prefixes) {
        forms.push(format!("{prefix}{core}"));
        forms.push(format!("{prefix}{twice}"));
        forms.extend(
            cues.thing_suffix
                .iter()
                .map(|thing| format!("{prefix}{core}{thing}")),
        );
    }
    forms.push(twice);
    // The character alone counts only where it opens as a call.
    forms.push(core.to_string());
    // Of a name of two characters the first is also taken for a family's: 麦哥 of 麦冬.
    if let [family, _] = chars[..]
        && !prefixed
        && !suffixed
    {
        let titles = free(&[&cues.of_men[..], &cues.of_women].concat());
        forms.extend(titles.iter().map(|title| format!("{family}{title}")));
    }
    // An everyday word is a pet name only as a thing's name that the name is of: 柚子, but not 天天 or 大家.
    forms.retain(|form| {
        !is_ordinary(form) || form.ends_with(&cues.thing_suffix[..]) && form.starts_with(core)
    });
    forms
}

/// Whether a name with this affix is somebody else's: 哥 where the companion is a woman, 老 where it is the young one.
fn is_taken_affix(affix: char, names: &[&str], cues: &UnspacedCues) -> bool {
    let around = |others: &[char]| {
        names
            .iter()
            .any(|name| name.starts_with(others) || name.ends_with(others))
    };
    let kinds = [&cues.of_men, &cues.of_women];
    let excludes = |entry: &&str| {
        entry.split_once(' ').is_some_and(|(own, others)| {
            own.starts_with(affix) && around(&others.chars().collect::<Vec<_>>())
        })
    };
    kinds
        .iter()
        .any(|kind| !kind.contains(&affix) && around(kind))
        && kinds
            .iter()
            .any(|kind| kind.contains(&affix) && !around(kind))
        || cues.opposites.iter().any(excludes)
}

/// The first part of a name up to the consonant behind its first vowel, and what is hung on it.
fn derive_spaced_nicknames(name: &str, cues: &SpacedCues) -> Vec<String> {
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
    let mut forms = vec![stem.to_owned()];
    forms.extend(cues.pet_ends.iter().map(|end| format!("{stem}{end}")));
    forms.extend(
        cues.doubled_pet_ends
            .iter()
            .map(|end| format!("{stem}{last}{end}")),
    );
    forms.retain(|form| !is_ordinary(form));
    forms
}
