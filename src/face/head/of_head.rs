//! Values that hold indices of one head, and can be read only together with that head.

use std::fmt;
use std::sync::{Arc, Weak};

use super::Head;

/// A value with indices of one head: of channels, meshes, clips, vertices. It gives the value to whoever has that head,
/// and nothing to whoever has another one, so that an index of one head never meets another. Heads are compared by
/// identity: a head that is read again is another one even if its contents are equal, because its file may have
/// changed.
///
/// Whatever is found out about a head beside the window, remembered by a panel from one frame to the next, or queued,
/// is stored in one.
#[derive(Clone)]
pub struct OfHead<T> {
    /// No head at all if it was never given one.
    head: Weak<Head>,
    value: T,
}

/// A head without its contents, to compare with other heads and to remember which one something was found for.
pub type HeadId = OfHead<()>;

impl HeadId {
    pub fn new(head: &Arc<Head>) -> Self {
        Self::with(head, ())
    }
}

impl<T> OfHead<T> {
    pub fn with(head: &Arc<Head>, value: T) -> Self {
        Self { head: Arc::downgrade(head), value }
    }

    pub fn is_of(&self, head: &Arc<Head>) -> bool {
        // The allocation of a head lives as long as this reference, so that no other head can have its address.
        std::ptr::eq(self.head.as_ptr(), Arc::as_ptr(head))
    }

    /// The value, if it belongs to this head.
    pub fn get(&self, head: &Arc<Head>) -> Option<&T> {
        self.is_of(head).then_some(&self.value)
    }

    /// The value with its own head, while that exists.
    pub fn upgrade(&self) -> Option<(Arc<Head>, &T)> {
        Some((self.head.upgrade()?, &self.value))
    }

    pub fn get_mut(&mut self, head: &Arc<Head>) -> Option<&mut T> {
        self.is_of(head).then_some(&mut self.value)
    }

    /// Gives the value to another state of the same head, once `renew` has replaced the indices of `before` in it by
    /// those of `after`. What belongs to neither is left alone, and so still gives nothing.
    pub fn follow_reload(&mut self, before: &Arc<Head>, after: &Arc<Head>, renew: impl FnOnce(&mut T)) {
        if let Some(value) = self.get_mut(before) {
            renew(value);
            self.head = Arc::downgrade(after);
        }
    }
}

impl<T: Default> OfHead<T> {
    /// The value of this head. That of another head is replaced by the default.
    pub fn get_or_default(&mut self, head: &Arc<Head>) -> &mut T {
        if !self.is_of(head) {
            *self = Self::with(head, T::default());
        }
        &mut self.value
    }
}

impl<T: Default> Default for OfHead<T> {
    /// A value of no head, which nobody can read.
    fn default() -> Self {
        Self { head: Weak::new(), value: T::default() }
    }
}

impl<T: PartialEq> PartialEq for OfHead<T> {
    fn eq(&self, other: &Self) -> bool {
        self.head.ptr_eq(&other.head) && self.value == other.value
    }
}

impl<T: fmt::Debug> fmt::Debug for OfHead<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::Asset;

    fn head() -> Arc<Head> {
        Arc::new(Head::new(Asset::default()))
    }

    #[test]
    fn only_its_own_head_reads_a_value() {
        let (own, other) = (head(), head());
        let mut of_head = OfHead::with(&own, 7);
        assert_eq!((of_head.get(&own), of_head.get(&own.clone()), of_head.get(&other)), (Some(&7), Some(&7), None));
        assert!(of_head.get_mut(&other).is_none());
        assert!(of_head.upgrade().is_some_and(|(head, value)| Arc::ptr_eq(&head, &own) && *value == 7));
        assert_eq!(*of_head.get_or_default(&own), 7);
        assert_eq!(*of_head.get_or_default(&other), 0);
        assert_eq!((of_head.get(&own), of_head.get(&other)), (None, Some(&0)));
        assert_eq!(OfHead::<u8>::default().get(&own), None);
        assert!(HeadId::new(&own) == HeadId::new(&own) && HeadId::new(&own) != HeadId::new(&other));
    }

    #[test]
    fn the_address_of_a_head_that_is_gone_is_not_used_again() {
        let of_head = OfHead::with(&head(), 7);
        assert!(of_head.upgrade().is_none());
        let others: Vec<Arc<Head>> = (0..100).map(|_| head()).collect();
        assert!(others.iter().all(|other| of_head.get(other).is_none()));
    }

    #[test]
    fn a_value_follows_its_head_and_no_other() {
        let [before, after, other] = [head(), head(), head()];
        let mut of_head = OfHead::with(&before, 7);
        of_head.follow_reload(&other, &after, |_| unreachable!());
        assert_eq!((of_head.get(&before), of_head.get(&after)), (Some(&7), None));
        of_head.follow_reload(&before, &after, |value| *value += 1);
        assert_eq!((of_head.get(&before), of_head.get(&after)), (None, Some(&8)));
    }
}
