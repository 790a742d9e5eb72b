//! The slit of the mouth on a picture of depth, and the profile of the face.

use glam::DVec3;

use super::TransferError;
use super::landmarks::{Edges, Landmarks, Picture, curve};
use super::sheet::{Graph, Triangle};
use smirk_face::head::Landmark;

/// The slit is the deepest valley between nose and chin, traced from the middle outward.
pub(super) fn find(picture: &Picture<'_>, found: &mut Landmarks) -> Result<(), TransferError> {
    let depths = Depths::new(picture);
    let slit = Slit::trace(picture, &depths).ok_or(TransferError::NoMouth)?;
    slit.set_lips(picture, found)?;
    profile(picture, found).ok_or(TransferError::NoMouth)?;
    sides(picture, &depths, found);
    Ok(())
}

/// The depth of each pixel; that of the farthest where nothing is.
struct Depths {
    width: usize,
    height: usize,
    values: Vec<f64>,
}

impl Depths {
    fn new(picture: &Picture<'_>) -> Self {
        let raster = picture.raster;
        let farthest = raster
            .depths
            .iter()
            .filter(|depth| depth.is_finite())
            .fold(f64::INFINITY, |least, depth| least.min(*depth));
        let values = raster.depths.iter().map(|depth| if depth.is_finite() { *depth } else { farthest });
        Self { width: raster.width, height: raster.height, values: values.collect() }
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row.min(self.height - 1) * self.width + column.min(self.width - 1)]
    }
}

/// The valley where the lips meet: a row per column of a box about it.
struct Slit {
    /// The first column of the box, and the row in the picture of each column's valley.
    first_column: usize,
    rows: Vec<usize>,
    /// The columns of the corners, in the box.
    right: usize,
    left: usize,
    /// Pixels of the lower of two that are neighbours in the picture and far apart on the surface:
    /// `hits[row * columns + column]`, rows from `first_row`.
    first_row: usize,
    hits: Vec<bool>,
    columns: usize,
    strength: f64,
    /// The reach of a look up and down, in pixels.
    reach: usize,
    /// Where the surface of the upper lip goes over into that of the lower one, at the right and at the left.
    ends: [Option<DVec3>; 2],
}

/// A step to the next row costs this much depth.
const STEP: f64 = 0.15;

