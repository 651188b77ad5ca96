//! JSON that remembers in which order the properties of a schema were written.
//!
//! The order in which someone wrote the properties is the order in which they want them asked, and a JSON object
//! forgets it. So each property is given its place as `propertyOrder`, a keyword that other form tools use for just
//! that, unless it says one itself.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, de};
use serde_json::{Map, Number, Value};

/// The keyword for a property's place.
pub(super) const PROPERTY_ORDER: &str = "propertyOrder";

/// A JSON value whose properties know their places.
pub(super) struct OrderedJson(pub Value);

impl<'de> Deserialize<'de> for OrderedJson {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Within::Anything.deserialize(from).map(OrderedJson)
    }
}

/// What the value stands in.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    Anything,
    /// The value of `properties`: its keys are names that people gave.
    Properties,
}

impl<'de> DeserializeSeed<'de> for Within {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Within {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("JSON")
    }

    fn visit_bool<E: de::Error>(self, flag: bool) -> Result<Value, E> {
        Ok(Value::Bool(flag))
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Value, E> {
        Ok(number.into())
    }

    fn visit_f64<E: de::Error>(self, number: f64) -> Result<Value, E> {
        Ok(Number::from_f64(number).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_unit<E: de::Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = access.next_element_seed(Within::Anything)? {
            list.push(value);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        let mut place = 0;
        while let Some(key) = access.next_key::<String>()? {
            let names_follow = self == Self::Anything && key == "properties";
            let within = if names_follow { Self::Properties } else { Self::Anything };
            let mut value = access.next_value_seed(within)?;
            if let (Self::Properties, Value::Object(property)) = (self, &mut value) {
                property.entry(PROPERTY_ORDER).or_insert_with(|| Value::from(place));
                place += 1;
            }
            object.insert(key, value);
        }
        Ok(Value::Object(object))
    }
}
