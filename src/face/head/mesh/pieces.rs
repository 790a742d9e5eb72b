//! The connected pieces of a surface.

/// For each of so many points the lowest point of its piece: what edges of triangles join is one piece.
pub fn pieces_of(points: usize, triangles: impl IntoIterator<Item = [usize; 3]>) -> Vec<usize> {
    let mut joined: Vec<usize> = (0..points).collect();
    for [a, b, c] in triangles {
        for other in [b, c] {
            let (a, other) = (first(&mut joined, a), first(&mut joined, other));
            joined[a.max(other)] = a.min(other);
        }
    }
    (0..points).map(|point| first(&mut joined, point)).collect()
}

/// The lowest point of the piece of a point, as far as it is known.
fn first(joined: &mut [usize], mut point: usize) -> usize {
    while joined[point] != point {
        joined[point] = joined[joined[point]];
        point = joined[point];
    }
    point
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_edges_join_is_one_piece() {
        assert_eq!(pieces_of(8, [[5, 6, 7], [0, 3, 4], [4, 2, 3]]), [0, 1, 0, 0, 0, 5, 5, 5]);
    }
}
