//! A batch of entries as a message: embeds, and a row of buttons for each turn. It pings nobody and rings for nobody.

use kith_language::embeds;
use serde_json::{Map, Value, json};

use super::super::commands::buttons::EmbedButton;
use super::queue::{LogBatch, NUMBERS, TurnButtons};
use kith_core::persona::Language;

/// Nobody's telephone rings for a log entry.
pub(super) const SUPPRESS_NOTIFICATIONS: u32 = 1 << 12;
const GREY: u8 = 2;
const RED: u8 = 4;

pub(super) fn build_message(mut batch: LogBatch, nonce: String, language: Language) -> Value {
    batch.number_titles();
    let turn_buttons: Vec<TurnButtons> = batch
        .entries
        .iter()
        .filter_map(|entry| entry.turn)
        .collect();
    let number = |at: usize| {
        if turn_buttons.len() > 1 {
            format!("{} ", NUMBERS[at % NUMBERS.len()])
        } else {
            String::new()
        }
    };
    let rows: Vec<Value> = turn_buttons
        .iter()
        .enumerate()
        .map(|(at, told)| build_button_row(told, &number(at), language))
        .collect();
    let mut body = Map::new();
    if batch.left_out > 0 {
        body.insert(
            "content".into(),
            describe_left_out(batch.left_out, language).into(),
        );
    }
    body.insert(
        "embeds".into(),
        batch.entries.into_iter().map(|entry| entry.embed).collect(),
    );
    body.insert("components".into(), rows.into());
    body.insert("allowed_mentions".into(), json!({ "parse": [] }));
    body.insert("flags".into(), SUPPRESS_NOTIFICATIONS.into());
    body.insert("nonce".into(), nonce.into());
    body.insert("enforce_nonce".into(), true.into());
    body.into()
}

fn build_button_row(turn_buttons: &TurnButtons, number: &str, language: Language) -> Value {
    let button = |style: u8, label: &str, button: EmbedButton| json!({ "type": 2, "style": style, "label": label, "custom_id": button.id() });
    if let Some(call) = turn_buttons.running_call {
        let label = format!("{number}{}", embeds::stop_button().in_language(language));
        let stop = EmbedButton::Stop(turn_buttons.channel, turn_buttons.turn, call);
        return json!({ "type": 1, "components": [button(RED, &label, stop)] });
    }
    let why = format!("{number}{}", embeds::why_button().in_language(language));
    let mut buttons = vec![
        button(GREY, &why, EmbedButton::Why(turn_buttons.turn)),
        button(
            GREY,
            &embeds::prompt_and_answer_button().in_language(language),
            EmbedButton::Raw(turn_buttons.turn),
        ),
        button(
            GREY,
            &embeds::pause_button().in_language(language),
            EmbedButton::Pause(turn_buttons.channel, turn_buttons.turn),
        ),
    ];
    if turn_buttons.spoke {
        buttons.push(button(
            RED,
            &embeds::take_back_button().in_language(language),
            EmbedButton::TakeBack(turn_buttons.turn),
        ));
    }
    json!({ "type": 1, "components": buttons })
}

fn describe_left_out(entries: usize, language: Language) -> String {
    embeds::entries_left_out(entries).in_language(language)
}
