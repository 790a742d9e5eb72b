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

const KINDS: [ForeignKind; 22] = [
    ForeignKind {
        extensions: &["npy", "npz"],
        begins_with: &[b"\x93NUMPY"],
        what: "a NumPy array",
        advice: "write weights as .csv, with a column for each shape, and vertices as .obj files, one for each frame",
    },
    ForeignKind { extensions: &["ply"], begins_with: &[b"ply\n", b"ply\r"], what: "a PLY mesh", advice: STATIC },
    ForeignKind { extensions: &["stl"], begins_with: &[b"solid "], what: "an STL mesh", advice: STATIC },
    ForeignKind {
        extensions: &["abc"],
        begins_with: &[b"Ogawa", b"\x89HDF"],
        what: "an Alembic cache",
        advice: "import it in Blender or Maya and export it as .obj files, one for each frame, or as .glb or .fbx with shapes",
    },
    ForeignKind {
        extensions: &["usd", "usda", "usdc", "usdz"],
        begins_with: &[b"PXR-USDC", b"#usda"],
        what: "a USD scene",
        advice: BLENDER,
    },
    ForeignKind {
        extensions: &["blend", "blend1"],
        begins_with: &[b"BLENDER"],
        what: "a Blender scene",
        advice: "in Blender, choose File, Export, glTF 2.0 (.glb) with shape keys",
    },
    ForeignKind {
        extensions: &["dna"],
        begins_with: &[b"DNA"],
        what: "a MetaHuman DNA file",
        advice: "export the head from Unreal or Maya as .fbx with its blend shapes",
    },
    ForeignKind { extensions: &["pmx", "pmd"], begins_with: &[b"PMX ", b"Pmd"], what: "an MMD model", advice: MMD },
    ForeignKind { extensions: &["vmd"], begins_with: &[b"Vocaloid Motion Data"], what: "an MMD motion", advice: MMD },
    ForeignKind {
        extensions: &["ma", "mb"],
        begins_with: &[b"//Maya", b"FOR4", b"FOR8"],
        what: "a Maya scene",
        advice: "in Maya, choose File, Export All and .fbx with blend shapes",
    },
    ForeignKind {
        extensions: &["duf", "dsf"],
        begins_with: &[],
        what: "a file of Daz Studio",
        advice: "in Daz Studio, choose File, Export and .fbx with morphs",
    },
    ForeignKind {
        extensions: &["uasset", "umap"],
        begins_with: &[b"\xC1\x83\x2A\x9E"],
        what: "an asset of Unreal",
        advice: UNREAL,
    },
    ForeignKind { extensions: &["c3d"], begins_with: &[], what: "a C3D file of markers", advice: MARKERS },
    ForeignKind {
        extensions: &["trc"],
        begins_with: &[b"PathFileType"],
        what: "a TRC file of markers",
        advice: MARKERS,
    },
    ForeignKind {
        extensions: &["bvh"],
        begins_with: &[b"HIERARCHY"],
        what: "a BVH motion of a skeleton",
        advice: "convert it to .vrma for the body of a VRM avatar; a face needs the weights of its shapes, as .csv or .fbx",
    },
    ForeignKind { extensions: &["dae"], begins_with: &[], what: "a COLLADA scene", advice: BLENDER },
    ForeignKind { extensions: &["3ds"], begins_with: &[], what: "a 3DS mesh", advice: STATIC },
    ForeignKind { extensions: &["max"], begins_with: &[], what: "a scene of 3ds Max", advice: MAX },
    ForeignKind { extensions: &["c4d"], begins_with: &[], what: "a scene of Cinema 4D", advice: MAX },
    ForeignKind {
        extensions: &["ztl", "zpr"],
        begins_with: &[],
        what: "a file of ZBrush",
        advice: "export each subtool and shape as .obj, or the head as .fbx with its layers as blend shapes",
    },
    ForeignKind {
        extensions: &["lwo"],
        begins_with: &[],
        what: "a LightWave object",
        advice: "export it there as .fbx with its morphs, or as .obj",
    },
    ForeignKind {
        extensions: &["zip", "7z", "rar"],
        begins_with: &[b"PK\x03\x04", b"7z\xBC\xAF", b"Rar!"],
        what: "an archive",
        advice: "unpack it and open the file in it",
    },
];

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
