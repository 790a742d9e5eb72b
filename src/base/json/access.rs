//! What is inside a value of the text: the elements of a list, the members of an object, the value of a variant.

use std::borrow::Cow;
use std::ops::Range;

use serde::Deserializer;
use serde::de::value::{BorrowedStrDeserializer, StrDeserializer};
use serde::de::{DeserializeSeed, EnumAccess, MapAccess, SeqAccess, VariantAccess, Visitor};

use super::fault::Fault;
use super::reader::Place;
use super::scan::{Elements, Members};
use super::value::Value;

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
