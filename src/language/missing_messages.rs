//! Finds the sentences that a language lacks or has too many, beside the reference. The build script includes this file, so
//! that catalogs that do not match are no program; the tests do, too.

use std::collections::BTreeMap;

use super::catalog_files::{CatalogFile, MessageVariables, REFERENCE};

/// What a language lacks or has too much, beside the reference; each line names language, file and key.
pub fn find_differences(
    reference: &[CatalogFile],
    language: &str,
    files: &[CatalogFile],
) -> Vec<String> {
    let mut found = Vec::new();
    let expected = index_messages(reference);
    let present = index_messages(files);
    for ((file, key), variables) in &expected {
        match present.get(&(*file, *key)) {
            None => found.push(format!("{language}/{file}.ftl: {key} is missing")),
            Some(own) if own.keys().ne(variables.keys()) => found.push(format!(
                "{language}/{file}.ftl: {key} has the variables {:?}, in {REFERENCE} it has {:?}",
                own.keys().collect::<Vec<_>>(),
                variables.keys().collect::<Vec<_>>()
            )),
            Some(_) => {}
        }
    }
    for (file, key) in present
        .keys()
        .filter(|place| !expected.contains_key(*place))
    {
        found.push(format!(
            "{language}/{file}.ftl: {key} is not in {REFERENCE}"
        ));
    }
    found
}

fn index_messages(files: &[CatalogFile]) -> BTreeMap<(&str, &str), &MessageVariables> {
    let mut index = BTreeMap::new();
    for file in files {
        for (key, variables) in &file.messages {
            index.insert((file.name.as_str(), key.as_str()), variables);
        }
    }
    index
}
