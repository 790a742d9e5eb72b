//! Divides a head into draw calls: ranges of indices, each with its kind of surface and its material, in drawing order.

use std::collections::BTreeSet;
use std::ops::Range;

use glam::{Mat4, Vec3};

use super::simplified::SimplifiedHead;
use crate::render::surface::{Alpha, AlphaPass, AlphaRange, SurfaceKind, queue_of};
use smirk_base::counting_sort::by_key;
use smirk_face::head::{Head, Mesh, RigPose, Role, ShapeDeltas, ShapeMix};
use smirk_graphics::blend::VertexOrder;
use smirk_graphics::gpu::Gpu;
use smirk_scene::{MeshSet, Scene, scalps};

/// Which parts of a head are drawn, and in which of its materials.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choices<'a> {
    /// The material variant.
    pub variant: Option<usize>,
    /// The role of each material.
    pub roles: &'a [Role],
    /// Meshes that are not drawn.
    pub hidden: MeshSet,
    /// Hair, lashes and brows are not drawn.
    pub isolates_face: bool,
    /// Meshes of hair that are drawn nevertheless.
    pub scalps: MeshSet,
    /// The head with fewer triangles, if there are to be draws of it too.
    pub simplified: Option<&'a SimplifiedHead>,
}

impl<'a> Choices<'a> {
    /// The whole head, with these roles of its materials.
    pub(crate) fn whole(roles: &'a [Role]) -> Self {
        let (hidden, scalps) = (MeshSet::default(), MeshSet::default());
        Self { variant: None, roles, hidden, isolates_face: false, scalps, simplified: None }
    }

    pub(crate) fn for_scene(scene: &'a Scene, simplified: Option<&'a SimplifiedHead>) -> Self {
        let look = &scene.look;
        Self {
            variant: look.variant,
            roles: scene.head.roles_or(&scene.roles),
            hidden: look.hidden,
            isolates_face: look.isolates_face,
            scalps: scalps(&scene.head),
            simplified,
        }
    }

