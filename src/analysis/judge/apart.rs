//! Skin that crosses something in a combination of expressions, pushed apart along the normals as little as possible.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::combinations::Combination;
use super::intersection::{Intersection, ends};
use super::surface::Surface;
use super::triangles::Triangles;
use smirk_face::head::{Head, Role};

/// How skin has to move so that less of it crosses.
#[derive(Clone, Debug, Default)]
pub(crate) struct PushedApart {
    /// Per mesh, the vertices that move, ascending, with their deltas in mesh space; nothing moves if that does not
    /// help.
    pub deltas: Vec<Vec<(u32, Vec3)>>,
    /// The length of the lines along which something crosses, before and after, in millimetres.
    pub crossed_mm: [f32; 2],
}

/// What is further than this from all that crosses, in millimetres, stays where it is.
const REACH_MM: f32 = 12.0;

/// A search takes so many steps at most, and ends after so many that bring nothing.
const MOST_STEPS: usize = 40;
const PATIENCE: usize = 12;

/// What is pushed goes this much further than to the surface that it crosses, in millimetres.
const GAP_MM: f32 = 0.02;

/// A step against the slope: how far the point that moves most moves, in millimetres, and over how many rings of points
/// the slope is spread. The first tries less and clears most faces.
struct Steps {
    lengths_mm: &'static [f32],
    widths: &'static [usize],
}

const STEPS_DOWN: [Steps; 2] = [
    Steps { lengths_mm: &[1.5, 0.5, 0.15], widths: &[3, 24] },
    Steps { lengths_mm: &[2.0, 1.0, 0.5, 0.25], widths: &[2, 8, 32] },
];

/// No point moves further, in millimetres: a face would be another one.
const FARTHEST_MM: f32 = 6.0;

/// What a millimetre that the point moves which moves most is worth, in millimetres of the lines.
const COST_OF_LARGEST: f32 = 2.0;

/// The part of what crosses that may be left by a search without another one.
const ENOUGH: f32 = 0.1;

/// By which parts of a push its points go back to find the smallest, and over how many millimetres one that stays has
/// others stay, too.
const STEPS_BACK: [f32; 3] = [0.2, 0.06, 0.02];
const EASE_MM: f32 = 4.0;

/// Pushes apart what crosses while channels are at full weight together, and does not at rest.
///
/// Two searches take turns. The first pushes each triangle out of the one that it crosses: what is barely through
/// something takes little. Where that leaves most of it, the surfaces are through each other too far to tell which side
/// is out, and the second follows the slope of the length of the lines along which they cross (P. Volino and
/// N. Magnenat-Thalmann, Resolving Surface Collisions through Intersection Contour Minimization, 2006). Both may push
/// too far: last, each point goes back until it would cross something again.
pub(crate) fn pushed_apart(head: &Head, channels: &[usize]) -> PushedApart {
    let surface = Surface::new(head);
    let points = surface.deformed(head, &Combination { channels: channels.to_vec() }.weights(head));
    let found = surface.triangles.new_intersections(&points);
    let before_mm = length_mm(&found);
    let none = PushedApart { deltas: Vec::new(), crossed_mm: [before_mm; 2] };
    if found.is_empty() {
        return none;
    }
    let (region, numbers) = Region::around(&surface.triangles, &points, &found);
    let unmoved = region.pushed(vec![Vec3::ZERO; numbers.len()]);
    let outward = region.search(&unmoved, &[1.0], |now| vec![region.way_out(now)]);
    let start = if outward.crossed_mm < before_mm * 0.5 { &outward } else { &unmoved };
    let [usual, longer] = STEPS_DOWN;
    let mut best = region.search_down(start, usual);
    if best.crossed_mm > before_mm * ENOUGH {
        let other = region.search_down(start, longer);
        best = if other.cost < best.cost { other } else { best };
    }
    best = region.until_contact(best);
    let mut offsets = vec![Vec3::ZERO; points.len()];
    numbers.iter().zip(&best.offsets).for_each(|(&number, offset)| offsets[number as usize] = *offset);
    let moved: Vec<Vec3> = points.iter().zip(&offsets).map(|(point, offset)| *point + *offset).collect();
    // Outside of the region, too.
    let after_mm = length_mm(&surface.triangles.new_intersections(&moved));
    let helps = after_mm < before_mm * LEAST_GAIN;
    if helps { PushedApart { deltas: surface.deltas_of(&offsets), crossed_mm: [before_mm, after_mm] } } else { none }
}

/// What is left at most by a push, or of the cost by a step, that brings something.
const LEAST_GAIN: f32 = 0.98;

/// The least sine of the angle between an edge and a triangle: one that is nearly in it would say too much.
const LEAST_RISE: f64 = 0.1;

