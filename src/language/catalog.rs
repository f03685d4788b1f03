//! The sentences of one language, by Fluent: what stands in its catalogs, with plurals by its own
//! rules. That none is missing in a language is checked by `missing_messages.rs`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentResource};
use unic_langid::LanguageIdentifier;

pub struct Catalog {
    locale: LanguageIdentifier,
    files: BTreeMap<Cow<'static, str>, CatalogText>,
}

/// One file of a catalog. It is read when the first of its sentences is shown, because in memory it takes twelve times
/// the room of its text.
struct CatalogText {
    text: Cow<'static, str>,
    bundle: OnceLock<FluentBundle<FluentResource>>,
}

impl Catalog {
    /// The catalogs of a language: its code, and each file's name (without `.ftl`) with its text.
    pub fn new<T: Into<Cow<'static, str>>>(
        code: &str,
        files: impl IntoIterator<Item = (T, T)>,
    ) -> Self {
        let files = files.into_iter().map(|(name, text)| {
            let (text, bundle) = (text.into(), OnceLock::new());
            (name.into(), CatalogText { text, bundle })
        });
        Self {
            locale: code.parse().unwrap_or_default(),
            files: files.collect(),
        }
    }

    fn find_bundle(&self, file: &str) -> Option<&FluentBundle<FluentResource>> {
        let CatalogText { text, bundle } = self.files.get(file)?;
        Some(bundle.get_or_init(|| {
            // The build script has read the same text and the tests render each message, so nothing fails here; keys
            // would show instead of sentences.
            let resource = FluentResource::try_new(text.clone().into_owned());
            let resource = resource.unwrap_or_else(|(readable, _)| readable);
            let mut bundle = FluentBundle::new_concurrent(vec![self.locale.clone()]);
            // Marks around arguments are for mixed directions of writing; chat programs show them as boxes.
            bundle.set_use_isolating(false);
            bundle.add_resource_overriding(resource);
            bundle
        }))
    }

    /// A message with its arguments; none if it is not there or an argument is missing.
    pub(crate) fn render_message(
        &self,
        file: &str,
        key: &str,
        arguments: &FluentArgs<'_>,
    ) -> Option<String> {
        let bundle = self.find_bundle(file)?;
        let pattern = bundle.get_message(key)?.value()?;
        let mut errors = Vec::new();
        let text = bundle.format_pattern(pattern, Some(arguments), &mut errors);
        errors.is_empty().then(|| text.into_owned())
    }

    /// The attributes of a message: its text in further locales of the language, by locale.
    pub(crate) fn list_variants(&self, file: &str, key: &str) -> Vec<(String, String)> {
        let message = self.find_bundle(file).and_then(|bundle| {
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
