//! Messages that are incomplete, strange, blank or out of order.

use super::*;

#[test]
fn a_bad_element_of_a_history_is_left_out_and_counted() {
    let mut test = ConverterTest::new();
    let page = [
        says(json!({"id": "30", "content": "third"})),
        json!({"id": "what", "channel_id": "10"}),
        json!("nonsense"),
        says(json!({"id": "10", "content": "first", "attachments": "?", "new_field": {"x": []}})),
        says(json!({"id": "20", "content": "second", "type": 7})),
        says(json!({"id": "30", "content": "third"})),
    ];
    let heard = test.converter.convert_history(GENERAL, &page);
    let texts: Vec<_> = heard
        .iter()
        .map(|snapshot| &*snapshot.message.text)
        .collect();
    assert_eq!(texts, ["first", "third"]);
    assert_eq!(test.converter.failures().lost, 2);
}

#[test]
fn what_is_strange_about_a_message_costs_nothing_else_of_it() {
    let mut test = ConverterTest::new();
    let mut strange = says(json!({"content": "still here"}));
    strange.as_object_mut().unwrap().remove("pinned");
    strange["components"] = json!([{"type": 99}]);
    let heard = test.hear_raw("MESSAGE_CREATE", &strange);
    assert!(
        matches!(&heard[..], [DiscordEvent::Chat { event: ChatEvent::Message(message), .. }] if &*message.text == "still here")
    );
    assert_eq!(test.converter.failures().lost, 0);
    let told = test.hear_raw("MESSAGE_CREATE", &json!({"content": "whose?"}));
    assert!(
        matches!(&told[..], [DiscordEvent::Notice(text)] if text.contains("cannot read (MESSAGE_CREATE)")),
        "{told:?}"
    );
    assert!(
        test.hear_raw("MESSAGE_CREATE", &json!({"content": "whose?"}))
            .is_empty(),
        "told once"
    );
    assert_eq!(test.converter.failures().lost, 2);
    assert!(test.hear_raw("SOMETHING_NEW", &json!({"x": 1})).is_empty());
    assert_eq!(test.converter.failures().lost, 2);
}

#[test]
fn a_missing_intent_is_noticed_once() {
    let mut test = ConverterTest::new();
    let mut notices = Vec::new();
    for id in 1..100 {
        let heard = test.hear(
            "MESSAGE_CREATE",
            says(json!({"id": id.to_string(), "content": ""})),
        );
        notices.extend(heard.into_iter().filter_map(|heard| match heard {
            DiscordEvent::Notice(text) => Some(text),
            _ => None,
        }));
    }
    assert_eq!(notices.len(), 1);
    assert!(notices[0].contains("Message Content Intent"));
}

#[test]
fn blank_messages_among_others_are_nothing_to_notice() {
    let mut test = ConverterTest::new();
    for id in 1..100 {
        let content = if id % 5 == 0 { "words" } else { "" };
        let heard = test.hear(
            "MESSAGE_CREATE",
            says(json!({"id": id.to_string(), "content": content})),
        );
        assert!(
            matches!(
                &heard[..],
                [DiscordEvent::Chat {
                    event: ChatEvent::Message(_),
                    ..
                }]
            ),
            "{heard:?}"
        );
    }
}

#[test]
fn messages_heard_together_come_in_the_order_they_were_written() {
    let mut test = ConverterTest::nowhere(Language::EN);
    test.hear("READY", ready(&[]));
    test.hear("GUILD_CREATE", guild());
    let mut heard = Vec::new();
    for id in [5, 3, 4] {
        heard.extend(test.hear("MESSAGE_CREATE", says(json!({"id": id.to_string()}))));
    }
    heard.extend(test.hear(
        "MESSAGE_DELETE",
        json!({"id": "3", "channel_id": "10", "guild_id": "100"}),
    ));
    heard.extend(test.hear("MESSAGE_CREATE", says(json!({"id": "1"}))));
    sort_messages(&mut heard);
    let ids: Vec<_> = heard
        .iter()
        .map(|heard| match heard {
            DiscordEvent::Chat {
                event: ChatEvent::Message(message),
                ..
            } => message.id.0,
            _ => 0,
        })
        .collect();
    assert_eq!(ids, [3, 4, 5, 0, 1]);
}