fn length_mm(found: &[Intersection]) -> f32 {
    found.iter().map(|intersection| intersection.length).sum::<f32>() + 0.0
}

/// What is near something that crosses.
struct Region {
    triangles: Triangles,
    points: Vec<Vec3>,
    /// Per point, the points at the other ends of its edges; none for one that stays: of eyes, teeth and tongue, and
    /// where the region ends.
    neighbours: Vec<Vec<u32>>,
}

/// The points of a region, pushed.
#[derive(Clone)]
struct Pushed {
    offsets: Vec<Vec3>,
    points: Vec<Vec3>,
    found: Vec<Intersection>,
    crossed_mm: f32,
    /// What a search makes small.
    cost: f32,
}

impl Pushed {
    /// How far the point moves that moves most.
    fn largest_mm(&self) -> f32 {
        self.offsets.iter().map(|offset| offset.length()).fold(0.0, f32::max)
    }
}

impl Region {
    /// The region around what crosses, and the numbers of its points in the whole surface.
    fn around(surface: &Triangles, points: &[Vec3], found: &[Intersection]) -> (Self, Vec<u32>) {
        let (triangles, numbers) = surface.near(points, found, REACH_MM);
        let mut neighbours = vec![Vec::new(); numbers.len()];
        for corners in triangles.skin() {
            for at in 0..3 {
                neighbours[corners[at] as usize].extend([corners[(at + 1) % 3], corners[(at + 2) % 3]]);
            }
        }
        let mut count = vec![0; points.len()];
        surface.skin().flatten().for_each(|point| count[point as usize] += 2);
        for (list, &number) in neighbours.iter_mut().zip(&numbers) {
            if list.len() < count[number as usize] {
                list.clear();
            }
            list.sort_unstable();
            list.dedup();
        }
        let points = numbers.iter().map(|&number| points[number as usize]).collect();
        (Self { triangles, points, neighbours }, numbers)
    }

    fn pushed(&self, mut offsets: Vec<Vec3>) -> Pushed {
        offsets.iter_mut().for_each(|offset| *offset = offset.clamp_length_max(FARTHEST_MM));
        let points: Vec<Vec3> = self.points.iter().zip(&offsets).map(|(point, offset)| *point + *offset).collect();
        let found = self.triangles.new_intersections(&points);
        let crossed_mm = length_mm(&found);
        let pushed = Pushed { crossed_mm, cost: 0.0, offsets, points, found };
        Pushed { cost: crossed_mm + pushed.largest_mm() * COST_OF_LARGEST, ..pushed }
    }

    /// The same push with each point going no further than it takes: all go back in steps, and those where something
    /// would cross again stay, with what is around them. So lids and lips that were pushed too far apart come together
    /// until they touch.
    fn until_contact(&self, push: Pushed) -> Pushed {
        let mut parts = vec![1.0_f32; push.offsets.len()];
        let mut best = push.clone();
        for step in STEPS_BACK {
            let mut stays = vec![false; parts.len()];
            loop {
                let back =
                    parts.iter().zip(&stays).map(|(part, stays)| (part - if *stays { 0.0 } else { step }).max(0.0));
                let back = self.eased(back.collect());
                if back == parts {
                    break;
                }
                let tried = self.pushed(push.offsets.iter().zip(&back).map(|(offset, part)| *offset * *part).collect());
                if tried.crossed_mm <= push.crossed_mm {
                    (parts, best) = (back, tried);
                    continue;
                }
                let crossing = tried.found.iter().flat_map(|found| found.triangles);
                let mut grew = false;
                for point in crossing.flat_map(|triangle| self.triangles.corners[triangle as usize]) {
                    grew |= !std::mem::replace(&mut stays[point as usize], true);
                }
                if !grew {
                    break;
                }
            }
        }
        best
    }

    /// Parts that fall no faster than from 1 to 0 over [`EASE_MM`].
    fn eased(&self, mut parts: Vec<f32>) -> Vec<f32> {
        loop {
            let before = parts.clone();
            for ((part, place), around) in parts.iter_mut().zip(&self.points).zip(&self.neighbours) {
                *part = around
                    .iter()
                    .map(|&point| point as usize)
                    .fold(*part, |most, point| most.max(before[point] - place.distance(self.points[point]) / EASE_MM));
            }
            if parts == before {
                return parts;
            }
        }
    }

    fn search_down(&self, start: &Pushed, steps: Steps) -> Pushed {
        self.search(start, steps.lengths_mm, |now| self.ways_down(now, steps.widths))
    }

