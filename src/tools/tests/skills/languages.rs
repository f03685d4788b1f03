//! A skill in several languages.

use kith_core::persona::Language;

use super::{folder, load};

#[test]
fn a_skill_is_told_in_each_language_that_it_has_files_for() {
    for language in Language::ALL {
        let code = language.code();
        let bread = format!(
            "---\nname: bread\ndescription: Bread.\ndescription_{code}: {code} bread\n---\nKnead."
        );
        let translation = format!("bread/SKILL.{code}.md");
        let folder = folder(&[
            ("bread/SKILL.md", &bread),
            (&translation, "In its language."),
        ]);
        let (skills, problems) = load(folder.path());
        assert!(problems.is_empty(), "{problems:?}");
        let chosen = skills.chosen(Some(&["bread".to_owned()]));
        assert_eq!(
            chosen[0].spec(language).description,
            format!("{code} bread")
        );
        assert_eq!(chosen[0].body(language), "In its language.");
        assert!(
            chosen[0].files.is_empty(),
            "a translation is no file besides"
        );
        for other in Language::ALL.into_iter().filter(|other| *other != language) {
            assert_eq!(chosen[0].spec(other).description, "Bread.");
            assert_eq!(chosen[0].body(other), "Knead.");
        }
    }
}