impl Slit {
    fn trace(picture: &Picture<'_>, depths: &Depths) -> Option<Self> {
        let Picture { raster, origin, unit, .. } = *picture;
        let middle = raster.column(origin.x);
        let profile: Vec<f64> = (0..depths.height)
            .map(|row| (middle.saturating_sub(1)..=middle + 1).map(|it| depths.at(row, it)).fold(f64::MIN, f64::max))
            .collect();
        let (top, low) = (raster.row(origin.y - 0.1 * unit), raster.row(origin.y - 1.1 * unit));
        let tip = low + first_of_most(profile.get(low..top)?)?;
        // The chin ends where depth falls by 0.22 units within 0.2 units of height; nose and lips fall less.
        let fall = picture.pixels(0.2);
        let is_end = |&row: &usize| profile[row + fall] - profile[row] > 0.22 * unit;
        let least = tip.checked_sub(picture.pixels(0.5) + fall)?;
        let end = (0..least).rev().find(is_end);
        let chin = end.map_or(tip.checked_sub(picture.pixels(1.2)), |row| Some(row + picture.pixels(0.1625)))?;
        let height = (tip - chin) as f64;
        let rows = tip - (0.66 * height) as usize..tip - (0.26 * height) as usize;
        let columns = raster.column(origin.x - 0.6 * unit)..raster.column(origin.x + 0.6 * unit);
        let reach = picture.pixels(0.035).max(3);
        let graph = Graph::new(&picture.head.points, picture.triangles);
        let hits = slit_pixels(picture, &graph, rows.clone(), columns.clone());
        let concavity = |row: usize, column: usize| {
            let looks = [reach / 2 + 1, reach, 2 * reach].map(|look| {
                let bend = depths.at(row + look, column) + depths.at(row.saturating_sub(look), column)
                    - 2.0 * depths.at(row, column);
                bend / (look as f64 * raster.view.pixel)
            });
            looks.into_iter().fold(0.0, f64::max)
        };
        let count = columns.len();
        let mut valley = Vec::with_capacity(rows.len());
        for (at, row) in rows.clone().enumerate() {
            let of_row = columns.clone().enumerate().map(|(place, column)| {
                let open = if hits[at * count + place] { 1.0 } else { 0.0 };
                (concavity(row, column) + open).clamp(-0.2, 2.5)
            });
            valley.push(of_row.collect::<Vec<f64>>());
        }
        let center = middle.checked_sub(columns.start)?;
        let keep = picture.pixels(0.25);
        if valley.len() < 8 || center < keep + 2 || center + keep + 2 >= count {
            return None;
        }
        let line = trace_line(&valley, center, keep);
        let height = valley.len();
        let strengths: Vec<f64> = (0..count)
            .map(|column| {
                let near = line[column].saturating_sub(1)..(line[column] + 2).min(height);
                near.map(|row| valley[row][column]).fold(f64::MIN, f64::max)
            })
            .collect();
        let strengths: Vec<f64> = (0..count)
            .map(|column| {
                (column.saturating_sub(2)..(column + 3).min(count)).map(|it| strengths[it]).sum::<f64>() / 5.0
            })
            .collect();
        let near_middle = picture.pixels(0.15);
        let mut of_middle: Vec<f64> =
            strengths[center.saturating_sub(near_middle)..(center + near_middle).min(count)].to_vec();
        of_middle.sort_unstable_by(f64::total_cmp);
        let strength = of_middle[of_middle.len() / 2];
        let least = (0.2 * strength).max(0.18);
        let mut slit = Self {
            first_column: columns.start,
            rows: line.iter().map(|row| row + rows.start).collect(),
            right: corner(&strengths, least, center, false),
            left: corner(&strengths, least, center, true),
            first_row: rows.start,
            hits,
            columns: count,
            strength,
            reach,
            ends: [None; 2],
        };
        // Where the surface is really open the corner is known: at most 0.05 units beyond the last such column.
        let open: Vec<usize> = (0..count).filter(|&column| !slit.hit_rows(column).is_empty()).collect();
        if let (Some(&first), Some(&last)) = (open.first(), open.last())
            && last - first > picture.pixels(0.35)
        {
            let beyond = picture.pixels(0.05);
            slit.right = slit.right.max(first.saturating_sub(beyond));
            slit.left = slit.left.min(last + beyond);
            slit.ends =
                [(first, false), (last, true)].map(|(column, is_left)| slit.end(picture, &graph, column, is_left));
        }
        let is_wide = slit.left.saturating_sub(slit.right) >= picture.pixels(0.3);
        (strength >= Landmarks::LEAST_SLIT && is_wide).then_some(slit)
    }

    /// The rows, in the picture, of the open pixels near the line at a column of the box.
    fn hit_rows(&self, column: usize) -> Vec<usize> {
        let rows = self.hits.len() / self.columns;
        let line = self.rows[column] - self.first_row;
        let near = line.saturating_sub(2 * self.reach)..(line + 2 * self.reach).min(rows);
        near.filter(|row| self.hits[row * self.columns + column]).map(|row| row + self.first_row).collect()
    }

    /// The end of the slit beyond an open column: the shortest way from the upper lip to the lower one leads round it.
    fn end(&self, picture: &Picture<'_>, graph: &Graph, column: usize, is_left: bool) -> Option<DVec3> {
        /// In units: how long that way may be, and how far its end may be from the corner that is seen.
        const LONGEST: f64 = 0.6;
        const FARTHEST: f64 = 0.12;
        let Picture { head, raster, triangles, unit, .. } = *picture;
        let place = |point: u32| head.points[point as usize];
        let nearest = |row: usize| {
            let seen = raster.point(row, column + self.first_column)?;
            let corners = triangles[raster.triangle(row, column + self.first_column)? as usize].into_iter();
            corners.min_by(|&a, &b| place(a).distance_squared(seen).total_cmp(&place(b).distance_squared(seen)))
        };
        let rows = self.hit_rows(column);
        let (upper, lower) = (nearest(rows.last()? + 1)?, nearest(*rows.first()?)?);
        let ways = graph.distances([upper], LONGEST * unit);
        let outward = |point: u32| if is_left { place(point).x } else { -place(point).x };
        let (mut at, mut end) = (lower, lower);
        while at != upper {
            let way = |(point, length): &(u32, f64)| ways[*point as usize] + length;
            let &(next, _) = graph.around(at).iter().min_by(|a, b| way(a).total_cmp(&way(b)))?;
            if ways[next as usize] >= ways[at as usize] {
                return None;
            }
            at = next;
            end = if outward(at) > outward(end) { at } else { end };
        }
        let seen = raster.x_of(self.first_column + if is_left { self.left } else { self.right });
        ((place(end).x - seen).abs() < FARTHEST * unit).then(|| place(end))
    }