    /// Whether parts of a mesh whose materials have this role are drawn.
    pub(crate) fn shows(&self, mesh: usize, role: Role) -> bool {
        let is_scalp = role == Role::Hair && self.scalps.contains(mesh);
        let is_left_out = self.isolates_face && matches!(role, Role::Hair | Role::Lash) && !is_scalp;
        !is_left_out && !self.hidden.contains(mesh)
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DrawCall {
    /// Index into [`Asset::meshes`](smirk_face::head::Asset::meshes).
    pub mesh: usize,
    /// Index into [`Asset::materials`](smirk_face::head::Asset::materials).
    pub material: usize,
    /// The kind of surface, which determines the pipeline.
    pub surface: SurfaceKind,
    /// A range of the head-wide index buffer.
    pub indices: Range<u32>,
    /// The range of the same with fewer triangles, if there is one.
    pub simplified: Option<Range<u32>>,
    /// Whether its mesh has targets.
    pub morphs: bool,
    pub passes: Vec<AlphaPass>,
    /// See [`queue_of`].
    pub queue: i32,
    /// The index of the part of the mesh that it draws, or of the first one if it draws several.
    pub part: usize,
    /// The center of its triangles, which is used only if it is blended.
    pub center: Center,
}

/// All kinds of surface that a head has in any of its variants, with these roles of its materials, each with a pass
/// that draws it and with whether its mesh has targets.
pub(crate) fn surfaces(head: &Head, roles: &[Role]) -> BTreeSet<(SurfaceKind, AlphaPass, bool)> {
    let mut surfaces = BTreeSet::new();
    // Variants of thousands of parts mostly give them the same few materials.
    let mut parts = BTreeSet::new();
    for (index, mesh) in head.meshes.iter().enumerate() {
        parts.extend((0..mesh.parts.len()).map(|part| (index, part, head.material_of(index, part, None))));
    }
    for (variant, choices) in head.variants.iter().enumerate() {
        let chosen = choices.materials.keys();
        parts.extend(chosen.map(|&(mesh, part)| (mesh, part, head.material_of(mesh, part, Some(variant)))));
    }
    for (index, part, material) in parts {
        let role = roles[material];
        let (mesh, material) = (&head.meshes[index], &head.materials[material]);
        let Some(triangles) = mesh.parts.get(part).map(|part| mesh.triangles_of(part)) else { continue };
        let range = AlphaRange::over(head, mesh, triangles, material);
        let surface = SurfaceKind::new(head, index, part, material, role, range);
        surfaces
            .extend(surface.passes(range, material).into_iter().map(|pass| (surface, pass, !mesh.targets.is_empty())));
    }
    surfaces
}

/// The head's indices, as places in the head-wide array, those of the simplified head after all others, and the draws
/// of what is shown: opaque, then masked, then blended ones.
///
/// `place_of(mesh, vertex)` gives a vertex's place. Triangles of meshes that `rig_pose` mirrors are reversed, so that
/// "counter-clockwise is the front" holds for all of them.
pub(super) fn indices_and_draws(
    head: &Head,
    rig_pose: &RigPose,
    choices: Choices<'_>,
    place_of: impl Fn(usize, usize) -> u32,
) -> (Vec<u32>, Vec<DrawCall>) {
    let mut indices = Vec::with_capacity(head.meshes.iter().map(|mesh| mesh.indices.len()).sum());
    let mut simplified = Vec::new();
    let mut draws = Vec::<DrawCall>::new();
    for (mesh_index, mesh) in head.meshes.iter().enumerate() {
        let is_mirrored = rig_pose.is_mirrored(mesh);
        for (part_index, part) in mesh.parts.iter().enumerate() {
            let triangles = mesh.triangles_of(part);
            let material = head.material_of(mesh_index, part_index, choices.variant);
            let role = choices.roles[material];
            if triangles.is_empty() || !choices.shows(mesh_index, role) {
                continue;
            }
            let range = AlphaRange::over(head, mesh, triangles, &head.materials[material]);
            let surface = SurfaceKind::new(head, mesh_index, part_index, &head.materials[material], role, range);
            let add = |triangles: &[u32], indices: &mut Vec<u32>| {
                let first = indices.len();
                indices.extend(triangles.iter().map(|&vertex| place_of(mesh_index, vertex as usize)));
                let (triangles, _) = indices[first..].as_chunks_mut::<3>();
                if is_mirrored {
                    triangles.iter_mut().for_each(|triangle| triangle.swap(1, 2));
                }
                if surface.alpha != Alpha::Blended {
                    // Sorts triangles so that neighbours follow each other and their vertices are still in the cache:
                    // on a software adapter, the vertex stage then runs a third less often. Blended triangles stay in
                    // the file's order, because their order is visible.
                    sort(triangles);
                }
                first as u32..indices.len() as u32
            };
            // A lash is thinner than what simplifying leaves out, and an eye is closer to what lies on it, such as the
            // shade of the lids.
            let is_simplified = surface.alpha == Alpha::Opaque && !matches!(role, Role::Lash | Role::Eye);
            let fewer = choices.simplified.filter(|_| is_simplified);
            let fewer = fewer.map(|head| head.triangles_of(mesh_index, part_index));
            let draw = DrawCall {
                mesh: mesh_index,
                material,
                surface,
                indices: add(triangles, &mut indices),
                simplified: fewer.map(|triangles| add(triangles, &mut simplified)),
                morphs: !mesh.targets.is_empty(),
                passes: surface.passes(range, &head.materials[material]),
                queue: queue_of(&head.materials[material]),
                part: part_index,
                center: match surface.alpha {
                    Alpha::Blended => Center::new(mesh, triangles, rig_pose),
                    Alpha::Opaque | Alpha::Masked => Center::default(),
                },
            };
            match draws.last_mut() {
                // Blended parts are not merged, because each is sorted back to front by itself.
                Some(last)
                    if last.mesh == draw.mesh
                        && last.material == draw.material
                        && last.surface == draw.surface
                        && draw.surface.alpha != Alpha::Blended =>
                {
                    last.indices.end = draw.indices.end;
                    if let (Some(last), Some(draw)) = (&mut last.simplified, draw.simplified) {
                        last.end = draw.end;
                    }
                }
                _ => draws.push(draw),
            }
        }
    }
    let first = indices.len() as u32;
    for range in draws.iter_mut().filter_map(|draw| draw.simplified.as_mut()) {
        *range = first + range.start..first + range.end;
    }
    indices.append(&mut simplified);
    draws.sort_by_key(|draw| (draw.surface.alpha, is_mostly_hidden(draw.surface.role), draw.surface));
    (indices, draws)
}

/// Triangles are sorted by counting if there are at most so many places for each.
const PLACES_PER_TRIANGLE: usize = 4;

/// Sorts triangles by the least place of their corners; those with the same least place stay in their order.
fn sort(triangles: &mut [[u32; 3]]) {
    let keys = triangles.iter().map(least);
    let (Some(first), Some(last)) = (keys.clone().min(), keys.max()) else { return };
    // The vertices of a small part can be anywhere in a large mesh, which may have thousands of such parts: counting
    // the places between them would take longer than comparing.
    if (last - first) as usize > PLACES_PER_TRIANGLE * triangles.len() {
        return triangles.sort_by_key(least);
    }
    let keyed = triangles.iter().map(|triangle| (least(triangle) - first, *triangle));
    let (_, sorted) = by_key((last - first) as usize + 1, keyed);
    triangles.copy_from_slice(&sorted);
}

fn least(&[a, b, c]: &[u32; 3]) -> u32 {
    a.min(b).min(c)
}

/// Whether other surfaces hide most of a surface. It is drawn after them, so that what is hidden of it is not shaded.
fn is_mostly_hidden(role: Role) -> bool {
    matches!(role, Role::Eye | Role::Teeth | Role::Tongue)
}

/// Moves the centers of the blended draws to their positions in `rig_pose`.
pub(super) fn recenter(draws: &mut [DrawCall], head: &Head, rig_pose: &RigPose) {
    for draw in draws.iter_mut().filter(|draw| draw.surface.alpha == Alpha::Blended) {
        let mesh = &head.meshes[draw.mesh];
        draw.center.place(mesh, mesh.triangles_of(&mesh.parts[draw.part]), rig_pose);
    }
}

/// The draws, in drawing order.
#[derive(Debug)]
pub(crate) struct DrawList {
    variant: Option<usize>,
    roles: Vec<Role>,
    /// Meshes that are left out.
    hidden: MeshSet,
    /// Hair, lashes and brows are left out.
    isolates_face: bool,
    is_simplified: bool,
    /// For each mesh, whether the rig pose mirrors it, so that the order of its triangles' corners is reversed.
    mirrored: Vec<bool>,
    /// The rig pose of the last call of [`Self::recenter`] mirrors other meshes, so that a new list is needed.
    is_outdated: bool,
    draws: Vec<DrawCall>,
    indices: wgpu::Buffer,
    /// The indices of the blended draws, back to front, with the square of the distance from the eye. Its memory is
    /// reused in every frame.
    sorted: Vec<(usize, f32)>,
}

impl DrawList {
    pub(crate) fn new(gpu: &Gpu, head: &Head, order: &VertexOrder, rig_pose: &RigPose, choices: Choices<'_>) -> Self {
        let (indices, draws) =
            indices_and_draws(head, rig_pose, choices, |mesh, vertex| order.place_of(mesh, vertex) as u32);
        Self {
            variant: choices.variant,
            roles: choices.roles.to_vec(),
            hidden: choices.hidden,
            isolates_face: choices.isolates_face,
            is_simplified: choices.simplified.is_some(),
            mirrored: mirrored(head, rig_pose).collect(),
            is_outdated: false,
            indices: gpu.filled_buffer("indices", bytemuck::cast_slice(&indices), wgpu::BufferUsages::INDEX),
            sorted: (0..draws.len())
                .filter(|&index| draws[index].surface.alpha == Alpha::Blended)
                .map(|index| (index, 0.0))
                .collect(),
            draws,
        }
    }

    /// Whether the list shows the same, in the rig pose of the last call of [`Self::recenter`].
    pub(crate) fn is_for(&self, choices: Choices<'_>) -> bool {
        self.variant == choices.variant
            && self.roles == choices.roles
            && self.hidden == choices.hidden
            && self.isolates_face == choices.isolates_face
            && self.is_simplified == choices.simplified.is_some()
            && !self.is_outdated
    }

    pub(crate) fn roles(&self) -> &[Role] {
        &self.roles
    }

    /// Moves the centers by which blended draws are sorted to their positions in a rig pose.
    pub(crate) fn recenter(&mut self, head: &Head, rig_pose: &RigPose) {
        self.is_outdated = !self.mirrored.iter().copied().eq(mirrored(head, rig_pose));
        recenter(&mut self.draws, head, rig_pose);
    }

    /// Sorts the blended draws by their queue, then back to front, by the positions of their centers at these weights,
    /// then by their order in the file.
    pub(crate) fn sort_from(&mut self, eye_in_world: Vec3, weights: &[f32]) {
        for (index, distance) in &mut self.sorted {
            *distance = self.draws[*index].center.under(weights).distance_squared(eye_in_world);
        }
        let draws = &self.draws;
        let in_file = |index: usize| (draws[index].mesh, draws[index].part);
        self.sorted.sort_by(|&(a, from_a), &(b, from_b)| {
            let of_queue = draws[a].queue.cmp(&draws[b].queue);
            of_queue.then(from_b.total_cmp(&from_a)).then_with(|| in_file(a).cmp(&in_file(b)))
        });
    }

    /// The kinds of surface that are drawn, each with a pass that draws it and with whether its mesh has targets.
    pub(crate) fn surfaces(&self) -> impl Iterator<Item = (SurfaceKind, AlphaPass, bool)> {
        self.draws.iter().flat_map(|draw| draw.passes.iter().map(|&pass| (draw.surface, pass, draw.morphs)))
    }

    pub(crate) fn len(&self) -> usize {
        self.draws.len()
    }

    /// Binds the index buffer. Returns false if there is nothing to draw.
    pub(crate) fn bind(&self, pass: &mut wgpu::RenderPass<'_>) -> bool {
        if !self.draws.is_empty() {
            pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint32);
        }
        !self.draws.is_empty()
    }

    /// The draws that hide what is behind them: opaque and masked ones.
    pub(crate) fn opaque_and_masked(&self) -> impl Iterator<Item = &DrawCall> {
        self.draws.iter().filter(|draw| draw.surface.alpha != Alpha::Blended)
    }

    /// Those of them that have an outline, which is drawn after all of them.
    pub(crate) fn outlines(&self) -> impl Iterator<Item = &DrawCall> {
        self.opaque_and_masked().filter(|draw| draw.passes.contains(&AlphaPass::Outline))
    }

    /// The blended draws: first the nearly opaque part of all, then the remaining part of each in the order of
    /// [`Self::sort_from`], where the sides that face away come before those that face the eye.
    pub(crate) fn blended(&self) -> impl Iterator<Item = (&DrawCall, AlphaPass)> {
        let of = |passes: &'static [AlphaPass]| {
            let sorted = self.sorted.iter().map(|&(index, _)| &self.draws[index]);
            let in_passes = sorted.flat_map(move |draw| passes.iter().map(move |&pass| (draw, pass)));
            in_passes.filter(|(draw, pass)| draw.passes.contains(pass))
        };
        of(&[AlphaPass::NearlyOpaque]).chain(of(&[
            AlphaPass::ThinBack,
            AlphaPass::ThinFront,
            AlphaPass::Cards,
            AlphaPass::Toon,
            AlphaPass::Outline,
        ]))
    }
}

