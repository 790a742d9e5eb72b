//! Deserializes a value of the text and what is inside it. A value that does not fit is recorded, and a [`StandIn`] takes its place in
//! this pass.

use std::borrow::Cow;
use std::ops::Range;

use serde::Deserializer;
use serde::de::value::{BorrowedStrDeserializer, StrDeserializer};
use serde::de::{DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess, Visitor};

use super::error::Fault;
use super::reader::{Place, Value};
use super::scan::{Elements, Members};
use super::stand_in::StandIn;

/// Methods for the types of whole numbers.
macro_rules! whole_numbers {
    ($($method:ident: $type:ident $visit:ident,)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            let wanted = || format!("a whole number from {} to {}", $type::MIN, $type::MAX);
            let number = self.text().parse::<$type>();
            let number = number.or_else(|_| self.is_not(&wanted()).map(|()| 0))?;
            self.located(visitor.$visit(number))
        })*
    };
}

impl<'de> Deserializer<'de> for Value<'_, 'de> {
    type Error = Fault;

    whole_numbers! {
        deserialize_i8: i8 visit_i8,
        deserialize_i16: i16 visit_i16,
        deserialize_i32: i32 visit_i32,
        deserialize_i64: i64 visit_i64,
        deserialize_u8: u8 visit_u8,
        deserialize_u16: u16 visit_u16,
        deserialize_u32: u32 visit_u32,
        deserialize_u64: u64 visit_u64,
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.text().as_bytes().first() {
            Some(b'"') => self.deserialize_str(visitor),
            Some(b'{') => self.deserialize_map(visitor),
            Some(b'[') => self.deserialize_seq(visitor),
            Some(b't' | b'f') => self.deserialize_bool(visitor),
            Some(b'n') => self.deserialize_unit(visitor),
            _ => self.deserialize_f64(visitor),
        }
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let flag = match self.text() {
            "true" => true,
            "false" => false,
            _ => self.is_not("true or false").map(|()| false)?,
        };
        self.located(visitor.visit_bool(flag))
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let number = self.number(|number: &f32| number.is_finite(), "from -3.4e38 to 3.4e38")?;
        self.located(visitor.visit_f32(number))
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let number = self.number(|number: &f64| number.is_finite(), "from -1.8e308 to 1.8e308")?;
        self.located(visitor.visit_f64(number))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        let outcome = match self.string()? {
            Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
            Cow::Owned(text) => visitor.visit_string(text),
        };
        self.located(outcome)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.text() == "null" { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if self.text() != "null" {
            self.is_not("null")?;
        }
        self.located(visitor.visit_unit())
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if !self.begins_with(b'[') {
            self.is_not("a list")?;
            return StandIn.deserialize_seq(visitor);
        }
        self.located(visitor.visit_seq(ElementAccess::of(&self)))
    }

    /// A list of fixed length, which an element that is left out makes too short.
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Fault> {
        let is_kept = |range: &Range<usize>| !self.reader.leaves_out(range.start);
        let elements = || Elements::of(self.reader.text, self.range.start).filter(is_kept);
        if !self.begins_with(b'[') || elements().take(len + 1).count() != len {
            self.is_not(&format!("a list of {len}"))?;
            return StandIn.deserialize_tuple(len, visitor);
        }
        self.located(visitor.visit_seq(ElementAccess::of(&self)))
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if !self.begins_with(b'{') {
            self.is_not("an object")?;
            return StandIn.deserialize_map(visitor);
        }
        self.located(visitor.visit_map(MemberAccess::of(&self)))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        if !self.begins_with(b'{') {
            self.is_not("an object")?;
            return StandIn.deserialize_struct(name, fields, visitor);
        }
        // The last of several members of one name counts, as in other readers of JSON. Unknown ones are ignored.
        let mut values: Vec<Option<Range<usize>>> = vec![None; fields.len()];
        for (key, value) in Members::of(self.reader.text, self.range.start) {
            let Some(key) = self.reader.string(&key) else { continue };
            if let Some(index) = fields.iter().position(|field| *field == key)
                && !self.reader.leaves_out(value.start)
            {
                values[index] = Some(value);
            }
        }
        let has = |field: &str| fields.iter().zip(&values).any(|(name, value)| *name == field && value.is_some());
        let mut required = self.reader.required.iter().filter(|(owner, _)| *owner == name);
        if let Some((_, lacking)) = required.find(|(_, field)| !has(field)) {
            self.misfit(|| format!("has no {lacking}"))?;
            return StandIn.deserialize_struct(name, fields, visitor);
        }
        let present = fields.iter().copied().zip(values).filter_map(|(field, value)| Some((field, value?)));
        let outcome = visitor.visit_map(FieldAccess::of(&self, present));
        match outcome {
            Err(Fault::Missing(field)) => Err(Fault::Required { owner: name, field }),
            outcome => self.located(outcome),
        }
    }

    /// A variant is a text, or an object with the name of the variant and its value.
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let (variant, value) = if self.begins_with(b'{') {
            let mut members = Members::of(self.reader.text, self.range.start);
            match (members.next(), members.next()) {
                (Some((key, value)), None) => (self.reader.string(&key), Some(value)),
                _ => (None, None),
            }
        } else {
            (self.begins_with(b'"').then(|| self.reader.string(&self.range)).flatten(), None)
        };
        let known = variant.as_deref().and_then(|variant| variants.iter().find(|known| **known == variant));
        let is_kept = value.as_ref().is_none_or(|value| !self.reader.leaves_out(value.start));
        let Some(variant) = known.filter(|_| is_kept) else {
            self.is_not(&format!("one of {}", variants.join(", ")))?;
            return StandIn.deserialize_enum(name, variants, visitor);
        };
        match value {
            None => self.located(visitor.visit_enum(IntoDeserializer::<Fault>::into_deserializer(*variant))),
            Some(range) => {
                let place = Place::Member(self.place, variant);
                let content = Value { reader: self.reader, place: &place, range };
                self.located(visitor.visit_enum(Variant { name: variant, content }))
            }
        }
    }
}