    fn set_lips(&self, picture: &Picture<'_>, found: &mut Landmarks) -> Result<(), TransferError> {
        let raster = picture.raster;
        let apart = picture.pixels(0.02).max(2);
        let (mut upper, mut lower) = (Vec::new(), Vec::new());
        for column in self.right..=self.left {
            let open = self.hit_rows(column);
            let (above, below) = match (open.first(), open.last()) {
                (Some(first), Some(last)) => (last + 1 + apart / 2, first.saturating_sub(apart / 2)),
                _ => (self.rows[column] + apart, self.rows[column].saturating_sub(apart)),
            };
            upper.extend(raster.point(above, column + self.first_column));
            lower.extend(raster.point(below, column + self.first_column));
        }
        let corner = |column: usize| raster.point(self.rows[column], column + self.first_column);
        let [right, left] = self.ends;
        let (Some(right), Some(left)) = (right.or_else(|| corner(self.right)), left.or_else(|| corner(self.left)))
        else {
            return Err(TransferError::NoMouth);
        };
        // The lips end at the corners, also where the slit was followed beyond them.
        for lip in [&mut upper, &mut lower] {
            lip.retain(|place| (right.x..left.x).contains(&place.x));
            if lip.len() < 8 {
                return Err(TransferError::NoMouth);
            }
        }
        found.set(Landmark::MouthRight, Some(right));
        found.set(Landmark::MouthLeft, Some(left));
        found.lips = Edges { upper: curve(upper, right, left, 13), lower: curve(lower, right, left, 13) };
        found.slit_strength = self.strength;
        Ok(())
    }
}

impl Landmarks {
    /// A mouth whose slit is weaker is none: it is painted.
    pub(super) const LEAST_SLIT: f64 = 0.3;
}

/// The index of the first of the largest values.
fn first_of_most(values: &[f64]) -> Option<usize> {
    (0..values.len()).reduce(|best, at| if values[at] > values[best] { at } else { best })
}

fn first_of_least(values: &[f64]) -> Option<usize> {
    (0..values.len()).reduce(|best, at| if values[at] < values[best] { at } else { best })
}

/// The row of the valley in each column: its start is where the best paths to both sides are worth most; from there it
/// goes outward, looking some columns ahead.
fn trace_line(valley: &[Vec<f64>], center: usize, keep: usize) -> Vec<usize> {
    let (height, count) = (valley.len(), valley[0].len());
    let mut worth = vec![0.0; height];
    for is_left in [true, false] {
        let column = |step: usize| if is_left { center + step } else { center - step };
        let mut to_go: Vec<f64> = (0..height).map(|row| valley[row][column(keep)]).collect();
        for step in (0..keep).rev() {
            let before = to_go.clone();
            for (row, to_go) in to_go.iter_mut().enumerate() {
                let below = row.checked_sub(1).map_or(f64::MIN, |row| before[row] - STEP);
                let above = before.get(row + 1).map_or(f64::MIN, |value| value - STEP);
                *to_go = before[row].max(below).max(above) + valley[row][column(step)];
            }
        }
        worth.iter_mut().zip(to_go).for_each(|(worth, to_go)| *worth += to_go);
    }
    let start = first_of_most(&worth).unwrap_or(0);
    let mut line = vec![start; count];
    for is_left in [true, false] {
        let columns: Vec<usize> = if is_left { (center..count).collect() } else { (0..=center).rev().collect() };
        let mut row = start;
        for at in 1..columns.len() {
            let ahead = &columns[at..columns.len().min(at + 12)];
            let worth = |candidate: usize| {
                let near = candidate.saturating_sub(2)..(candidate + 3).min(height);
                let best = ahead.iter().map(|&it| near.clone().map(|row| valley[row][it]).fold(f64::MIN, f64::max));
                let step = if candidate == row { 0.0 } else { 0.1 };
                valley[candidate][columns[at]] + 0.5 * best.sum::<f64>() / ahead.len() as f64 - step
            };
            let candidates = row.saturating_sub(1)..=(row + 1).min(height - 1);
            row = candidates.reduce(|best, it| if worth(it) > worth(best) { it } else { best }).unwrap_or(row);
            line[columns[at]] = row;
        }
    }
    line
}

