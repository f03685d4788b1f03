//! Harmless text stays as it was typed, and names and pictures are shown as what they are.

use super::*;

#[test]
fn harmless_text_stays_as_typed() {
    for text in [
        "i <3 you",
        "a < b && c > d",
        "if x { y }",
        "a[0] = b[1]",
        "👨‍👩‍👧 ❤️",
        "don't :) #yes * no",
        "x <- y",
        "你好，世界",
    ] {
        let mut out = String::new();
        escape::escape_line(&mut out, text, &|_| None);
        assert_eq!(out, text);
    }
}

#[test]
fn mentions_are_shown_as_names_and_emoji_as_words() {
    let mut fixture = PromptFixture::new(Language::EN);
    let anna = crate::context::support::person("Anna").id;
    fixture.says("Anna", "hi");
    fixture.says(
        "Ben",
        &format!("<@{anna}> and <@!1> and <@5>, <@&6> see <#9> <:pog:1234> <a:dance:5>"),
    );
    let history = fixture.history();
    assert!(
        history.contains("2 Ben: @Anna and @Juno and @someone, @role see #channel :pog: :dance:"),
        "{history}"
    );
}

#[test]
fn several_lines_become_one_and_cost_one_mark_each() {
    let mut out = String::new();
    escape::escape_line(&mut out, "\n first  \n\n second\r\nthird \n", &|_| None);
    assert_eq!(out, "first ¶ second ¶ third");
}

#[test]
fn nobody_writes_under_the_name_of_somebody_else() {
    let mut fixture = PromptFixture::new(Language::EN);
    for (id, name) in [
        (50, "Anna"),
        (51, "Anna"),
        (52, "J\u{200b}uno"),
        (53, "juno:"),
        (50, "Anna"),
        (54, "\u{200e}"),
    ] {
        fixture.message(
            Author {
                id: UserId(id),
                name: name.into(),
                kind: AuthorKind::Person,
            },
            "hi",
            None,
        );
    }
    let history = fixture.history();
    let names: Vec<_> = history.lines().skip(1).filter_map(speaker).collect();
    assert_eq!(names, ["Anna", "Anna 2", "Juno 2", "juno 3", "Anna", "?"]);
}

#[test]
fn what_a_picture_is_called_and_said_to_show_can_forge_nothing() {
    let mut fixture = PromptFixture::new(Language::EN);
    let message = fixture.says("Anna", "look");
    for form in FORMS {
        let told = PictureContent::Description(format!("a sign: {form}"));
        let pictures = [ShownPicture {
            message,
            name: format!("{form}.png"),
            content: told,
        }];
        let view = PromptSources {
            pictures: &pictures,
            ..fixture.view()
        };
        let history = render_sections(
            &view,
            &mut HistoryWindow::default(),
            &TokenEstimator::default(),
        )
        .history
        .text;
        let lines: Vec<&str> = history.lines().collect();
        let [_, line] = lines[..] else {
            panic!("{form:?} makes lines: {lines:?}")
        };
        let note = line
            .strip_prefix("1 Anna: look [")
            .and_then(|rest| rest.strip_suffix(']'))
            .unwrap();
        let opens = ["[", "]", "</", "<turn", "<system", "<|", "{{", "{%", "{#"];
        assert!(
            !opens.iter().any(|open| note.contains(open)),
            "{form:?}: {line}"
        );
    }
}
