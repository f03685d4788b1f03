//! Who is meant by "you two", and by what people make of a name.

use kith_core::willingness::Signal;

use super::*;

/// What a signal sees in the last of these lines; 1 is the companion.
fn seen(signal: Signal, lines: &[(u64, &str)]) -> f32 {
    let mut channel = Channel::new();
    let mut last = 0.0;
    for (author, line) in lines {
        if UserId(*author) == ME {
            channel.speak(line);
        } else {
            last = channel.hear(*author, line).values[signal as usize];
        }
    }
    last
}

#[test]
fn you_two_means_it_where_it_and_one_other_spoke_last() {
    for plural in ["what do you two think", "你俩觉得呢", "你们俩怎么看"] {
        let with_it = [(2, "soup or pie"), (3, "pie"), (ME.0, "soup"), (2, plural)];
        assert_eq!(seen(Signal::YouTwo, &with_it), 1.0, "{plural}");
        let others = [
            (ME.0, "soup"),
            (2, "right"),
            (3, "pie"),
            (4, "no pie"),
            (2, plural),
        ];
        assert_eq!(seen(Signal::YouTwo, &others), 0.0, "{plural}");
        assert_eq!(
            seen(Signal::NamesOther, &others),
            1.0,
            "others are spoken to: {plural}"
        );
    }
    for everybody in ["what do you guys think", "你们觉得呢", "大家怎么看"] {
        let with_it = [
            (2, "soup or pie"),
            (3, "pie"),
            (ME.0, "soup"),
            (2, everybody),
        ];
        assert_eq!(seen(Signal::YouTwo, &with_it), 0.0, "{everybody}");
    }
}

#[test]
fn what_people_make_of_its_name_is_somebody_elses_who_is_called_so() {
    let listener = AddressMatcher::new(
        ME,
        &["阿柚".into()],
        &Persona::default(),
        ChannelKind::Group,
    );
    let mut channel = Channel {
        listener,
        ..Channel::new()
    };
    assert_eq!(
        channel.hear(2, "柚子你在吗").address,
        Some(DirectAddress::Name)
    );
    let mut other = channel.message(3, "我来了");
    other.author.name = Arc::from("柚子");
    channel
        .sense
        .score_message(&other, &channel.listener, &channel.weights);
    assert_eq!(channel.hear(2, "柚子你在吗").address, None);
    assert_eq!(
        channel.hear(2, "阿柚你在吗").address,
        Some(DirectAddress::Name)
    );
}
