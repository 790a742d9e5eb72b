//! The deltas of one shape, vertex by vertex.

use glam::Vec3;

use smirk_face::head::{InBetween, ShapeDeltas, Target};

/// The deltas of a vertex: of its position, its normal and its tangent.
pub(super) type Row = [Vec3; 3];

const STILL: Row = [Vec3::ZERO; 3];

#[derive(Clone, Debug, Default)]
pub(super) struct Field {
    /// The vertices that it changes, strictly increasing.
    pub rows: Vec<u32>,
    /// One per row.
    pub values: Vec<Row>,
    /// Whether it has deltas of positions, of normals and of tangents.
    pub columns: [bool; 3],
}

impl Field {
    pub(super) fn new(shape: ShapeDeltas<'_>) -> Self {
        Self {
            rows: shape.rows.to_vec(),
            values: rows_of(shape).map(|(_, row)| row).collect(),
            columns: columns_of(shape).map(|column| !column.is_empty()),
        }
    }

    /// The same vertices with other deltas.
    pub(super) fn map(mut self, mut change: impl FnMut(u32, Row) -> Row) -> Self {
        for (&row, value) in self.rows.iter().zip(&mut self.values) {
            *value = change(row, *value);
        }
        self
    }

    /// A field made of the deltas of two, at each vertex that one of them changes.
    pub(super) fn zip(&self, other: &Self, mut join: impl FnMut(u32, Row, Row) -> Row) -> Self {
        let columns = std::array::from_fn(|at| self.columns[at] || other.columns[at]);
        let mut joined = Self { columns, ..Self::default() };
        with_each(self.iter(), other.iter(), |row, a, b| {
            joined.rows.push(row);
            joined.values.push(join(row, a, b));
        });
        joined
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, Row)> + '_ {
        self.rows.iter().copied().zip(self.values.iter().copied())
    }

    /// The deltas as a shape has them, without the vertices that do not change.
    fn into_columns(self) -> (Vec<u32>, [Vec<Vec3>; 3]) {
        let count = self.rows.len();
        let mut rows = Vec::with_capacity(count);
        let mut columns = self.columns.map(|is_there| Vec::with_capacity(if is_there { count } else { 0 }));
        for (row, deltas) in self.iter().filter(|(_, deltas)| *deltas != STILL) {
            rows.push(row);
            for ((column, delta), is_there) in columns.iter_mut().zip(deltas).zip(self.columns) {
                if is_there {
                    column.push(delta);
                }
            }
        }
        (rows, columns)
    }
}

fn columns_of(shape: ShapeDeltas<'_>) -> [&[Vec3]; 3] {
    [shape.positions, shape.normals, shape.tangents]
}

/// The vertices that a shape changes, with their deltas.
pub(super) fn rows_of(shape: ShapeDeltas<'_>) -> impl Iterator<Item = (u32, Row)> + '_ {
    let columns = columns_of(shape);
    let rows = shape.rows.iter().enumerate();
    rows.map(move |(index, &row)| (row, columns.map(|column| column.get(index).copied().unwrap_or_default())))
}

/// Calls `visit` with the deltas of two shapes at each vertex that one of them changes.
pub(super) fn with_each(
    a: impl Iterator<Item = (u32, Row)>,
    b: impl Iterator<Item = (u32, Row)>,
    mut visit: impl FnMut(u32, Row, Row),
) {
    let (mut a, mut b) = (a.peekable(), b.peekable());
    while let Some(row) = [a.peek(), b.peek()].into_iter().flatten().map(|(row, _)| *row).min() {
        let [a, b] = [a.next_if(|it| it.0 == row), b.next_if(|it| it.0 == row)];
        visit(row, a.map_or(STILL, |(_, deltas)| deltas), b.map_or(STILL, |(_, deltas)| deltas));
    }
}

/// The fields of a target: of its own shape, then of its in-betweens.
pub(super) fn fields(target: &Target) -> impl Iterator<Item = Field> + '_ {
    target.shapes().map(Field::new)
}

/// The target with other fields, in the order of [`fields`].
pub(super) fn with_fields(target: &Target, fields: impl IntoIterator<Item = Field>) -> Target {
    let mut fields = fields.into_iter().map(Field::into_columns);
    let mut next = || fields.next().unwrap_or_default();
    let (rows, [positions, normals, tangents]) = next();
    let in_betweens = target.in_betweens.iter().map(|it| {
        let (rows, [positions, normals, tangents]) = next();
        InBetween { name: it.name.clone(), full_weight: it.full_weight, rows, positions, normals, tangents }
    });
    let in_betweens = in_betweens.collect();
    Target {
        name: target.name.clone(),
        default_weight: target.default_weight,
        rows,
        positions,
        normals,
        tangents,
        in_betweens,
        uv_color_deltas: target.uv_color_deltas.clone(),
    }
}

/// The target with the deltas of each of its shapes changed, vertex by vertex.
pub(super) fn mapped(target: &Target, mut change: impl FnMut(u32, Row) -> Row) -> Target {
    with_fields(target, fields(target).map(|field| field.map(&mut change)))
}

/// Whether two targets have in-betweens at the same weights, so that their fields belong together.
pub(super) fn have_same_in_betweens(a: &Target, b: &Target) -> bool {
    let weights = |target: &Target| target.in_betweens.iter().map(|it| it.full_weight.to_bits()).collect::<Vec<_>>();
    weights(a) == weights(b)
}
