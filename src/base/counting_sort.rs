//! Counting sort, which is faster than comparing where keys are small numbers.

/// Sorts values by keys below `key_count`; values of one key stay in their order. Returns the index at which each key's
/// values begin (with the end of the last key's as a last element), and the values.
pub fn by_key<T: Copy + Default>(key_count: usize, rows: impl Iterator<Item = (u32, T)> + Clone) -> (Vec<u32>, Vec<T>) {
    let mut firsts = vec![0_u32; key_count + 1];
    let mut count = 0;
    for (key, _) in rows.clone() {
        firsts[key as usize + 1] += 1;
        count += 1;
    }
    for key in 0..key_count {
        firsts[key + 1] += firsts[key];
    }
    let mut cursors = firsts.clone();
    let mut values = vec![T::default(); count];
    for (key, value) in rows {
        let cursor = &mut cursors[key as usize];
        values[*cursor as usize] = value;
        *cursor += 1;
    }
    (firsts, values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_one_key_stay_in_their_order() {
        let rows = [(2, 'a'), (0, 'b'), (2, 'c'), (3, 'd'), (0, 'e')];
        assert_eq!(by_key(5, rows.into_iter()), (vec![0, 2, 2, 4, 5, 5], vec!['b', 'e', 'a', 'c', 'd']));
        assert_eq!(by_key(0, std::iter::empty::<(u32, u8)>()), (vec![0], Vec::new()));
    }
}