/// For each mesh, whether a rig pose mirrors it.
fn mirrored<'a>(head: &'a Head, rig_pose: &'a RigPose) -> impl Iterator<Item = bool> + 'a {
    head.meshes.iter().map(|mesh| rig_pose.is_mirrored(mesh))
}

/// The position of a vertex of a mesh in the world at rest, times [`Head::mm_per_unit`], from the middle of the face.
pub(super) fn position_mm(head: &Head, mesh: &Mesh, vertex: usize, mm_per_unit: f32) -> Vec3 {
    let world_from_vertex = head.rest_pose.world_from_vertex(mesh, vertex);
    (world_from_vertex.transform_point3(mesh.vertices.positions[vertex]) - head.focus.center()) * mm_per_unit
}

/// The center of the triangles of a part of a mesh. Nodes and targets move it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Center {
    /// Its position when all weights are 0.
    in_world: Vec3,
    /// The transform of the triangles' vertices; for a skinned part, that of the first vertex.
    world_from_mesh: Mat4,
    /// The head-wide indices of the targets that move the center, and how far weight 1 of each moves it, in mesh space.
    drift: Vec<(usize, Vec3)>,
    /// The same for targets with in-betweens.
    bent_drift: Vec<BentDrift>,
}

/// How far a target with in-betweens moves the center, in mesh space.
#[derive(Clone, Debug, PartialEq)]
struct BentDrift {
    /// Its head-wide index.
    target: usize,
    /// How far its own shape moves the center.
    own: Vec3,
    /// How far each in-between does, with its full weight.
    in_betweens: Vec<(f32, Vec3)>,
}

