//! Languages as settings, personas and stored data spell them.

use kith_language::Language;

#[test]
fn a_language_is_written_as_its_code() {
    for language in Language::ALL {
        let written = serde_json::to_string(&language).unwrap();
        assert_eq!(written, format!("{:?}", language.code()));
        assert_eq!(
            serde_json::from_str::<Language>(&written).unwrap(),
            language
        );
    }
    assert_eq!(Language::default().code(), "en");
}

#[test]
fn a_code_without_a_folder_is_refused_with_those_there_are() {
    let error = serde_json::from_str::<Language>("\"tlh\"").unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("unknown variant `tlh`, expected `en` or `zh`"),
        "{error}"
    );
}
