//! Baked meshes: what is written is the face that was shown, wherever the head came from.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use glam::{DMat4, DVec3, Vec3};
use smirk_base::progress::{Cancelled, Progress};
use smirk_export::{ExportError, FrameSpan, MeshExport, MeshFormat, MeshSettings, OutputPath};
use smirk_face::head::{AlphaMode, Head, Material};
use smirk_face::motion::FrameRate;
use smirk_files::import::{embedded, open};
use smirk_graphics::blend::reference;
use smirk_scene::{BlendMode, Look, Normals};
use smirk_session::{HeadSource, Session};
use smirk_support::test_files::real_heads;
use smirk_support::{good_files, heads_below};

use crate::heads::everything::everything;

fn session_of(head: Head) -> Session {
    Session::new(Arc::new(head), HeadSource::Embedded, Look::default(), BlendMode::Cpu)
}

/// A session that shows several channels, in the middle of the first clip if there is one.
fn posed(head: Head) -> Session {
    let mut session = session_of(head);
    for channel in 0..session.head.channels.len().min(40) {
        session.channel_mut(channel).set(0.1 + 0.02 * channel as f32);
    }
    session.clock.timeline.playing = false;
    session.seek(session.timeline_secs() * 0.4);
    session
}

fn settings(format: MeshFormat) -> MeshSettings {
    MeshSettings { format, normals: Normals::Auto, only_visible: false, span: None }
}

fn export(session: &Session, settings: MeshSettings, path: &Path) -> Result<u64, ExportError> {
    MeshExport::new(session, settings, OutputPath::new(path))?.run(Progress::NONE)
}

/// Where every vertex of every mesh is, computed from the head's own numbers: the morph sum, then the joints or the node.
fn expected(session: &Session) -> Vec<Vec<DVec3>> {
    let (head, weights) = (&session.head, session.weights());
    let mut worlds: Vec<DMat4> = session.world_from_nodes().iter().map(|world| world.as_dmat4()).collect();
    if worlds.is_empty() {
        worlds = head.rig.world_from_nodes_at_rest().iter().map(|world| world.as_dmat4()).collect();
    }
    let of_mesh = |mesh: &smirk_face::head::Mesh| {
        let mut places: Vec<DVec3> = mesh.vertices.positions.iter().map(|place| place.as_dvec3()).collect();
        for (target, &weight) in mesh.targets.iter().zip(&weights[mesh.first_target..]) {
            for (&row, delta) in target.rows.iter().zip(&target.positions) {
                places[row as usize] += f64::from(weight) * delta.as_dvec3();
            }
        }
        for (vertex, place) in places.iter_mut().enumerate() {
            let local = *place;
            *place = match mesh.skin {
                None => worlds[mesh.node.unwrap()].transform_point3(local),
                Some(skin) => {
                    let joints = &head.rig.skins[skin].joints;
                    let pull = |each: &smirk_face::head::Influence| {
                        let joint = joints[each.joint as usize];
                        let in_world = worlds[joint.node] * joint.joint_from_mesh.as_dmat4();
                        f64::from(each.weight) * in_world.transform_point3(local)
                    };
                    mesh.vertices.influences.of_vertex(vertex).iter().map(pull).sum()
                }
            };
        }
        places
    };
    head.meshes.iter().map(of_mesh).collect()
}

/// The numbers of the lines of an OBJ file that begin with a word.
fn lines_of(text: &str, word: &str) -> Vec<Vec<f32>> {
    let rests = text.lines().filter_map(|line| line.strip_prefix(word)?.strip_prefix(' '));
    rests.map(|rest| rest.split(' ').map(|number| number.parse().unwrap()).collect()).collect()
}

fn near(found: Vec3, expected: DVec3, session: &Session) {
    // The precision of 32 bits at the largest coordinate, with room for the sum over joints, which is of 32 bits.
    let tolerance = f64::from(session.head.bounds.reach_from(Vec3::ZERO)) * 2e-6;
    assert!(found.as_dvec3().distance(expected) <= tolerance, "{}: {found} is not {expected}", session.head.name);
}

