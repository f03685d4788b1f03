//! Where a message and a turn end inside: at marks of roles, at other people's lines, at a second candidate.

use kith_core::policy::OutputProtocol::{Json, Xml};
use serde_json::json;

use crate::protocol::check::check;

#[test]
fn of_a_message_nothing_is_said_behind_a_mark_that_ends_it() {
    for (written, said) in [
        ("hey<|im_end|>\n<|im_start|>user\nlol", "hey"),
        (
            "sure<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nlol",
            "sure",
        ),
        ("sure<|endoftext|>Human: more\n\nAssistant: x", "sure"),
        ("sure</s>\n[INST] What else? [/INST] nothing", "sure"),
        ("sure\n[INST] What else? [/INST] nothing", "sure"),
        ("sure<end_of_turn>\n<start_of_turn>user\nwhat", "sure"),
        (
            "好的<｜end▁of▁sentence｜><｜User｜>然后呢<｜Assistant｜>没了",
            "好的",
        ),
        ("<|im_start|>hey", "hey"),
        (
            "it ends with `<|im_end|>` and more",
            "it ends with `<|im_end|>` and more",
        ),
    ] {
        let input =
            json!({"actions": [{"name": "send_message", "params": {"text": written}}]}).to_string();
        check(Json, &input, json!([["send_message", {"text": said}]]));
        let input = format!("<turn><send_message>{written}</send_message></turn>");
        check(Xml, &input, json!([["send_message", {"text": said}]]));
    }
}

#[test]
fn inside_a_turn_nothing_is_read_once_somebody_else_speaks_or_it_is_tried_again() {
    for between in [
        "\n15 Ben: lol\n",
        "\nUser: thanks\n",
        "\n用户：谢谢\n",
        "\nWait, let me try again.\n",
        "\nor maybe:\n",
        "\nOption 2:\n",
        "<!-- alternatively -->",
    ] {
        let input = format!(
            "<turn><send_message>sure</send_message>{between}<send_message>haha right</send_message></turn>"
        );
        check(Xml, &input, json!([["send_message", {"text": "sure"}]]));
    }
    let two = json!([["send_message", {"text": "sure"}], ["send_message", {"text": "haha right"}]]);
    for between in ["", "\n", "\n<!-- and a second one -->\n", "\nand then\n"] {
        let input = format!(
            "<turn><send_message>sure</send_message>{between}<send_message>haha right</send_message></turn>"
        );
        check(Xml, &input, two.clone());
    }
}

#[test]
fn a_silence_with_the_form_of_its_reason_is_a_silence() {
    let input = "<turn><stay_silent>reason</stay_silent></turn>";
    check(Xml, input, json!([["stay_silent", {"reason": "reason"}]]));
}

#[test]
fn markup_of_full_width_is_read_and_never_posted() {
    let said = json!([["send_message", {"text": "全角"}]]);
    for input in [
        "＜turn＞＜send＿message＞全角＜／send＿message＞＜／turn＞",
        "<turn><ｓｅｎｄ＿ｍｅｓｓａｇｅ>全角</ｓｅｎｄ＿ｍｅｓｓａｇｅ></turn>",
    ] {
        check(Xml, input, said.clone());
    }
    let answer = check(Xml, "好的 ＜／send", json!([]));
    assert!(answer.residue, "{answer:?}");
}

#[test]
fn of_two_documents_that_both_speak_the_first_is_the_answer() {
    let document = |text: &str| {
        json!({"actions": [{"name": "send_message", "params": {"text": text}}]}).to_string()
    };
    let said = json!([["send_message", {"text": "half past nine"}]]);
    for between in ["\n", "\n---\n", "\n\n***\n\n"] {
        let input = format!(
            "{}{between}{}",
            document("half past nine"),
            document("i would say ten")
        );
        check(Json, &input, said.clone());
        let turn = |text: &str| format!("<turn><send_message>{text}</send_message></turn>");
        check(
            Xml,
            &format!(
                "{}{between}{}",
                turn("half past nine"),
                turn("i would say ten")
            ),
            said.clone(),
        );
    }
    check(
        Xml,
        "<turn><send_message>half past nine</turn><turn><send_message>i would say ten",
        said,
    );
    check(
        Xml,
        "<turn><react to=\"12\" emoji=\"👀\"/></turn>\n<turn><send_message>half past nine</send_message></turn>",
        json!([["react", {"to": "12", "emoji": "👀"}], ["send_message", {"text": "half past nine"}]]),
    );
    let lines = ["half past nine", "no, ten"]
        .map(|text| json!({"name": "send_message", "params": {"text": text}}));
    let both = json!([["send_message", {"text": "half past nine"}], ["send_message", {"text": "no, ten"}]]);
    check(Json, &format!("{}\n{}", lines[0], lines[1]), both);
}

#[test]
fn an_end_tag_of_nothing_in_the_place_of_its_own_is_no_part_of_a_message() {
    for end in ["</发送消息>", "《/send_message》", "‹/发送›", "</msg>"] {
        let said = json!([["send_message", {"text": "好呀"}]]);
        check(Xml, &format!("<turn><send_message>好呀{end}</turn>"), said);
    }
    let own = json!([["send_message", {"text": "write <b>bold</b>"}]]);
    check(
        Xml,
        "<turn><send_message>write &lt;b>bold&lt;/b></turn>",
        own,
    );
}
