//! Files of other programs that Smirk does not read: what they are, and the shortest way to a file that it reads.

use std::path::Path;

use super::error::Fault;

struct ForeignKind {
    /// What file names end with, in lower case and without the dot.
    extensions: &'static [&'static str],
    /// What the files begin with; nothing for kinds that are told by their names alone.
    begins_with: &'static [&'static [u8]],
    what: &'static str,
    advice: &'static str,
}

const MARKERS: &str = "Smirk moves shapes, not markers: solve them in the capture program and export the weights of the \
                       shapes as .csv, or the moving face as .fbx";
const BLENDER: &str = "import it in Blender and export it as .glb with shape keys";
const MMD: &str = "import it in Blender with MMD Tools and export it as .glb with shape keys and animation";
const UNREAL: &str = "in Unreal, choose Asset Actions, Export and .fbx, with morph targets";
const STATIC: &str = "open it in Blender or MeshLab and export it as .obj";
const MAX: &str = "export it there as .fbx with its morph targets";

const PICKLE: &str = "write its vertices in Python: numpy.save('frames.npy', numpy.asarray(vertices, dtype='float32')), frames × vertices × 3";
const ALEMBIC: &str =
    "import it in Blender or Maya and export it as .obj files, one for each frame, or as .glb or .fbx with shapes";
const OWN_BLENDER: &str = "in Blender, choose File, Export, glTF 2.0 (.glb) with shape keys";
const METAHUMAN: &str = "export the head from Unreal or Maya as .fbx with its blend shapes";
const MAYA: &str = "in Maya, choose File, Export All and .fbx with blend shapes";
const DAZ: &str = "in Daz Studio, choose File, Export and .fbx with morphs";
const SKELETON: &str =
    "convert it to .vrma for the body of a VRM avatar; a face needs the weights of its shapes, as .csv or .fbx";
const ZBRUSH: &str = "export each subtool and shape as .obj, or the head as .fbx with its layers as blend shapes";
const LIGHTWAVE: &str = "export it there as .fbx with its morphs, or as .obj";
const UNPACK: &str = "unpack it and open the file in it";

const KINDS: [ForeignKind; 22] = [
    kind(
        &["pkl", "pickle"],
        &[b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05"],
        "a pickle of Python objects",
        PICKLE,
    ),
    kind(&["ply"], &[b"ply\n", b"ply\r"], "a PLY mesh", STATIC),
    kind(&["stl"], &[b"solid "], "an STL mesh", STATIC),
    kind(&["abc"], &[b"Ogawa", b"\x89HDF"], "an Alembic cache", ALEMBIC),
    kind(&["usd", "usda", "usdc", "usdz"], &[b"PXR-USDC", b"#usda"], "a USD scene", BLENDER),
    kind(&["blend", "blend1"], &[b"BLENDER"], "a Blender scene", OWN_BLENDER),
    kind(&["dna"], &[b"DNA"], "a MetaHuman DNA file", METAHUMAN),
    kind(&["pmx", "pmd"], &[b"PMX ", b"Pmd"], "an MMD model", MMD),
    kind(&["vmd"], &[b"Vocaloid Motion Data"], "an MMD motion", MMD),
    kind(&["ma", "mb"], &[b"//Maya", b"FOR4", b"FOR8"], "a Maya scene", MAYA),
    kind(&["duf", "dsf"], &[], "a file of Daz Studio", DAZ),
    kind(&["uasset", "umap"], &[b"\xC1\x83\x2A\x9E"], "an asset of Unreal", UNREAL),
    kind(&["c3d"], &[], "a C3D file of markers", MARKERS),
    kind(&["trc"], &[b"PathFileType"], "a TRC file of markers", MARKERS),
    kind(&["bvh"], &[b"HIERARCHY"], "a BVH motion of a skeleton", SKELETON),
    kind(&["dae"], &[], "a COLLADA scene", BLENDER),
    kind(&["3ds"], &[], "a 3DS mesh", STATIC),
    kind(&["max"], &[], "a scene of 3ds Max", MAX),
    kind(&["c4d"], &[], "a scene of Cinema 4D", MAX),
    kind(&["ztl", "zpr"], &[], "a file of ZBrush", ZBRUSH),
    kind(&["lwo"], &[], "a LightWave object", LIGHTWAVE),
    kind(&["zip", "7z", "rar"], &[b"PK\x03\x04", b"7z\xBC\xAF", b"Rar!"], "an archive", UNPACK),
];

const fn kind(
    extensions: &'static [&'static str],
    begins_with: &'static [&'static [u8]],
    what: &'static str,
    advice: &'static str,
) -> ForeignKind {
    ForeignKind { extensions, begins_with, what, advice }
}

pub(super) fn refused_by_name(path: &Path) -> Option<Fault> {
    let extension = path.extension()?.to_str()?.to_ascii_lowercase();
    let kind = KINDS.iter().find(|kind| kind.extensions.contains(&extension.as_str()))?;
    Some(Fault::Unsupported { feature: kind.what.into(), advice: kind.advice })
}

/// What a file of such a kind is, with its article, by its first bytes.
pub(super) fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    let kind = KINDS.iter().find(|kind| kind.begins_with.iter().any(|start| bytes.starts_with(start)))?;
    Some(kind.what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_base::file_kind;

    #[test]
    fn no_kind_that_is_read_is_refused_and_no_name_has_two_reasons() {
        let mut known: Vec<&str> = KINDS.iter().flat_map(|kind| kind.extensions).copied().collect();
        let read = file_kind::extensions(|kind| !kind.opens_as.is_empty());
        assert!(known.iter().all(|extension| !read.contains(extension)), "{known:?}");
        known.sort_unstable();
        assert!(known.windows(2).all(|pair| pair[0] != pair[1]), "{known:?}");
    }

    #[test]
    fn each_kind_says_what_it_is_and_leads_to_a_file_that_is_read() {
        let read = file_kind::extensions(|kind| !kind.opens_as.is_empty());
        for extension in KINDS.iter().flat_map(|kind| kind.extensions) {
            let fault = refused_by_name(Path::new(&format!("a.{}", extension.to_uppercase()))).unwrap().to_string();
            let leads = read.iter().any(|extension| fault.contains(&format!(".{extension}")));
            assert!(fault.starts_with("it is a") && fault.lines().count() == 1, "{fault}");
            assert!(leads || fault.contains("unpack it"), "{fault}");
        }
        assert!(refused_by_name(Path::new("a.glb")).is_none() && refused_by_name(Path::new("abc")).is_none());
    }
}