/// Exports what a session shows in all formats of one moment, and reads it again.
fn check(session: &Session, folder: &Path) {
    let (obj, glb) = (folder.join("a.obj"), folder.join("a.glb"));
    export(session, settings(MeshFormat::Obj), &obj).unwrap();
    export(session, settings(MeshFormat::Glb), &glb).unwrap();
    let head = &session.head;
    let places: Vec<DVec3> = expected(session).concat();
    let again = open(&glb).unwrap();
    let written = again.meshes.iter().flat_map(|mesh| &mesh.vertices.positions);
    let written: Vec<Vec3> = written.copied().collect();
    assert_eq!(written.len(), places.len(), "{}", head.name);
    written.iter().zip(&places).for_each(|(found, place)| near(*found, *place, session));
    assert!(again.target_count() == 0 && again.rig.skins.is_empty() && again.clips.is_empty());
    let mut materials = head.materials.clone();
    for (index, material) in head.materials_under(&session.expression_outputs()) {
        materials[index] = material;
    }
    // No expression can change them any more.
    materials.iter_mut().for_each(|material| material.changed_by_expressions = Default::default());
    assert_eq!(again.materials.len(), materials.len(), "{}", head.name);
    // What toon shading was in its file is for saving it there again.
    let shown = |materials: &[Material]| {
        let mut materials = materials.to_vec();
        materials.iter_mut().filter_map(|it| it.toon.as_mut()).for_each(|toon| toon.in_file = None);
        materials
    };
    assert_eq!(shown(&again.materials), shown(&materials), "{}", head.name);
    let names = |head: &Head| head.meshes.iter().map(|mesh| mesh.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&again), names(head));

    let text = fs::read_to_string(&obj).unwrap();
    let points = lines_of(&text, "v");
    let has_all = head.meshes.iter().all(|mesh| mesh.vertices.control_points.is_empty());
    if has_all {
        let exact: Vec<Vec<f32>> = written.iter().map(|place| place.to_array().to_vec()).collect();
        assert_eq!(points, exact, "{}: both files have the same 32 bits", head.name);
    }
    let parsed = open(&obj).unwrap();
    assert_eq!(parsed.triangle_count(), head.triangle_count(), "{}", head.name);
    let materials = |head: &Head| {
        let used = head.meshes.iter().flat_map(|mesh| &mesh.parts).filter(|part| part.index_count > 0);
        let mut names: Vec<String> = used.map(|part| head.materials[part.material].name.trim().to_owned()).collect();
        names.sort();
        names.dedup();
        names
    };
    assert_eq!(materials(&parsed), materials(head), "{}", head.name);
}

#[test]
fn a_baked_face_is_the_one_that_was_shown() {
    let folder = tempfile::tempdir().unwrap();
    check(&posed(everything().open().unwrap()), folder.path());
    check(&posed(embedded().unwrap()), folder.path());
    for (_, file) in good_files::all() {
        check(&posed(file.open().unwrap()), folder.path());
    }
    let Some(heads) = real_heads() else { return };
    for path in heads_below(&heads) {
        let is_gltf =
            ["glb", "gltf", "vrm"].iter().any(|extension| path.extension().is_some_and(|own| own == *extension));
        if let (true, Ok(head)) = (is_gltf, open(&path)) {
            println!("{}", path.display());
            check(&posed(head), folder.path());
        }
    }
}

#[test]
fn an_obj_head_is_written_with_the_points_that_it_came_with() {
    let folder = tempfile::tempdir().unwrap();
    let (input, output) = (folder.path().join("cube.obj"), folder.path().join("out.obj"));
    // The seam of texture coordinates splits points 2 and 3.
    let text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\nusemtl My skin\n\
                f 1/1 2/2 3/3 4/4\nf 2/1 5/2 6/3 3/4\n";
    fs::write(&input, text).unwrap();
    let session = session_of(open(&input).unwrap());
    assert_eq!(session.head.vertex_count(), 8);
    export(&session, settings(MeshFormat::Obj), &output).unwrap();
    let written = fs::read_to_string(&output).unwrap();
    assert_eq!(lines_of(&written, "v"), lines_of(text, "v"));
    assert!(written.contains("\nusemtl My skin\n") && written.contains("\ng cube\n"), "{written}");
    let (own, again) = (&session.head.meshes[0], open(&output).unwrap());
    let corners = |mesh: &smirk_face::head::Mesh| -> Vec<(Vec3, glam::Vec2)> {
        mesh.indices.iter().map(|&at| (mesh.vertices.positions[at as usize], mesh.vertices.uvs[at as usize])).collect()
    };
    assert_eq!(corners(own), corners(&again.meshes[0]));
}

