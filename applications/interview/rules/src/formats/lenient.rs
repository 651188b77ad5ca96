//! Reads a form as people spell it: a bare day for a bound, `true` for yes, `is_not` for `isNot`.
//!
//! It stands between any deserialiser and the form, and passes everything on but these few spellings. Faults still
//! arise inside the deserialiser, so that it can say on which line.

use std::fmt;

use serde::Deserialize;
use serde::de::value::StringDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, Expected, IntoDeserializer as _, MapAccess, SeqAccess,
    Unexpected, Visitor,
};

/// Keys that a form knows by one name only. The rest of its keys know both of theirs.
const RENAMED: [(&str, &str); 3] = [("is_not", "isNot"), ("more_than", "moreThan"), ("less_than", "lessThan")];
/// The key under which TOML hands over a day or a time.
const BARE_DAY: &str = "$__toml_private_datetime";

/// A deserialiser, or a visitor, or a seed, and what it stands at.
pub(super) struct Lenient<T> {
    inner: T,
    at: ValueKind,
}

/// What is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ValueKind {
    /// Something that is spelt in one way.
    Elsewhere,
    /// A least or a most: a day or a time may stand bare.
    Bound,
    /// A value that an answer is compared with: anything may stand bare.
    Wanted,
}

impl ValueKind {
    fn key(key: &str) -> Self {
        match key {
            "min" | "max" | "moreThan" | "lessThan" => Self::Bound,
            "is" | "isNot" => Self::Wanted,
            _ => Self::Elsewhere,
        }
    }
}

impl<T> Lenient<T> {
    pub(super) fn new(inner: T) -> Self {
        Self { inner, at: ValueKind::Elsewhere }
    }
}

macro_rules! pass_on {
    ($($method:ident)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.inner.$method(Lenient { inner: visitor, at: self.at })
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Lenient<D> {
    type Error = D::Error;

    pass_on! {
        deserialize_any deserialize_bool deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_u8
        deserialize_u16 deserialize_u32 deserialize_u64 deserialize_f32 deserialize_f64 deserialize_char deserialize_str
        deserialize_string deserialize_bytes deserialize_byte_buf deserialize_option deserialize_unit deserialize_seq
        deserialize_map deserialize_identifier deserialize_ignored_any
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_unit_struct(name, Lenient { inner: visitor, at: self.at })
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_newtype_struct(name, Lenient { inner: visitor, at: self.at })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_tuple(length, Lenient { inner: visitor, at: self.at })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_tuple_struct(name, length, Lenient { inner: visitor, at: self.at })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_struct(name, fields, Lenient { inner: visitor, at: self.at })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_enum(name, variants, Lenient { inner: visitor, at: self.at })
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Lenient<V> {
    type Value = V::Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        Expected::fmt(&self.inner, out)
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<V::Value, E> {
        match self.at {
            ValueKind::Wanted => self.inner.visit_str(if flag { "yes" } else { "no" }),
            ValueKind::Elsewhere | ValueKind::Bound => self.inner.visit_bool(flag),
        }
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<V::Value, E> {
        match self.at {
            ValueKind::Wanted => self.inner.visit_string(number.to_string()),
            ValueKind::Elsewhere | ValueKind::Bound => self.inner.visit_i64(number),
        }
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<V::Value, E> {
        match self.at {
            ValueKind::Wanted => self.inner.visit_string(number.to_string()),
            ValueKind::Elsewhere | ValueKind::Bound => self.inner.visit_u64(number),
        }
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<V::Value, E> {
        match self.at {
            ValueKind::Wanted => self.inner.visit_string(number.to_string()),
            ValueKind::Elsewhere | ValueKind::Bound => self.inner.visit_f64(number),
        }
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<V::Value, E> {
        self.inner.visit_str(text)
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<V::Value, E> {
        self.inner.visit_borrowed_str(text)
    }

    fn visit_string<E: Error>(self, text: String) -> Result<V::Value, E> {
        self.inner.visit_string(text)
    }

    fn visit_none<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_none()
    }

    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        self.inner.visit_unit()
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<V::Value, D::Error> {
        self.inner.visit_some(Lenient { inner: from, at: self.at })
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, from: D) -> Result<V::Value, D::Error> {
        self.inner.visit_newtype_struct(Lenient { inner: from, at: self.at })
    }

    fn visit_enum<A: EnumAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        self.inner.visit_enum(access)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<V::Value, A::Error> {
        self.inner.visit_seq(Lenient { inner: access, at: self.at })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<V::Value, A::Error> {
        match self.at {
            ValueKind::Elsewhere => self.inner.visit_map(Lenient { inner: access, at: self.at }),
            // Neither a bound nor a wanted value is a table, so a table here is a bare day or a mistake.
            ValueKind::Bound | ValueKind::Wanted => match access.next_entry::<String, String>()? {
                Some((key, day)) if key == BARE_DAY => self.inner.visit_string(as_kept(day)),
                Some(_) | None => Err(Error::invalid_type(Unexpected::Map, &self)),
            },
        }
    }
}

/// TOML writes seconds where times are kept without.
fn as_kept(day: String) -> String {
    let is_time = day.len() == "14:30:00".len() && day.as_bytes()[2] == b':';
    day.strip_suffix(":00").filter(|_| is_time).map(str::to_owned).unwrap_or(day)
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Lenient<A> {
    type Error = A::Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.inner.next_element_seed(Lenient { inner: seed, at: self.at })
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Lenient<A> {
    type Error = A::Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, A::Error> {
        self.inner.next_key_seed(Key { seed, at: &mut self.at })
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.inner.next_value_seed(Lenient { inner: seed, at: self.at })
    }
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Lenient<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<S::Value, D::Error> {
        self.inner.deserialize(Lenient { inner: from, at: self.at })
    }
}

/// Reads a key by its one name, and remembers what its value is.
struct Key<'a, S> {
    seed: S,
    at: &'a mut ValueKind,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Key<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<S::Value, D::Error> {
        let written = String::deserialize(from)?;
        let known = RENAMED.iter().find(|(snake, _)| *snake == written);
        let name = known.map_or(written.as_str(), |(_, camel)| camel).to_owned();
        *self.at = ValueKind::key(&name);
        let name: StringDeserializer<D::Error> = name.into_deserializer();
        self.seed.deserialize(name)
    }
}