/// The column where the valley ends: the last before six that are too shallow.
fn corner(strengths: &[f64], least: f64, center: usize, is_left: bool) -> usize {
    let (mut last, mut misses) = (center, 0);
    let columns: Vec<usize> =
        if is_left { (center + 1..strengths.len()).collect() } else { (0..center).rev().collect() };
    for column in columns {
        if strengths[column] < least {
            misses += 1;
        } else {
            (misses, last) = (0, column);
        }
        if misses == 6 {
            break;
        }
    }
    last
}

/// Per pixel of a box, whether it and the one above it are far apart on the surface, and near each other in space.
fn slit_pixels(
    picture: &Picture<'_>,
    graph: &Graph,
    rows: std::ops::Range<usize>,
    columns: std::ops::Range<usize>,
) -> Vec<bool> {
    let Picture { head, raster, triangles, unit, .. } = *picture;
    let shares = |a: Triangle, b: Triangle| a.iter().any(|corner| b.contains(corner));
    let mut hits = vec![false; rows.len() * columns.len()];
    // By the first corner of the upper triangle: pixels and what they ask for.
    let mut asked: std::collections::BTreeMap<u32, Vec<(usize, u32, f64)>> = std::collections::BTreeMap::new();
    for (at, row) in rows.enumerate() {
        for (place, column) in columns.clone().enumerate() {
            let (Some(upper), Some(lower)) = (raster.triangle(row + 1, column), raster.triangle(row, column)) else {
                continue;
            };
            let corners = [upper, lower].map(|triangle| triangles[triangle as usize]);
            if picture.is_eye(row + 1, column) || picture.is_eye(row, column) || shares(corners[0], corners[1]) {
                continue;
            }
            let places = [raster.point(row + 1, column), raster.point(row, column)];
            let [Some(above), Some(below)] = places else { continue };
            let [first, second] = corners.map(|corners| corners[0]);
            let apart = head.points[first as usize].distance(head.points[second as usize]);
            // Farther along the surface than both is a slit.
            let least = (0.09 * unit).max(2.2 * above.distance(below).max(apart)).min(1.2 * unit);
            asked.entry(first).or_default().push((at * columns.len() + place, second, least));
        }
    }
    for (first, pixels) in asked {
        let limit = pixels.iter().fold(0.0, |most: f64, (.., least)| most.max(*least));
        let mut is_near = vec![false; pixels.len()];
        let mut open = pixels.len();
        graph.search([first], limit, |point, distance| {
            for (near, (_, second, least)) in is_near.iter_mut().zip(&pixels) {
                if point == *second {
                    *near = distance <= *least;
                    open -= 1;
                }
            }
            open == 0
        });
        for ((pixel, ..), _) in pixels.iter().zip(is_near).filter(|(_, near)| !near) {
            hits[*pixel] = true;
        }
    }
    hits
}