#[test]
fn normals_are_blended_or_recomputed_by_choice_and_point_out_of_a_mirrored_mesh() {
    let folder = tempfile::tempdir().unwrap();
    let glb = folder.path().join("a.glb");
    let mut file = everything();
    file.json["nodes"][2].as_object_mut().unwrap().remove("skin");
    file.json["nodes"][2]["scale"] = serde_json::json!([-1.0, 2.0, 1.0]);
    let session = posed(file.open().unwrap());
    let face = session.head.meshes.iter().position(|mesh| mesh.name == "face").unwrap();
    let first: usize = session.head.meshes[..face].iter().map(|mesh| mesh.vertices.len()).sum();
    let mut normals_of = Vec::new();
    for normals in [Normals::Authored, Normals::Recomputed] {
        export(&session, MeshSettings { normals, ..settings(MeshFormat::Glb) }, &glb).unwrap();
        let (again, blended) = (open(&glb).unwrap(), reference(&session.head, &session.weights(), normals));
        let mesh = &again.meshes[face];
        let smooth = session.head.meshes[face].parts.iter().position(|part| !part.flat_shaded).unwrap();
        let part = mesh.parts[smooth];
        let indices = &mesh.indices[part.first_index as usize..][..part.index_count as usize];
        for &vertex in indices {
            // The node scales by -1, 2 and 1: normals by the inverse of that.
            let wanted = (blended[first + vertex as usize].normal * DVec3::new(-1.0, 0.5, 1.0)).normalize();
            let found = mesh.vertices.normals[vertex as usize].as_dvec3();
            assert!(found.distance(wanted) < 1e-5, "{normals:?}: {found} is not {wanted}");
        }
        let corner = |at: usize| mesh.vertices.positions[indices[at] as usize];
        let facing = (corner(1) - corner(0)).cross(corner(2) - corner(0));
        assert!(facing.dot(mesh.vertices.normals[indices[0] as usize]) > 0.0, "{normals:?}: triangles face inwards");
        normals_of.push(mesh.vertices.normals.clone());
    }
    assert_ne!(normals_of[0], normals_of[1]);
}

/// The samples of a point cache, after its header was compared.
fn samples(bytes: &[u8], format: MeshFormat, span: FrameSpan) -> Vec<Vec<Vec<f32>>> {
    let word = |at: usize| <[u8; 4]>::try_from(&bytes[at..at + 4]).unwrap();
    let (header, points, frames) = match format {
        MeshFormat::Pc2 => {
            assert_eq!((&bytes[..12], i32::from_le_bytes(word(12))), (&b"POINTCACHE2\0"[..], 1));
            assert_eq!((f32::from_le_bytes(word(20)), f32::from_le_bytes(word(24))), (span.first as f32, 1.0));
            (32, i32::from_le_bytes(word(16)) as usize, i32::from_le_bytes(word(28)) as usize)
        }
        _ => {
            let frames = i32::from_be_bytes(word(0)) as usize;
            for frame in 0..frames {
                let secs = span.secs_of(span.first + frame as i64);
                assert_eq!(f32::from_be_bytes(word(8 + frame * 4)), secs as f32);
            }
            (8 + frames * 4, i32::from_be_bytes(word(4)) as usize, frames)
        }
    };
    let number = |bytes: &[u8]| {
        let bytes = bytes.try_into().unwrap();
        if format == MeshFormat::Pc2 { f32::from_le_bytes(bytes) } else { f32::from_be_bytes(bytes) }
    };
    let numbers: Vec<f32> = bytes[header..].chunks(4).map(number).collect();
    assert_eq!((numbers.len(), frames), (frames * points * 3, span.count()));
    numbers.chunks(points * 3).map(|frame| frame.chunks(3).map(<[f32]>::to_vec).collect()).collect()
}

