//! Two languages that only tests know, as files would have them: what is understood of them is understood of any language
//! that comes as word lists.

use kith_language::WordList;

const LISTS: [WordList; 7] = [
    list(
        "call_spaced",
        "[greets]\nzala\n\n[after_first]\nvu\n\n[before_last]\nnai\n\n[takes_name]\nzalo\n",
    ),
    list("pet_names_spaced", "[pet_ends]\nko\n"),
    list("call_unspaced", "[greets]\nヤホ\n\n[before_last]\nネヨ\n"),
    list("quiet_request", "# to be quiet\nmut nau\n"),
    list("speak_request", "bavi\n"),
    list("around_request", "plo\n"),
    list("function_words", "tu zi\n"),
];

const fn list(name: &'static str, text: &'static str) -> WordList {
    WordList {
        language: "toy",
        name,
        text,
    }
}

/// Its lists of this name, as `kith_language::word_lists` gives those of the languages there are.
pub(crate) fn toy_lists(name: &'static str) -> impl Iterator<Item = &'static WordList> {
    LISTS.iter().filter(move |list| list.name == name)
}
