//! A deserializer that makes a value of any type out of nothing. It stands in for a value that does not fit, so that the rest of
//! the file can be examined; the result is then discarded.

use serde::Deserializer;
use serde::de::value::{MapDeserializer, SeqDeserializer, StrDeserializer};
use serde::de::{DeserializeSeed, EnumAccess, IntoDeserializer, VariantAccess, Visitor};

use super::error::Fault;

#[derive(Clone, Copy)]
pub(super) struct StandIn;

impl<'de> IntoDeserializer<'de, Fault> for StandIn {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}

/// Methods that visit a value which the types of their names accept.
macro_rules! visit {
    ($($method:ident: $visit:ident($($value:expr)?),)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            visitor.$visit($($value)?)
        })*
    };
}

impl<'de> Deserializer<'de> for StandIn {
    type Error = Fault;

    visit! {
        deserialize_any: visit_unit(),
        deserialize_bool: visit_bool(false),
        deserialize_i8: visit_u64(0),
        deserialize_i16: visit_u64(0),
        deserialize_i32: visit_u64(0),
        deserialize_i64: visit_u64(0),
        deserialize_u8: visit_u64(0),
        deserialize_u16: visit_u64(0),
        deserialize_u32: visit_u64(0),
        deserialize_u64: visit_u64(0),
        deserialize_f32: visit_f64(0.0),
        deserialize_f64: visit_f64(0.0),
        deserialize_char: visit_char(' '),
        deserialize_str: visit_str(""),
        deserialize_string: visit_str(""),
        deserialize_identifier: visit_str(""),
        deserialize_bytes: visit_bytes(&[]),
        deserialize_byte_buf: visit_bytes(&[]),
        deserialize_option: visit_none(),
        deserialize_unit: visit_unit(),
        deserialize_ignored_any: visit_unit(),
        deserialize_seq: visit_seq(SeqDeserializer::new(std::iter::empty::<Self>())),
        deserialize_map: visit_map(MapDeserializer::new(std::iter::empty::<(Self, Self)>())),
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_seq(SeqDeserializer::new(std::iter::repeat_n(self, len)))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_map(MapDeserializer::new(fields.iter().map(|&field| (field, self))))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_enum(StandInVariant { name: variants.first().copied().unwrap_or_default() })
    }
}

/// The first variant of an enum, with whatever value it has.
struct StandInVariant {
    name: &'static str,
}

impl<'de> EnumAccess<'de> for StandInVariant {
    type Error = Fault;
    type Variant = StandIn;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, StandIn), Fault> {
        Ok((seed.deserialize(StrDeserializer::new(self.name))?, StandIn))
    }
}

impl<'de> VariantAccess<'de> for StandIn {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Fault> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_struct("", fields, visitor)
    }
}
