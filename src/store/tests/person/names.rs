//! Who is forgotten may have a name in any writing.

use super::*;

#[test]
fn a_turn_elsewhere_that_names_somebody_keeps_its_numbers_only_whatever_their_capital_is() {
    for name in ["Mirabelle", "Élodie", "Ömer", "Ярослава", "Ναυσικά"] {
        let (_folder, path) = on_disk();
        let store = open(&path);
        store_all(
            &store,
            vec![
                channel(TALK, Some(GUILD), "talk", ChannelKind::Group),
                channel(FAR, Some(GuildId(78)), "far", ChannelKind::Group),
                says(TALK, 900, person(MIRA, name), "hello"),
            ],
        );
        // Where she never was: nothing but her name tells of her.
        let told = turn(1, FAR, &format!("they say {name} will come"));
        store.save_turn(told, vec![]).wait().expect("saved");
        assert_eq!(forget(&store, None).turns, [TurnId(1)], "{name}");
        assert_eq!(files_with(&path, name), [""; 0], "{name}");
    }
}
