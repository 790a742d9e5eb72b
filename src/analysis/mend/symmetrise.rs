//! Shapes that are their own mirror images, or those of each other.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Reason;
use super::field::{fields, have_same_in_betweens, mapped, with_fields};
use super::mirror::{Image, Shape, have_one_set_of_in_betweens, targets_of, write};
use super::plan::{Plan, Scope};
use smirk_face::head::Target;

/// A shape of both sides becomes the mean of itself and its mirror image; the shapes of two sides become mirror images
/// of each other, from the mean of both. Vertices without a mirror image stay as they were, and are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Symmetrise {}

impl Symmetrise {
    pub(super) fn plan(self, scope: &Scope<'_>) -> Plan {
        let Some(map) = scope.surface.mirror(scope.head) else { return Plan::refusing(Reason::NoPlane) };
        let mut plan = Plan::default();
        let mut done = BTreeSet::new();
        for &channel in &scope.shapes {
            let other = scope.other_side(channel).unwrap_or(channel);
            if !done.insert(channel) || !done.insert(other) && other != channel {
                continue;
            }
            let (own, others) = (targets_of(scope, channel), targets_of(scope, other));
            let both_ways = own.values().all(|a| others.values().all(|b| have_same_in_betweens(a, b)));
            if !have_one_set_of_in_betweens(&own) || !both_ways {
                plan.refuse(scope, channel, Reason::OtherInBetweens(scope.name(other).to_owned()));
                continue;
            }
            let image = Image::new(scope, &map, &others);
            plan.unmatched += image.unmatched;
            let meshes: BTreeSet<usize> = own.keys().copied().chain(image.meshes()).collect();
            let mean = meshes.into_iter().map(|mesh| {
                let own = own.get(&mesh);
                // Where there is no image, it is the shape itself, so that the mean is it too.
                let image = image.on_mesh(scope, &map, mesh, own);
                // A mesh without the shape does not move in it.
                let half = || mapped(&image, |_, row| row.map(|delta| delta * 0.5));
                (mesh, own.map_or_else(half, |own| mean_of(own, &image)))
            });
            let mean: Shape = mean.collect();
            for (&mesh, mean) in &mean {
                write(scope, mesh, Some(channel), scope.name(channel), mean.clone(), &mut plan);
            }
            if other != channel {
                Image::new(scope, &map, &mean).write(scope, &map, Some(other), scope.name(other), &mut plan);
            }
        }
        plan
    }
}

fn mean_of(own: &Target, image: &Target) -> Target {
    let mean = fields(own)
        .zip(fields(image))
        .map(|(own, image)| own.zip(&image, |_, own, image| std::array::from_fn(|at| (own[at] + image[at]) * 0.5)));
    with_fields(own, mean)
}
