//! Which part of a face each point of its surface belongs to, found by what moves it: materials do not tell lids from
//! lips, and on a head of one material not even eyes and teeth from skin.

use std::collections::BTreeMap;

use glam::Vec3;

use crate::moved::{BOTH_LIPS, LEAST_OF_LIPS, LOWER_LIP, UPPER_LIP, moved_by};
use smirk_face::head::{Bounds, Head, Region, Role, pieces_of};

/// A part of the skin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Part {
    Lids,
    Lips,
    /// Anything else: cheeks, brows, nose, neck.
    #[default]
    Rest,
}

/// What moves lids more than what is around them, by the names of ARKit.
const LIDS: [&str; 3] = ["eyeBlink", "eyeSquint", "eyeWide"];

/// A point belongs to lids that is moved by so much of what their shapes move the point that they move most.
const LEAST_OF_LIDS: f32 = 0.12;
/// What is moved by less than this part of it is moved by none of them.
const STILL: f32 = 0.1;

/// How far shapes move each point of a surface, as a part of how far they move any.
pub(super) struct FaceParts {
    lids: Vec<f32>,
    lips: Vec<f32>,
    tongue: Vec<f32>,
}

impl FaceParts {
    /// `moved_mm` gives how far a target (head-wide index) moves the points that it moves.
    pub(super) fn find(head: &Head, points: usize, moved_mm: impl Fn(usize) -> Vec<(u32, f32)>) -> Self {
        let moved_by = |channels: Vec<usize>| moved_by(head, &channels, points, &moved_mm);
        let named = |names: &[&str]| names.iter().flat_map(|name| head.channel_alike(name)).collect();
        let of_tongue = (0..head.channels.len()).filter(|&it| head.channels[it].region == Region::Tongue);
        Self {
            lids: moved_by(named(&LIDS)),
            lips: moved_by(named(&[UPPER_LIP, LOWER_LIP, BOTH_LIPS].concat())),
            tongue: moved_by(of_tongue.collect()),
        }
    }

    pub(super) fn part(&self, point: u32) -> Part {
        let (lids, lips) = (self.lids[point as usize], self.lips[point as usize]);
        if lids > LEAST_OF_LIDS && lids >= lips {
            Part::Lids
        } else if lips > LEAST_OF_LIPS {
            Part::Lips
        } else {
            Part::Rest
        }
    }

    /// Whether the head has shapes of lids, so that what they leave is none.
    pub(super) fn know_lids(&self) -> bool {
        self.lids.iter().any(|part| *part > 0.0)
    }

    /// The roles of triangles of skin that are eyes, teeth or a tongue, which a head of one material does not tell:
    /// pieces of their own that lie behind lids and lips, and do not move with them.
    pub(super) fn inner_roles(&self, rest_mm: &[Vec3], triangles: &[[u32; 3]], roles: &[Role]) -> Vec<(usize, Role)> {
        /// The size of an eyeball in millimetres; that of a human is 24.
        const EYE_MM: std::ops::Range<f32> = 14.0..45.0;
        /// How far behind lids and lips their inner parts are at most.
        const BEHIND_MM: f32 = 25.0;
        let knows = |role: Role| roles.contains(&role);
        let mut found = Vec::new();
        if knows(Role::Eye) && knows(Role::Teeth) {
            return found;
        }
        let mut pieces: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let piece_of = pieces_of(rest_mm.len(), triangles.iter().map(|it| it.map(|point| point as usize)));
        for (index, corners) in triangles.iter().enumerate().filter(|(index, _)| roles[*index] == Role::Skin) {
            pieces.entry(piece_of[corners[0] as usize]).or_default().push(index);
        }
        let Some(largest) = pieces.values().map(Vec::len).max() else { return found };
        let around = |parts: &[f32], least: f32, is_left: Option<bool>| {
            let middle =
                Bounds::around(rest_mm.iter().zip(parts).filter(|it| *it.1 > least).map(|it| *it.0)).center().x;
            let points = rest_mm.iter().zip(parts).filter(|(_, part)| **part > least).map(|(point, _)| *point);
            Bounds::around(points.filter(|point| is_left.is_none_or(|is_left| (point.x > middle) == is_left)))
        };
        let lids = [true, false].map(|is_left| around(&self.lids, 0.5, Some(is_left)));
        let lips = around(&self.lips, 0.5, None);
        for piece in pieces.into_values().filter(|piece| piece.len() < largest) {
            let corners = || piece.iter().flat_map(|&triangle| triangles[triangle]);
            let bounds = Bounds::around(corners().map(|point| rest_mm[point as usize]));
            let most = |parts: &[f32]| corners().map(|point| parts[point as usize]).fold(0.0, f32::max);
            let is_behind = |front: &Bounds| {
                !front.is_empty() && {
                    let (apart, half) = ((bounds.center() - front.center()).abs(), front.size() * 0.5);
                    apart.x < half.x + 0.2 * BEHIND_MM
                        && apart.y < half.y + BEHIND_MM
                        && apart.z < half.z + 2.0 * BEHIND_MM
                }
            };
            let size = bounds.size();
            let is_round = EYE_MM.contains(&size.min_element()) && size.max_element() < 1.6 * size.min_element();
            let role = if !knows(Role::Eye) && is_round && most(&self.lids) < STILL && lids.iter().any(is_behind) {
                Role::Eye
            } else if most(&self.tongue) > 0.5 && is_behind(&lips) {
                Role::Tongue
            } else if !knows(Role::Teeth) && most(&self.lips) < LEAST_OF_LIPS && is_behind(&lips) {
                Role::Teeth
            } else {
                continue;
            };
            found.extend(piece.into_iter().map(|triangle| (triangle, role)));
        }
        found
    }
}