    /// Takes the best of the ways and lengths of a step again and again, also where it leads to more that crosses for
    /// a while. Returns the best that it comes to.
    fn search(&self, start: &Pushed, lengths: &[f32], ways: impl Fn(&Pushed) -> Vec<Vec<Vec3>>) -> Pushed {
        let (mut now, mut best) = (start.clone(), start.clone());
        let mut in_vain = 0;
        for _ in 0..MOST_STEPS {
            let ways = ways(&now);
            let tried: Vec<(&Vec<Vec3>, f32)> =
                ways.iter().flat_map(|way| lengths.iter().map(move |&length| (way, length))).collect();
            let stepped = tried.into_par_iter().map(|(way, length)| {
                self.pushed(now.offsets.iter().zip(way).map(|(offset, way)| *offset + *way * length).collect())
            });
            // Of equally good ones the first, so that the result is the same every time.
            let stepped: Vec<Pushed> = stepped.collect();
            let Some(next) = stepped.into_iter().min_by(|a, b| a.cost.total_cmp(&b.cost)) else { break };
            now = next;
            in_vain = if now.cost < best.cost * LEAST_GAIN { 0 } else { in_vain + 1 };
            if now.cost < best.cost {
                best = now.clone();
            }
            if now.found.is_empty() || in_vain == PATIENCE {
                break;
            }
        }
        best
    }

    /// Where each point of a triangle has to go so that it is out of the one that it crosses. Of two of skin, both go
    /// half of the way.
    fn way_out(&self, now: &Pushed) -> Vec<Vec3> {
        let mut way = vec![Vec3::ZERO; self.points.len()];
        for &Intersection { triangles: [a, b], .. } in &now.found {
            let are_skin = [a, b].map(|triangle| self.triangles.role(triangle) == Role::Skin);
            let both = [[a, b], [b, a]].map(|[pushed, other]| self.depth(&now.points, pushed, other));
            let depth = |at: usize| both[at].map_or(f32::INFINITY, |(_, depth)| depth);
            let at = match are_skin {
                [true, false] => 0,
                [false, true] => 1,
                _ => usize::from(depth(1) < depth(0)),
            };
            let Some((normal, depth)) = both[at] else { continue };
            let are_both = are_skin == [true, true];
            let by = normal * (depth + GAP_MM) * if are_both { 0.5 } else { 1.0 };
            let [pushed, other] = if at == 0 { [a, b] } else { [b, a] };
            let moves = [(pushed, by), (other, -by)];
            for (triangle, by) in moves.into_iter().take(if are_both { 2 } else { 1 }) {
                for corner in self.triangles.corners[triangle as usize] {
                    let way = &mut way[corner as usize];
                    if by.length_squared() > way.length_squared() {
                        *way = by;
                    }
                }
            }
        }
        self.followed(way)
    }

    /// The normal of a triangle, and how far another one is behind it.
    fn depth(&self, points: &[Vec3], pushed: u32, other: u32) -> Option<(Vec3, f32)> {
        let of = |triangle: u32| self.triangles.corners[triangle as usize].map(|corner| points[corner as usize]);
        let [a, b, c] = of(other);
        let normal = (b - a).cross(c - a).try_normalize()?;
        let heights = of(pushed).map(|corner| (corner - a).dot(normal));
        Some((normal, heights.into_iter().fold(0.0_f32, |most, height| most.max(-height))))
    }

    /// Has the points around those that move follow them, each ring by a part of the one before.
    fn followed(&self, mut way: Vec<Vec3>) -> Vec<Vec3> {
        const FOLLOWED: f32 = 0.6;
        const RINGS: usize = 3;
        for _ in 0..RINGS {
            let before = way.clone();
            for (own, around) in way.iter_mut().zip(&self.neighbours) {
                let moves = around.iter().map(|&point| before[point as usize] * FOLLOWED);
                *own = moves.fold(*own, |a, b| if b.length_squared() > a.length_squared() { b } else { a });
            }
        }
        self.fixed(way)
    }

    /// Ways that make the lines shorter: against their slope, and the part of it along the normals, spread more and
    /// less. The point that moves most moves by 1.
    fn ways_down(&self, now: &Pushed, widths: &[usize]) -> Vec<Vec<Vec3>> {
        let slopes = [false, true].map(|along_normals| self.fixed(self.slope(now, along_normals)));
        let ways = widths.iter().flat_map(|&width| slopes.iter().map(move |slope| self.spread(slope, width)));
        let scaled = ways.filter_map(|way| {
            let most = way.iter().map(|it| it.length()).fold(0.0, f32::max);
            (most > 0.0 && most.is_finite()).then(|| way.into_iter().map(|it| -it / most).collect())
        });
        scaled.collect()
    }