/// The elements of a list that are not left out.
pub(super) struct ElementAccess<'v, 't> {
    value: &'v Value<'v, 't>,
    elements: Elements<'t>,
    index: usize,
}

impl<'v, 't> ElementAccess<'v, 't> {
    pub(super) fn of(value: &'v Value<'v, 't>) -> Self {
        Self { value, elements: Elements::of(value.reader.text, value.range.start), index: 0 }
    }
}

impl<'de> SeqAccess<'de> for ElementAccess<'_, 'de> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        let reader = self.value.reader;
        for range in self.elements.by_ref() {
            let place = Place::Element(self.value.place, self.index);
            self.index += 1;
            if !reader.leaves_out(range.start) {
                // A growing list has up to twice the size of its elements.
                reader.charge(2 * size_of::<T::Value>())?;
                return seed.deserialize(Value { reader, place: &place, range }).map(Some);
            }
        }
        Ok(None)
    }
}

/// The members of an object whose names are data.
pub(super) struct MemberAccess<'v, 't> {
    value: &'v Value<'v, 't>,
    members: Members<'t>,
    next: Option<(Cow<'t, str>, Range<usize>)>,
}

impl<'v, 't> MemberAccess<'v, 't> {
    pub(super) fn of(value: &'v Value<'v, 't>) -> Self {
        Self { value, members: Members::of(value.reader.text, value.range.start), next: None }
    }
}

impl<'de> MapAccess<'de> for MemberAccess<'_, 'de> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let reader = self.value.reader;
        for (key, range) in self.members.by_ref() {
            if reader.leaves_out(range.start) {
                continue;
            }
            let Some(name) = reader.string(&key) else {
                let place = Place::Member(self.value.place, &reader.text[key.clone()]);
                reader.misfit(&range, &place, || "its name is not Unicode text".into())?;
                continue;
            };
            // The nodes of a map are on average two thirds full.
            reader.charge(name.len() + 32 + size_of::<K::Value>() * 3 / 2)?;
            let made = match &name {
                Cow::Borrowed(name) => seed.deserialize(BorrowedStrDeserializer::new(name)),
                Cow::Owned(name) => seed.deserialize(StrDeserializer::new(name)),
            };
            self.next = Some((name, range));
            return made.map(Some);
        }
        Ok(None)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Fault> {
        let reader = self.value.reader;
        let (name, range) = self.next.take().ok_or_else(|| Fault::Other("a value without a key".into()))?;
        reader.charge(size_of::<T::Value>() * 3 / 2)?;
        seed.deserialize(Value { reader, place: &Place::Member(self.value.place, &name), range })
    }
}

/// The members of an object whose names are the fields of a type.
pub(super) struct FieldAccess<'v, 't, I> {
    value: &'v Value<'v, 't>,
    fields: I,
    next: Option<(&'static str, Range<usize>)>,
}

impl<'v, 't, I> FieldAccess<'v, 't, I> {
    pub(super) fn of(value: &'v Value<'v, 't>, fields: I) -> Self {
        Self { value, fields, next: None }
    }
}

impl<'de, I: Iterator<Item = (&'static str, Range<usize>)>> MapAccess<'de> for FieldAccess<'_, 'de, I> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        self.next = self.fields.next();
        let Some((name, _)) = &self.next else { return Ok(None) };
        seed.deserialize(StrDeserializer::new(name)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Fault> {
        let (name, range) = self.next.take().ok_or_else(|| Fault::Other("a value without a key".into()))?;
        let place = Place::Member(self.value.place, name);
        seed.deserialize(Value { reader: self.value.reader, place: &place, range })
    }
}

/// A variant with a value.
pub(super) struct Variant<'r, 't> {
    pub name: &'static str,
    pub content: Value<'r, 't>,
}

impl<'de> EnumAccess<'de> for Variant<'_, 'de> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Fault> {
        Ok((seed.deserialize(StrDeserializer::new(self.name))?, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_, 'de> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        Err(Fault::Other(format!("{} has no value", self.name)))
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Fault> {
        seed.deserialize(self.content)
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Fault> {
        self.content.deserialize_tuple(len, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, fields: &'static [&'static str], visitor: V) -> Result<V::Value, Fault> {
        self.content.deserialize_struct(self.name, fields, visitor)
    }
}