impl BentDrift {
    fn at(&self, weight: f32) -> Vec3 {
        let mix = ShapeMix::new(self.in_betweens.iter().map(|(full_weight, _)| *full_weight), weight);
        let in_betweens = self.in_betweens.iter().map(|&(full_weight, drift)| drift * mix.weight_of(full_weight));
        self.own * mix.of_own_shape() + in_betweens.sum::<Vec3>()
    }
}

impl Center {
    /// The center of some triangles of a mesh in a rig pose.
    pub(crate) fn new(mesh: &Mesh, triangles: &[u32], rig_pose: &RigPose) -> Self {
        let mut uses = vec![0.0_f32; mesh.vertices.len()];
        for &vertex in triangles {
            if let Some(uses) = uses.get_mut(vertex as usize) {
                *uses += 1.0;
            }
        }
        let share = 1.0 / triangles.len().max(1) as f32;
        let drift_of = |shape: ShapeDeltas<'_>| {
            let rows = shape.rows.iter().zip(shape.positions);
            let sum: Vec3 = rows.map(|(&row, &delta)| delta * uses.get(row as usize).copied().unwrap_or(0.0)).sum();
            sum * share
        };
        let (mut drift, mut bent_drift) = (Vec::new(), Vec::new());
        for (target, of) in (mesh.first_target..).zip(&mesh.targets) {
            let own = drift_of(of.deltas());
            let in_betweens: Vec<(f32, Vec3)> =
                of.in_betweens.iter().map(|it| (it.full_weight, drift_of(it.deltas()))).collect();
            if !in_betweens.is_empty() {
                bent_drift.push(BentDrift { target, own, in_betweens });
            } else if own != Vec3::ZERO {
                drift.push((target, own));
            }
        }
        let mut center = Self { in_world: Vec3::ZERO, world_from_mesh: Mat4::IDENTITY, drift, bent_drift };
        center.place(mesh, triangles, rig_pose);
        center
    }

    /// Moves the center to its position in another rig pose. `mesh` and `triangles` must be those it was made of.
    pub(crate) fn place(&mut self, mesh: &Mesh, triangles: &[u32], rig_pose: &RigPose) {
        let points = triangles.iter().filter_map(|&vertex| {
            let point = mesh.vertices.positions.get(vertex as usize)?;
            Some(rig_pose.world_from_vertex(mesh, vertex as usize).transform_point3(*point))
        });
        self.in_world = points.sum::<Vec3>() / triangles.len().max(1) as f32;
        self.world_from_mesh = match triangles.first() {
            Some(&vertex) if (vertex as usize) < mesh.vertices.len() => {
                rig_pose.world_from_vertex(mesh, vertex as usize)
            }
            _ => rig_pose.world_from_mesh(mesh),
        };
    }

    /// Its position in world space under `weights`, one per target of the head.
    pub(crate) fn under(&self, weights: &[f32]) -> Vec3 {
        let weight_of = |target: usize| weights.get(target).copied().unwrap_or(0.0);
        let moved = self.drift.iter().map(|&(target, drift)| drift * weight_of(target));
        let bent = self.bent_drift.iter().map(|bent| bent.at(weight_of(bent.target)));
        self.in_world + self.world_from_mesh.transform_vector3(moved.chain(bent).sum())
    }
}

