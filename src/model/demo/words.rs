//! What the stand-in says. Every message opens with its label.

use kith_language::{LocalizedMessage, demo};

/// What stands in the messages: of the line it answers, and of what the tool told.
#[derive(Clone, Copy, Debug)]
pub(super) struct DemoValues<'a> {
    pub name: &'a str,
    pub text: &'a str,
    pub time: &'a str,
}

/// One thing it says, in several ways.
pub(super) type DemoWays = fn(DemoValues<'_>) -> Vec<LocalizedMessage>;

pub(super) fn say_hello(DemoValues { name, text, .. }: DemoValues<'_>) -> Vec<LocalizedMessage> {
    vec![
        demo::hello_first(name, text),
        demo::hello_second(text),
        demo::hello_third(name, text),
    ]
}

pub(super) fn say_what_it_is(DemoValues { name, .. }: DemoValues<'_>) -> Vec<LocalizedMessage> {
    vec![
        demo::what_it_is_first(name),
        demo::what_it_is_second(name),
        demo::what_it_is_third(name),
    ]
}

pub(super) fn say_read_you(DemoValues { name, text, .. }: DemoValues<'_>) -> Vec<LocalizedMessage> {
    vec![
        demo::read_you_first(text),
        demo::read_you_second(name, text),
        demo::read_you_third(text),
        demo::read_you_fourth(text),
    ]
}

pub(super) fn say_time_is(DemoValues { time, .. }: DemoValues<'_>) -> Vec<LocalizedMessage> {
    vec![
        demo::time_is_first(time),
        demo::time_is_second(time),
        demo::time_is_third(time),
    ]
}

pub(super) fn say_time_failed(_: DemoValues<'_>) -> Vec<LocalizedMessage> {
    vec![demo::time_failed_first(), demo::time_failed_second()]
}