/// The points of the profile, from the nasion to the chin.
fn profile(picture: &Picture<'_>, found: &mut Landmarks) -> Option<()> {
    let Picture { raster, origin, unit, .. } = *picture;
    let middle = raster.column(origin.x);
    let depths: Vec<f64> = (0..raster.height)
        .map(|row| {
            let near = (middle.saturating_sub(2)..=middle + 2).filter_map(|column| raster.depth(row, column));
            near.fold(f64::NEG_INFINITY, f64::max)
        })
        .collect();
    let place =
        |row: usize| Some(DVec3::new(origin.x, raster.y_of(row), depths[row])).filter(|place| place.is_finite());
    let slit = raster.row((found.lips.upper[6].y + found.lips.lower[6].y) / 2.0);
    let top = raster.row(origin.y - 0.05 * unit);
    let tip = slit + first_of_most(depths.get(slit..top)?)?;
    found.set(Landmark::NoseTip, place(tip));
    found.set(Landmark::Nasion, place(tip + first_of_least(depths.get(tip..raster.row(origin.y + 0.35 * unit))?)?));
    // The deepest point between the lip and the tip, but not in the slit itself.
    let above = depths.get(slit + 3..tip)?;
    let lip = first_of_most(&above[..(above.len() / 2).max(3).min(above.len())])?;
    let subnasale = slit + 3 + lip + first_of_least(&above[lip..])?;
    found.set(Landmark::Subnasale, place(subnasale));
    found.set(Landmark::UpperLip, place(slit + 3 + lip));
    // Below the lower lip: the sulcus, then the chin.
    let start = slit.checked_sub(3)?;
    let below: Vec<f64> = (raster.row(origin.y - 2.5 * unit)..start).rev().map(|row| depths[row]).collect();
    let lip = first_of_most(&below[..picture.pixels(0.22).min(below.len())])?;
    found.set(Landmark::LowerLip, place(start - 1 - lip));
    // The chin ends where depth falls much within few pixels.
    let step = picture.pixels(0.05);
    let is_end = |&at: &usize| below[at] - below[at + step] > 0.11 * unit;
    let end = (lip..below.len().checked_sub(step)?).find(is_end);
    let end = end.map_or(lip + picture.pixels(0.9), |at| at + step / 2).min(below.len());
    let to = lip + ((end.saturating_sub(lip)) * 6 / 10).max(4);
    let sulcus = lip + first_of_least(below.get(lip..to.min(below.len()))?)?;
    let chin = sulcus + first_of_most(below.get(sulcus..end.max(sulcus + 2).min(below.len()))?)?;
    found.set(Landmark::Sulcus, place(start - 1 - sulcus));
    found.set(Landmark::Chin, place(start - 1 - chin));
    found.set(Landmark::Menton, place((start - 1).checked_sub(end.saturating_sub(4).max(chin))?));
    // The wings: the steep end of depth beside the tip, between it and the subnasale.
    let row = (0.6 * subnasale as f64 + 0.4 * tip as f64).round() as usize;
    for (landmark, is_left) in [(Landmark::NoseWingLeft, true), (Landmark::NoseWingRight, false)] {
        let column = |step: usize| if is_left { middle + step } else { middle.saturating_sub(step) };
        let count = picture.pixels(0.45);
        let across: Vec<f64> = (0..count).map(|step| raster.depth(row, column(step)).unwrap_or(0.0)).collect();
        let smooth: Vec<f64> = (0..count)
            .map(|at| (at.saturating_sub(1)..(at + 2).min(count)).map(|it| across[it]).sum::<f64>() / 3.0)
            .collect();
        let is_end = |&at: &usize| {
            smooth[at + 1] - smooth[at] > -0.15 * raster.view.pixel && smooth[at + 1] < smooth[0] - 0.12 * unit
        };
        let end = (picture.pixels(0.08) + 1..count - 1).find(is_end).unwrap_or(picture.pixels(0.25));
        found.set(landmark, raster.point(row, column(end)));
    }
    Some(())
}

/// Where the surface turns away, at the heights of the mouth and of the nose.
fn sides(picture: &Picture<'_>, depths: &Depths, found: &mut Landmarks) {
    let Picture { raster, origin, unit, .. } = *picture;
    let middle = raster.column(origin.x);
    let heights = [
        (Landmark::MouthLeft, [Landmark::SideOfMouthLeft, Landmark::SideOfMouthRight]),
        (Landmark::NoseTip, [Landmark::SideOfNoseLeft, Landmark::SideOfNoseRight]),
    ];
    for (of, [left, right]) in heights {
        let Some(row) = found.point(of).map(|place| raster.row(place.y)) else { continue };
        for (landmark, is_left) in [(left, true), (right, false)] {
            let column = |step: usize| if is_left { middle + step } else { middle.saturating_sub(step) };
            let is_steep = |&step: &usize| {
                let (before, after) = (depths.at(row, column(step - 1)), depths.at(row, column(step + 1)));
                before - after > 1.3 * 2.0 * raster.view.pixel
            };
            let steps = picture.pixels(0.55) + 1..raster.width.saturating_sub(middle + 1).min(middle);
            let found_at = steps.clone().find(is_steep).and_then(|step| raster.point(row, column(step)));
            found.set(landmark, found_at.filter(|place| (place.x - origin.x).abs() < 2.0 * unit));
        }
    }
}
