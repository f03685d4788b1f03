//! What transcripts and chat templates call those who take part in them, in lower case. Whoever reads what a model wrote
//! holds it against these: behind one of them somebody else speaks, or the model for itself.

use std::sync::LazyLock;

use kith_language::{PhraseList, word_lists, word_table};

word_table! {
    #[derive(Debug)]
    pub struct RoleWords {
        assistant: Vec<&'static str>,
        model: Vec<&'static str>,
        user: Vec<&'static str>,
        system: Vec<&'static str>,
        says: PhraseList,
    }
}

pub static ROLES: LazyLock<RoleWords> =
    LazyLock::new(|| RoleWords::from_lists(word_lists("roles")));

/// Whether this is a word for whoever answers.
pub fn is_assistant(name: &str) -> bool {
    ROLES.assistant.contains(&name) || ROLES.model.contains(&name)
}

/// Whether this is a word for anybody who takes part.
pub fn is_role(name: &str) -> bool {
    is_assistant(name) || ROLES.user.contains(&name) || ROLES.system.contains(&name)
}
