//! Reads the fields of a definition that translate another one: `description_zh` beside `description`, for each language
//! there is. The struct keeps refusing every other field it does not know.

use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, Error, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};

use kith_core::persona::Language;
use kith_language::TranslatedText;

/// Reads a struct as its own deserializer does, with the translations of one of its fields put aside.
pub(super) struct TranslationReader<'a, D> {
    deserializer: D,
    field: &'static str,
    translations: &'a mut TranslatedText,
}

impl<'a, D> TranslationReader<'a, D> {
    pub(super) fn new(
        deserializer: D,
        field: &'static str,
        translations: &'a mut TranslatedText,
    ) -> Self {
        Self {
            deserializer,
            field,
            translations,
        }
    }
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for TranslationReader<'_, D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.deserializer.deserialize_map(TranslationVisitor {
            visitor,
            field: self.field,
            translations: self.translations,
        })
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

struct TranslationVisitor<'a, V> {
    visitor: V,
    field: &'static str,
    translations: &'a mut TranslatedText,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for TranslationVisitor<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_map(TranslationMap {
            map,
            field: self.field,
            translations: self.translations,
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_seq(seq)
    }
}

struct TranslationMap<'a, A> {
    map: A,
    field: &'static str,
    translations: &'a mut TranslatedText,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for TranslationMap<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        mut seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        loop {
            let field = self.field;
            match self.map.next_key_seed(FieldSeed { seed, field })? {
                Some(FieldName::Own(name)) => return Ok(Some(name)),
                Some(FieldName::Translation(language, unused)) => {
                    seed = unused;
                    self.translations.add(language, self.map.next_value()?);
                }
                None => return Ok(None),
            }
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

/// A field's name: one of the struct's own, or a translation, with the seed that was not needed.
enum FieldName<T, K> {
    Own(T),
    Translation(Language, K),
}

struct FieldSeed<K> {
    seed: K,
    field: &'static str,
}

impl<'de, K: DeserializeSeed<'de>> DeserializeSeed<'de> for FieldSeed<K> {
    type Value = FieldName<K::Value, K>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl<'de, K: DeserializeSeed<'de>> Visitor<'de> for FieldSeed<K> {
    type Value = FieldName<K::Value, K>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        match TranslatedText::find_language(self.field, name) {
            Some(language) => Ok(FieldName::Translation(language, self.seed)),
            None => self
                .seed
                .deserialize(name.into_deserializer())
                .map(FieldName::Own),
        }
    }
}