#[test]
fn a_range_is_the_same_as_a_sequence_and_in_both_point_caches() {
    let folder = tempfile::tempdir().unwrap();
    for head in [everything().open().unwrap(), embedded().unwrap()] {
        let mut session = session_of(head);
        let all = 0..session.head.clips.len();
        session.clips_mut().select_together(all);
        let span = FrameSpan::new(FrameRate::nearest(24.0), 7, 12).unwrap();
        let ranged = |format| MeshSettings { span: Some(span), ..settings(format) };
        export(&session, ranged(MeshFormat::Obj), &folder.path().join("a_##.obj")).unwrap();
        let caches = [MeshFormat::Pc2, MeshFormat::Mdd].map(|format| {
            let path = folder.path().join("a").with_extension(format.extension());
            let bytes = export(&session, ranged(format), &path).unwrap();
            let content = fs::read(path).unwrap();
            let plan = MeshExport::new(&session, ranged(format), OutputPath::new("a.b")).unwrap().plan();
            assert_eq!((content.len() as u64, plan.bytes, plan.files, plan.frames), (bytes, bytes, 1, 6));
            samples(&content, format, span)
        });
        let mut moved = false;
        for (index, frame) in span.frames().enumerate() {
            let text = fs::read_to_string(folder.path().join(format!("a_{frame:02}.obj"))).unwrap();
            let points = lines_of(&text, "v");
            assert!(caches[0][index] == points && caches[1][index] == points, "frame {frame}");
            moved |= points != caches[0][0];
            span.show(&mut session, frame);
            let places = expected(&session).concat();
            points.iter().zip(&places).for_each(|(point, place)| near(Vec3::from_slice(point), *place, &session));
        }
        assert!(moved, "nothing moves");
    }
}

#[test]
fn exports_that_cannot_be_made_say_why_and_cancelled_ones_leave_whole_files_only() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = session_of(embedded().unwrap());
    session.clips_mut().select(Some(0));
    let span = FrameSpan::new(FrameRate::nearest(24.0), 0, 4).unwrap();
    let ranged = |format| MeshSettings { span: Some(span), ..settings(format) };
    let place = |name: &str| folder.path().join(name);
    let refusal = |settings, name: &str| export(&session, settings, &place(name)).unwrap_err().to_string();
    assert!(refusal(ranged(MeshFormat::Glb), "a.glb").contains("not of 5 frames"));
    assert!(refusal(ranged(MeshFormat::Obj), "a.obj").contains("such as face.####.obj"));
    assert!(refusal(settings(MeshFormat::Obj), "no/a.obj").contains("there is no folder"));
    for (format, name, kept) in
        [(MeshFormat::Pc2, "a.pc2", 0), (MeshFormat::Mdd, "a.mdd", 0), (MeshFormat::Obj, "a#.obj", 2)]
    {
        let export = MeshExport::new(&session, ranged(format), OutputPath::new(place(name))).unwrap();
        let cancelled = |_: &str, part: f32| if part > 0.3 { Err(Cancelled) } else { Ok(()) };
        assert!(matches!(export.run(Progress::new(&cancelled)), Err(ExportError::Cancelled(_))));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), kept, "{name}");
    }
    let export = MeshExport::new(&session, ranged(MeshFormat::Obj), OutputPath::new("a.##.obj")).unwrap();
    let files: Vec<_> = export.files().map(|path| path.display().to_string()).collect();
    assert_eq!((files, export.plan().files), ((0..5).map(|frame| format!("a.0{frame}.obj")).collect(), 5));
}

#[test]
fn meshes_of_which_nothing_can_be_seen_are_left_out_by_choice() {
    let folder = tempfile::tempdir().unwrap();
    let glb = folder.path().join("a.glb");
    let mut file = everything();
    file.json["materials"][1]["alphaMode"] = serde_json::json!("BLEND");
    file.json["materials"][1]["pbrMetallicRoughness"]["baseColorFactor"] = serde_json::json!([1.0, 1.0, 1.0, 0.0]);
    let session = session_of(file.open().unwrap());
    assert_eq!(session.head.materials[1].alpha, AlphaMode::Blend);
    let names = |only_visible| {
        export(&session, MeshSettings { only_visible, ..settings(MeshFormat::Glb) }, &glb).unwrap();
        let head = open(&glb).unwrap();
        assert_eq!(head.variants.len(), 2);
        head.meshes.iter().map(|mesh| mesh.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!((names(false), names(true)), (vec!["teeth".into(), "face".into()], vec!["face".into()]));
}
