//! A setting is declared once, on its field in [`setting_table!`](crate::setting_table): its default, its meaning, and the
//! rules it keeps. Everything else follows from that: checks, paths, variables, secrets, restarts and the reference. Reads
//! nothing; `settings/` does.
//!
//! A macro by example and no crate that derives: a rule is a variant, which rustc checks, and a new one touches no macro.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use kith_language::Language;
use serde_json::{Map, Value};

use super::chat::{ChannelId, UserId};
use super::daily_hours::DailyHours;
use super::secret::Secret;
use super::talkativeness::Talkativeness;

/// Something that holds of a setting besides its type. Each is said once, in `#[setting(…)]` on the field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SettingRule {
    /// The least and the most, both allowed.
    Range(f64, f64),
    Unit(&'static str),
    /// What 0 stands for.
    Zero(&'static str),
    /// What is to be written, where its range does not say it.
    Wanted(&'static str),
    /// A change counts after a restart.
    Restart,
    /// The variable of the environment that sets it besides `KITH__…`.
    Variable(&'static str),
    /// The credential of systemd that is taken where no file is named.
    Credential(&'static str),
    /// What the reference shows where there is no default.
    Example(&'static str),
    /// It cannot stand in the file.
    Outside,
    /// It is shown, sent or compared in one line.
    OneLine,
    /// It can be shown.
    Printable,
    /// The address of an HTTP server.
    Http,
    /// Only this machine may reach it; else how to mend it.
    Loopback(&'static str),
    /// A folder, which is not read as a file.
    Folder,
    SecretFile,
    PersonaFile,
    /// A program and its arguments; those that look like a path are one.
    Program,
    /// An address: only the name and the password in it are secret.
    Address,
    ToolNames,
    SkillNames,
    HookNames,
    /// It belongs to one server of models, and goes when another takes its place.
    OfServer,
    /// It belongs to the prompt, which all models share.
    OfPrompt,
}

#[derive(Clone, Copy, Debug)]
pub struct SettingField {
    pub name: &'static str,
    /// What it means, one line each.
    pub meaning: &'static [&'static str],
    pub shape: SettingShape,
    pub rules: &'static [SettingRule],
}

#[derive(Clone, Copy, Debug)]
pub struct SettingTable {
    /// What it is for, one line each.
    pub meaning: &'static [&'static str],
    pub fields: &'static [SettingField],
}

#[derive(Clone, Copy, Debug)]
pub enum SettingShape {
    Value,
    Path,
    Secret,
    Table(&'static SettingTable),
    List(&'static SettingShape),
    /// Of each the same, by names of the host's own.
    Named(&'static SettingShape),
}

/// A single value that is set, with where it stands.
pub struct SettingValue<'a> {
    /// Its dotted path.
    pub path: String,
    pub field: &'static SettingField,
    pub data: SettingData<'a>,
}

#[derive(Clone, Debug)]
pub enum SettingData<'a> {
    Number(ExactNumber),
    Text(&'a str),
    Path(&'a Path),
    Secret(&'a Secret),
    Channel(ChannelId),
    Talkativeness(Talkativeness),
    /// Where something is served.
    Address {
        address: String,
        is_loopback: bool,
    },
    Other(&'a dyn fmt::Debug),
}

/// A number as the setting holds it: converted to another type, it would be told as a number nobody wrote.
#[derive(Clone, Copy, Debug)]
pub enum ExactNumber {
    Whole(u64),
    /// One with a fraction.
    Decimal(f32),
    Money(f64),
}

impl SettingValue<'_> {
    /// The path of the list it stands in; its own where that is none.
    pub fn list_path(&self) -> &str {
        match self.field.shape {
            SettingShape::List(_) => self.path.rsplit_once('.').map_or("", |(list, _)| list),
            _ => &self.path,
        }
    }
}

pub trait SettingType: fmt::Debug + Sized {
    const SHAPE: SettingShape = SettingShape::Value;

    fn data(&self) -> SettingData<'_> {
        SettingData::Other(self)
    }

    /// Shows every single value that is set.
    fn walk<'a>(
        &'a self,
        path: &str,
        field: &'static SettingField,
        visit: &mut dyn FnMut(SettingValue<'a>),
    ) {
        visit(SettingValue {
            path: path.to_owned(),
            field,
            data: self.data(),
        });
    }
}

impl SettingField {
    /// Stands for the whole, where a walk begins.
    pub const ROOT: SettingField = SettingField {
        name: "",
        meaning: &[],
        shape: SettingShape::Value,
        rules: &[],
    };

    pub fn has(&self, rule: SettingRule) -> bool {
        self.rules.contains(&rule)
    }

    pub fn range(&self) -> Option<(f64, f64)> {
        self.rules.iter().find_map(|rule| match rule {
            SettingRule::Range(from, to) => Some((*from, *to)),
            _ => None,
        })
    }

    /// What is to be written, where it has to lie between two numbers.
    pub fn wanted(&self) -> Option<String> {
        self.wording().map(str::to_owned).or_else(|| {
            let (from, to) = self.range()?;
            let unit = self
                .unit()
                .map_or_else(String::new, |unit| format!(" {unit}"));
            let zero = self
                .zero()
                .map_or_else(String::new, |zero| format!(" ({zero})"));
            Some(format!("{from}{zero} to {to}{unit}"))
        })
    }
}

/// What a rule says, where there is one.
macro_rules! rule_texts {
    ($($name:ident: $rule:ident,)*) => {
        impl SettingField {
            $(pub fn $name(&self) -> Option<&'static str> {
                self.rules.iter().find_map(|rule| match rule {
                    SettingRule::$rule(text) => Some(*text),
                    _ => None,
                })
            })*
        }
    };
}

rule_texts! {
    unit: Unit,
    zero: Zero,
    wording: Wanted,
    variable: Variable,
    credential: Credential,
    example: Example,
    loopback_cure: Loopback,
}

impl SettingShape {
    /// The setting at a dotted path, below names of the host's own, too.
    pub fn find(&self, path: &str) -> Option<&'static SettingField> {
        let (name, rest) = path.split_once('.').unwrap_or((path, ""));
        match self {
            SettingShape::Table(table) => {
                let field = table.fields.iter().find(|field| field.name == name)?;
                match field.shape {
                    _ if rest.is_empty() => Some(field),
                    SettingShape::Named(shape) | SettingShape::List(shape) => {
                        let (_, below) = rest.split_once('.').unwrap_or_default();
                        shape.find(below).or(Some(field))
                    }
                    shape => shape.find(rest),
                }
            }
            _ => None,
        }
    }

    /// Shows every setting with its dotted path; of tables by names of the host's own, `name` stands in the name's place.
    pub fn list(&self, above: &str, show: &mut dyn FnMut(String, &'static SettingField)) {
        let SettingShape::Table(table) = self else {
            return;
        };
        for field in table.fields {
            let path = join_path(above, field.name);
            match field.shape {
                SettingShape::Table(_) => field.shape.list(&path, show),
                SettingShape::Named(shape @ SettingShape::Table(_)) => {
                    shape.list(&format!("{path}.NAME"), show)
                }
                _ => show(path, field),
            }
        }
    }
}

/// The path of what stands under a name in a table.
pub fn join_path(above: &str, name: &str) -> String {
    if above.is_empty() {
        name.to_owned()
    } else {
        format!("{above}.{name}")
    }
}

impl ExactNumber {
    /// Whether it lies between two numbers. Bounds are below 2^53, so that no rounding moves a value across one.
    pub fn is_within(self, (from, to): (f64, f64)) -> bool {
        let value = match self {
            ExactNumber::Whole(value) => value as f64,
            ExactNumber::Decimal(value) => value.into(),
            ExactNumber::Money(value) => value,
        };
        (from..=to).contains(&value)
    }
}

impl fmt::Display for ExactNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExactNumber::Whole(value) => value.fmt(f),
            ExactNumber::Decimal(value) => value.fmt(f),
            ExactNumber::Money(value) => value.fmt(f),
        }
    }
}

/// Declares a table of settings: the struct as serde reads it, its defaults, and what [`SettingType`] says of it. A field
/// without `= …` has its type's default. What stands in `filled` is filled in when everything was read.
#[macro_export]
macro_rules! setting_table {
    (
        $(#[doc = $table_meaning:literal])*
        $(#[derive($($derive:ident),*)])?
        pub struct $table:ident {
            $(
                $(#[doc = $meaning:literal])*
                $(#[setting($($rule:ident $(($($argument:expr),*))?),*)])?
                $(#[serde($($serde:tt)*)])?
                pub $name:ident: $type:ty $(= $default:expr)?,
            )*
        }
        $(filled {
            $($(#[doc = $filled_meaning:literal])* pub $filled:ident: $filled_type:ty $(= $filled_default:expr)?,)*
        })?
    ) => {
        $(#[doc = $table_meaning])*
        #[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize $($(, $derive)*)?)]
        #[serde(default, deny_unknown_fields)]
        pub struct $table {
            $(
                $(#[doc = $meaning])*
                $(#[serde($($serde)*)])?
                pub $name: $type,
            )*
            $($(
                $(#[doc = $filled_meaning])*
                #[serde(skip)]
                pub $filled: $filled_type,
            )*)?
        }

        impl Default for $table {
            fn default() -> Self {
                Self {
                    $($name: $crate::setting_default!($($default)?),)*
                    $($($filled: $crate::setting_default!($($filled_default)?),)*)?
                }
            }
        }

        $crate::declare_settings! {
            [$($table_meaning)*] $table {
                $([$($meaning)*] [$($($rule $(($($argument),*))?),*)?] $name: $type,)*
            }
        }
    };
}

/// A field's default, where it has one of its own.
#[doc(hidden)]
#[macro_export]
macro_rules! setting_default {
    () => {
        Default::default()
    };
    ($default:expr) => {
        $default
    };
}

/// What [`SettingType`] says of a struct that serde reads in a way of its own.
#[macro_export]
macro_rules! declare_settings {
    ([$($table_meaning:literal)*] $table:ident {
        $([$($meaning:literal)*] [$($rule:ident $(($($argument:expr),*))?),*] $name:ident: $type:ty,)*
    }) => {
        impl $crate::setting::SettingType for $table {
            const SHAPE: $crate::setting::SettingShape = {
                const FIELDS: &[$crate::setting::SettingField] = &[$($crate::setting::SettingField {
                    name: stringify!($name),
                    meaning: &[$($meaning),*],
                    shape: <$type as $crate::setting::SettingType>::SHAPE,
                    rules: &[$($crate::setting::SettingRule::$rule $(($($argument),*))?),*],
                }),*];
                const TABLE: &$crate::setting::SettingTable = &$crate::setting::SettingTable {
                    meaning: &[$($table_meaning),*],
                    fields: FIELDS,
                };
                $crate::setting::SettingShape::Table(TABLE)
            };

            fn walk<'a>(
                &'a self,
                path: &str,
                _: &'static $crate::setting::SettingField,
                visit: &mut dyn FnMut($crate::setting::SettingValue<'a>),
            ) {
                use $crate::setting::{SettingShape, SettingType, join_path};
                let SettingShape::Table(table) = Self::SHAPE else { return };
                let mut fields = table.fields.iter();
                $(if let Some(field) = fields.next() {
                    SettingType::walk(&self.$name, &join_path(path, field.name), field, visit);
                })*
            }
        }
    };
}

/// Types that are a single value of which nothing but its own reader knows anything.
#[macro_export]
macro_rules! setting_values {
    ($($type:ty),* $(,)?) => {
        $(impl $crate::setting::SettingType for $type {})*
    };
}

setting_values!(bool, Value, UserId, DailyHours, Language);

macro_rules! setting_data {
    ($($type:ty, $shape:ident, $value:ident => $data:expr;)*) => {
        $(impl SettingType for $type {
            const SHAPE: SettingShape = SettingShape::$shape;

            fn data(&self) -> SettingData<'_> {
                let $value = self;
                $data
            }
        })*
    };
}

setting_data! {
    u16, Value, value => SettingData::Number(ExactNumber::Whole((*value).into()));
    u32, Value, value => SettingData::Number(ExactNumber::Whole((*value).into()));
    u64, Value, value => SettingData::Number(ExactNumber::Whole(*value));
    f32, Value, value => SettingData::Number(ExactNumber::Decimal(*value));
    f64, Value, value => SettingData::Number(ExactNumber::Money(*value));
    String, Value, value => SettingData::Text(value);
    PathBuf, Path, value => SettingData::Path(value);
    Secret, Secret, value => SettingData::Secret(value);
    ChannelId, Value, value => SettingData::Channel(*value);
    Talkativeness, Value, value => SettingData::Talkativeness(*value);
}

impl<T: SettingType> SettingType for Option<T> {
    const SHAPE: SettingShape = T::SHAPE;

    fn walk<'a>(
        &'a self,
        path: &str,
        field: &'static SettingField,
        visit: &mut dyn FnMut(SettingValue<'a>),
    ) {
        self.iter().for_each(|value| value.walk(path, field, visit));
    }
}

impl<T: SettingType> SettingType for Vec<T> {
    const SHAPE: SettingShape = SettingShape::List(&T::SHAPE);

    fn walk<'a>(
        &'a self,
        path: &str,
        field: &'static SettingField,
        visit: &mut dyn FnMut(SettingValue<'a>),
    ) {
        for (index, value) in self.iter().enumerate() {
            value.walk(&format!("{path}.{index}"), field, visit);
        }
    }
}

impl<T: SettingType> SettingType for BTreeMap<String, T> {
    const SHAPE: SettingShape = SettingShape::Named(&T::SHAPE);

    fn walk<'a>(
        &'a self,
        path: &str,
        field: &'static SettingField,
        visit: &mut dyn FnMut(SettingValue<'a>),
    ) {
        for (name, value) in self {
            value.walk(&join_path(path, name), field, visit);
        }
    }
}

impl SettingType for Map<String, Value> {
    const SHAPE: SettingShape = SettingShape::Named(&SettingShape::Value);
}
