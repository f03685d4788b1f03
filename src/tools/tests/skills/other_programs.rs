//! Skills that were written for other programs.

use super::*;

#[test]
fn a_skill_of_another_program_is_taken_as_it_is() {
    let told = |text: &str| {
        let written = parse_skill(text, "Sour Dough").unwrap();
        let description = written.description.in_language(Language::EN).to_owned();
        (written.name, description)
    };
    let plain = "# Bread\n\nBake it\nslowly.\n\nThen wait.";
    let name = || "Sour-Dough".to_owned();
    assert_eq!(told(plain), (name(), "Bake it slowly.".into()));
    assert_eq!(told("# Bread"), (name(), "Bread".into()));
    let list = "---\ndescription: Bake.\nallowed-tools:\n- Read\n- Bash(git *)\n---\nKnead.";
    assert_eq!(told(list), (name(), "Bake.".into()));
    let long = format!("---\ndescription: {}\n---\nKnead.", "x".repeat(1_024));
    assert_eq!(told(&long).1.len(), 1_024);
    let folder = folder(&[
        ("SKILL.md", "Everything.\n"),
        ("kitchen/oven/rye/SKILL.md", "Bake rye.\n"),
        (".git/SKILL.md", "no"),
    ]);
    let (skills, problems) = load(folder.path());
    assert_eq!((skills.chosen(None).len(), problems), (2, Vec::new()));
}
