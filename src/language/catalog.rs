//! The sentences of one language, by Fluent: what stands in its catalogs, with plurals by its own
//! rules. That none is missing in a language is checked by `missing_messages.rs`.

use std::collections::BTreeMap;
use std::{error, fmt};

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};
use unic_langid::LanguageIdentifier;

/// The catalogs of one language.
#[derive(Default)]
pub struct Catalog {
    files: BTreeMap<String, FluentBundle<FluentResource>>,
}

/// Why a catalog cannot be read: the file and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CatalogError(String);

impl fmt::Display for CatalogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl error::Error for CatalogError {}

impl Catalog {
    /// Reads the catalogs of a language: its code, and each file's name (without `.ftl`) with its text.
    pub fn read<'a>(
        code: &str,
        files: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, CatalogError> {
        let locale: LanguageIdentifier = code
            .parse()
            .map_err(|error| CatalogError(format!("{code} is no language: {error}")))?;
        let mut catalog = Self::default();
        for (name, text) in files {
            let fail = |why: String| CatalogError(format!("{code}/{name}.ftl: {why}"));
            let resource = FluentResource::try_new(text.to_owned())
                .map_err(|(_, errors)| fail(format!("{errors:?}")))?;
            let mut bundle = FluentBundle::new_concurrent(vec![locale.clone()]);
            // Marks around arguments are for mixed directions of writing; chat programs show them as boxes.
            bundle.set_use_isolating(false);
            bundle
                .add_resource(resource)
                .map_err(|errors| fail(format!("{errors:?}")))?;
            catalog.files.insert(name.to_owned(), bundle);
        }
        Ok(catalog)
    }

    /// A message with its arguments; none if it is not there or an argument is missing.
    pub(crate) fn render_message(
        &self,
        file: &str,
        key: &str,
        arguments: &FluentArgs<'_>,
    ) -> Option<String> {
        let bundle = self.files.get(file)?;
        let pattern = bundle.get_message(key)?.value()?;
        let mut errors = Vec::new();
        let text = bundle.format_pattern(pattern, Some(arguments), &mut errors);
        errors.is_empty().then(|| text.into_owned())
    }

    /// The attributes of a message: its text in further locales of the language, by locale.
    pub(crate) fn list_variants(&self, file: &str, key: &str) -> Vec<(String, String)> {
        let message = self.files.get(file).and_then(|bundle| {
            let message = bundle.get_message(key)?;
            Some((bundle, message))
        });
        let Some((bundle, message)) = message else {
            return Vec::new();
        };
        message
            .attributes()
            .map(|variant| {
                let text = bundle.format_pattern(variant.value(), None, &mut Vec::new());
                (variant.id().to_owned(), text.into_owned())
            })
            .collect()
    }
}