#[cfg(test)]
mod tests {
    use glam::{Mat4, Vec3};

    use smirk_face::head::{AlphaMode, Asset, InBetween, Material, Mesh, Part, Target, Vertices};

    use super::*;

    fn part(first_index: u32, index_count: u32, material: usize) -> Part {
        Part { first_index, index_count, material, flat_shaded: false }
    }

    fn head(world_from_mesh: Mat4, parts: Vec<Part>) -> Head {
        let positions = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::ONE];
        let vertices = Vertices { normals: vec![Vec3::Z; 4], positions, ..Default::default() };
        let mesh = Mesh {
            name: "m".into(),
            world_from_mesh,
            vertices,
            indices: vec![0, 1, 2, 1, 3, 2, 0, 1, 3],
            parts,
            targets: vec![Target::default()],
            ..Mesh::default()
        };
        let opaque = Material { name: "opaque".into(), ..Material::default() };
        let blended = Material { alpha: AlphaMode::Blend, base_color: [0.5; 4], ..opaque.clone() };
        Head::new(Asset { name: "h".into(), meshes: vec![mesh], materials: vec![opaque, blended], ..Asset::default() })
    }

    fn cut(head: &Head, place_of: impl Fn(usize, usize) -> u32) -> (Vec<u32>, Vec<DrawCall>) {
        indices_and_draws(head, &head.rest_pose, Choices::whole(&head.roles), place_of)
    }

    #[test]
    fn parts_of_one_material_are_merged_and_blended_ones_come_last_and_alone() {
        let head = head(Mat4::IDENTITY, vec![part(0, 3, 1), part(3, 3, 0), part(6, 3, 0), part(9, 0, 0)]);
        let (indices, draws) = cut(&head, |_, vertex| 64 + vertex as u32);
        assert_eq!(indices, [64, 65, 66, 65, 67, 66, 64, 65, 67]);
        let drawn: Vec<_> = draws.iter().map(|draw| (draw.surface.alpha, draw.indices.clone())).collect();
        assert_eq!(drawn, [(Alpha::Opaque, 3..9), (Alpha::Blended, 0..3)]);
        assert!(draws.iter().all(|draw| draw.morphs));
        let two = self::head(Mat4::IDENTITY, vec![part(0, 3, 1), part(3, 3, 1)]);
        assert_eq!(cut(&two, |_, vertex| vertex as u32).1.len(), 2);
    }

    #[test]
    fn hidden_meshes_and_hair_of_an_isolated_face_are_not_drawn() {
        let head = head(Mat4::IDENTITY, vec![part(0, 3, 0), part(3, 3, 1)]);
        let roles = [Role::Hair, Role::Skin];
        let materials_of = |choices| {
            let place_of = |_, vertex| vertex as u32;
            let (_, draws) = indices_and_draws(&head, &head.rest_pose, choices, place_of);
            draws.iter().map(|draw| draw.material).collect::<Vec<_>>()
        };
        let whole = Choices::whole(&roles);
        assert_eq!(materials_of(whole), [0, 1]);
        assert_eq!(materials_of(Choices { isolates_face: true, ..whole }), [1]);
        let scalps = [0].into_iter().collect();
        assert_eq!(materials_of(Choices { isolates_face: true, scalps, ..whole }), [0, 1], "strands grow on it");
        assert!(materials_of(Choices { hidden: [0].into_iter().collect(), ..whole }).is_empty());
    }

    #[test]
    fn what_skin_hides_is_drawn_after_it() {
        let mut head = head(Mat4::IDENTITY, vec![part(0, 3, 0), part(3, 3, 1), part(6, 3, 2)]);
        let named = |name: &str, roughness| Material { name: name.into(), roughness, ..Material::default() };
        head.asset.materials = vec![named("Teeth", 0.1), named("Tongue", 0.1), named("Skin", 0.9)];
        head.roles = vec![Role::Teeth, Role::Tongue, Role::Skin];
        let roles: Vec<_> = cut(&head, |_, vertex| vertex as u32).1.iter().map(|draw| draw.surface.role).collect();
        assert_eq!(roles, [Role::Skin, Role::Teeth, Role::Tongue]);
    }

    #[test]
    fn triangles_are_sorted_by_their_least_place_however_far_apart_places_are() {
        for spread in [1, 3, 1_000_000] {
            let place = |at: u32| at.wrapping_mul(2_654_435_761) % 97 * spread + 5;
            let mut triangles: Vec<[u32; 3]> = (0..200).map(|at| [place(at), place(at + 1), place(at + 7)]).collect();
            let mut expected = triangles.clone();
            expected.sort_by_key(|triangle| triangle.iter().copied().min());
            assert_ne!(triangles, expected);
            sort(&mut triangles);
            assert_eq!(triangles, expected, "{spread}");
        }
        sort(&mut []);
    }

    #[test]
    fn triangles_of_mirrored_meshes_are_reversed() {
        let head = head(Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0)), vec![part(0, 3, 0)]);
        assert_eq!(cut(&head, |_, vertex| vertex as u32).0, [0, 2, 1]);
    }

    #[test]
    fn a_part_that_reaches_past_the_indices_is_cut_off() {
        let head = head(Mat4::IDENTITY, vec![part(6, 300, 7), part(u32::MAX, u32::MAX, 0)]);
        let (indices, draws) = cut(&head, |_, vertex| vertex as u32);
        assert_eq!(indices.len(), 3);
        assert_eq!(draws.len(), 1);
        assert_eq!(draws[0].material, 1);
    }

    #[test]
    fn positions_are_measured_from_the_middle_of_the_face() {
        // A face 2 units wide without eyes: 140 millimetres.
        let positions = vec![Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, -1.0, 0.0), Vec3::new(0.0, 1.0, 0.0)];
        let up = Target::from_dense("up".into(), 0.0, &[Vec3::Y; 3], &[], &[]);
        let vertices = Vertices { positions, ..Vertices::default() };
        let head = Head::from_meshes(vec![Mesh { vertices, targets: vec![up], ..Mesh::default() }]);
        let position = position_mm(&head, &head.meshes[0], 0, head.mm_per_unit());
        assert!(position.abs_diff_eq(Vec3::new(-70.0, -70.0, 0.0), 1e-3), "{position}");
    }

    #[test]
    fn targets_move_the_middle() {
        let positions = vec![Vec3::ZERO, Vec3::X * 3.0, Vec3::Y * 3.0, Vec3::splat(90.0)];
        let target = |rows: Vec<u32>| Target { positions: vec![Vec3::Z * 3.0; rows.len()], rows, ..Target::default() };
        let mesh = Mesh {
            vertices: Vertices { positions, ..Vertices::default() },
            targets: vec![target(vec![3]), target(vec![0, 2])],
            first_target: 5,
            world_from_mesh: Mat4::from_scale(Vec3::splat(2.0)),
            ..Mesh::default()
        };
        let center = Center::new(&mesh, &[0, 1, 2], &RigPose::default());
        assert!(center.under(&[]).distance(Vec3::new(2.0, 2.0, 0.0)) < 1e-6);
        let mut weights = [9.0; 7];
        weights[6] = 0.5;
        assert!(
            center.under(&weights).distance(Vec3::splat(2.0)) < 1e-6,
            "a target that moves other vertices had an effect"
        );
    }

    #[test]
    fn in_betweens_move_the_middle_on_a_path_with_corners() {
        let mut target = Target::from_dense("up".into(), 0.0, &[Vec3::Z; 3], &[], &[]);
        target.set_in_betweens(vec![InBetween::from_dense("beside".into(), 0.5, &[Vec3::X; 3], &[], &[])]);
        let vertices = Vertices { positions: vec![Vec3::ZERO; 3], ..Vertices::default() };
        let mesh = Mesh { vertices, targets: vec![target], ..Mesh::default() };
        let center = Center::new(&mesh, &[0, 1, 2], &RigPose::default());
        for (weight, expected) in [(0.0, Vec3::ZERO), (0.5, Vec3::X), (0.75, (Vec3::X + Vec3::Z) * 0.5), (1.0, Vec3::Z)]
        {
            assert!(center.under(&[weight]).distance(expected) < 1e-6, "at {weight}: {}", center.under(&[weight]));
        }
    }
}