    /// How the length of the lines grows with the place of each point. Each end of a line is where an edge goes through
    /// a triangle: with the edge, it moves along the triangle, out of the line or into it.
    fn slope(&self, now: &Pushed, along_normals: bool) -> Vec<Vec3> {
        let mut slope = vec![DVec3::ZERO; self.points.len()];
        for intersection in &now.found {
            let corners = intersection.triangles.map(|triangle| self.triangles.corners[triangle as usize]);
            let both = corners.map(|corners| corners.map(|corner| now.points[corner as usize].as_dvec3()));
            for end in ends(both).into_iter().flatten() {
                let [from, to] = end.edge.map(|corner| both[end.of][corner]);
                let through = both[1 - end.of];
                let [a, b, c] = through;
                let Some(normal) = (b - a).cross(c - a).try_normalize() else { continue };
                let along = (to - from).normalize_or_zero();
                let rise = along.dot(normal);
                let rise = rise.abs().max(LEAST_RISE).copysign(rise);
                let mut own = -normal * (end.outward.dot(along) / rise);
                if !along_normals {
                    own += end.outward;
                }
                for (corner, part) in end.edge.into_iter().zip([1.0 - end.part, end.part]) {
                    slope[corners[end.of][corner] as usize] += own * part;
                }
                for (corner, part) in corners[1 - end.of].into_iter().zip(shares(from.lerp(to, end.part), through)) {
                    slope[corner as usize] -= own * part;
                }
            }
        }
        slope.into_iter().map(|slope| slope.as_vec3()).collect()
    }

    /// Each becomes the mean of itself and of the points around it, these with the more weight the larger the width.
    fn spread(&self, given: &[Vec3], width: usize) -> Vec<Vec3> {
        let mut now = given.to_vec();
        let weight = width as f32;
        for _ in 0..width {
            let before = now.clone();
            for ((value, around), given) in now.iter_mut().zip(&self.neighbours).zip(given) {
                if !around.is_empty() {
                    let mean = around.iter().map(|&point| before[point as usize]).sum::<Vec3>() / around.len() as f32;
                    *value = (*given + mean * weight) / (1.0 + weight);
                }
            }
        }
        now
    }

    /// The same, without the points that stay.
    fn fixed(&self, mut way: Vec<Vec3>) -> Vec<Vec3> {
        way.iter_mut()
            .zip(&self.neighbours)
            .filter(|(_, around)| around.is_empty())
            .for_each(|(way, _)| *way = Vec3::ZERO);
        way
    }
}

/// The shares of the corners of a triangle in a point of it.
fn shares(at: DVec3, [a, b, c]: [DVec3; 3]) -> [f64; 3] {
    let normal = (b - a).cross(c - a);
    let area = normal.length_squared();
    let of_a = (c - b).cross(at - b).dot(normal) / area;
    let of_b = (a - c).cross(at - c).dot(normal) / area;
    [of_a, of_b, 1.0 - of_a - of_b].map(|share| share.clamp(0.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::two_sheets;

    /// The sheets overlap by 2 mm in the middle, and by less and less around it.
    #[test]
    fn an_even_push_ends_at_contact_wherever_it_was_too_far() {
        let head = two_sheets();
        let surface = Surface::new(&head);
        let points = surface.deformed(&head, &Combination { channels: vec![0, 1] }.weights(&head));
        let found = surface.triangles.new_intersections(&points);
        let (region, numbers) = Region::around(&surface.triangles, &points, &found);
        let is_upper = |point: u32| surface.rest_mm()[point as usize].z > -1.0;
        let is_near = |point: &u32| surface.rest_mm()[*point as usize].truncate().length() < 8.0;
        let away = |&point: &u32| Vec3::Z * if is_upper(point) { 3.0 } else { -3.0 };
        let pushed = region.pushed(numbers.iter().map(away).collect());
        assert!(pushed.found.is_empty() && length_mm(&found) > 30.0);
        let back = region.until_contact(pushed);
        assert!(back.found.is_empty());
        // A triangle that touches keeps its corners, which are 3 mm apart: along an edge, the overlap changes by 0.7
        // mm. An even push, as small as possible, would leave 1.9 mm at the rim.
        let near = |wants_upper: bool| {
            let both = numbers.iter().zip(&back.points);
            both.filter(move |(point, _)| is_near(point) && is_upper(**point) == wants_upper).map(|(_, place)| *place)
        };
        for lower in near(false) {
            let upper = near(true).min_by(|a, b| {
                let far = |place: &Vec3| place.truncate().distance(lower.truncate());
                far(a).total_cmp(&far(b))
            });
            let gap = upper.unwrap().z - lower.z;
            assert!((-0.6..1.2).contains(&gap), "{gap} at {lower}");
        }
    }
}
