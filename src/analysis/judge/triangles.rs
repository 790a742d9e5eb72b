//! Triangles that can cross each other: those of a whole head, or of a part of it.

use std::collections::{HashMap, HashSet};

use glam::Vec3;

use super::intersection::{Intersection, intersections};
use crate::tree::{Extent, Tree};
use smirk_face::head::Role;

/// What goes less far through something, in millimetres, is not seen: lips and lids that close touch each other.
const SHALLOW_MM: f32 = 0.15;

#[derive(Debug, Default)]
pub(super) struct Triangles {
    /// Indices of points.
    pub corners: Vec<[u32; 3]>,
    pub roles: Vec<Role>,
    /// The triangles that cross something at rest, and the role of what they cross.
    at_rest: HashSet<(u32, Role)>,
}

impl Triangles {
    pub(super) fn role(&self, triangle: u32) -> Role {
        self.roles[triangle as usize]
    }

    /// What crosses while the points are at these places is no news from now on.
    pub(super) fn rest_at(&mut self, points: &[Vec3]) {
        let found = self.intersections(points);
        self.at_rest = found.iter().flat_map(|intersection| self.crossed_by(intersection.triangles)).collect();
    }

    fn intersections(&self, points: &[Vec3]) -> Vec<Intersection> {
        // Teeth stand in the gums, and eyes in their sockets.
        intersections(points, &self.corners, |a, b| [self.role(a), self.role(b)].contains(&Role::Skin))
    }

    /// Each of two triangles that is skin, with the role of the other.
    fn crossed_by(&self, [a, b]: [u32; 2]) -> impl Iterator<Item = (u32, Role)> + use<'_> {
        let both = [(a, self.role(b)), (b, self.role(a))].into_iter();
        both.filter(|(triangle, _)| self.role(*triangle) == Role::Skin)
    }

    /// The pairs of triangles that cross visibly, of which the skin does not cross the like at rest: a lid whose rim
    /// lies in the eye does so wherever the eye looks.
    pub(super) fn new_intersections(&self, points: &[Vec3]) -> Vec<Intersection> {
        let mut found = self.intersections(points);
        found.retain(|found| {
            found.depth > SHALLOW_MM && !self.crossed_by(found.triangles).any(|it| self.at_rest.contains(&it))
        });
        found
    }

    pub(super) fn skin(&self) -> impl Iterator<Item = [u32; 3]> + '_ {
        self.corners.iter().zip(&self.roles).filter(|(_, role)| **role == Role::Skin).map(|(corners, _)| *corners)
    }

    /// The triangles with a corner within a distance of those that cross. Their points are numbered anew: also returns
    /// the numbers that these had.
    pub(super) fn near(&self, points: &[Vec3], found: &[Intersection], mm: f32) -> (Self, Vec<u32>) {
        let crossing = found.iter().flat_map(|it| it.triangles).flat_map(|it| self.corners[it as usize]);
        let crossing: Vec<Vec3> = crossing.map(|point| points[point as usize]).collect();
        let tree = Tree::new(crossing.iter().map(|&place| Extent::around([place])).collect());
        let limit = f64::from(mm * mm);
        let is_near = points.iter().map(|&place| {
            tree.nearest(place, limit, |item| Some(f64::from(crossing[item as usize].distance_squared(place))))
                .is_some()
        });
        let is_near: Vec<bool> = is_near.collect();
        let mut old_points = Vec::new();
        let mut new_points: HashMap<u32, u32> = HashMap::new();
        let mut part = Self::default();
        for ((triangle, corners), &role) in (0..).zip(&self.corners).zip(&self.roles) {
            if !corners.iter().any(|corner| is_near[*corner as usize]) {
                continue;
            }
            let number = part.corners.len() as u32;
            part.corners.push(corners.map(|corner| {
                *new_points.entry(corner).or_insert_with(|| {
                    old_points.push(corner);
                    old_points.len() as u32 - 1
                })
            }));
            part.roles.push(role);
            let roles = [Role::Skin, Role::Eye, Role::Teeth, Role::Tongue];
            let crossed = roles.into_iter().filter(|role| self.at_rest.contains(&(triangle, *role)));
            part.at_rest.extend(crossed.map(|role| (number, role)));
        }
        (part, old_points)
    }
}
