"""Draws avatars with Smirk and with three-vrm through one camera and under one light, and says how far the pictures are
apart, by material.

  python mtoon_avatars.py --smirk target/debug/smirk --npm FOLDER -o FOLDER AVATAR.vrm…

--npm is the folder where the packages that `mtoon.mjs` names are installed. Each avatar is copied with the cameras
`front`, `threequarter` and `body`; Smirk and three-vrm look through these. Drawn are the face at rest from the front
and from three quarters, with up to two expressions each, and the body. Where no expression does anything, shapes of the
face are drawn in their place. Written are a sheet per picture, a contact sheet per avatar and figures.json. The table
at the end has the worst figures of the faces of each avatar: of all pixels, and of those whose material is MToon's.

Three things are changed in what three-vrm draws, unless it is to draw the file as it is (`--as-three`):
In VRM 0.x, materials where UniVRM's migration differs from three-vrm's (MigrationMToonMaterial.cs): a missing shade
texture is the main texture, rims take the light's colour, and the emissive colour is linear.
Textures that are to be shrunk without mip maps get them. Exporters of Unity write so of every texture; Smirk and UniVRM
draw all textures with mip maps, three.js does not.
An expression changes a material once. three-vrm adds its change once per mesh that has the material.

`--saved` draws with three-vrm what `smirk convert` saves of each avatar instead of what Smirk shows, and names every
parameter of a material that is another one in the saved file. Needs NumPy and Pillow."""

import argparse
import copy
import hashlib
import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np

from mtoon_compare import compare, contact_sheet, sheet

HERE = Path(__file__).parent
# The light of Smirk's set-up for avatars: towards the light in a scene where the face looks along +z; π times these
# intensities is what three.js takes.
TO_LIGHT = [0.2962, 0.5, 0.8138]
DIRECT, AMBIENT = 0.9, 0.1
FOV = 0.42
VRM0_PRESETS = {
    "a": "aa",
    "e": "ee",
    "i": "ih",
    "o": "oh",
    "u": "ou",
    "joy": "happy",
    "sorrow": "sad",
    "fun": "relaxed",
    "blink_l": "blinkLeft",
    "blink_r": "blinkRight",
    "lookup": "lookUp",
    "lookdown": "lookDown",
    "lookleft": "lookLeft",
    "lookright": "lookRight",
}
WANTED = ["happy", "blink", "aa", "surprised", "angry", "relaxed", "colours", "uv"]


class Glb:
    def __init__(self, path):
        data = Path(path).read_bytes()
        length = struct.unpack("<I", data[12:16])[0]
        self.json = json.loads(data[20 : 20 + length])
        self.rest = data[20 + length :]
        self.bin = self.rest[8:]

    def save(self, path, document):
        text = json.dumps(document, ensure_ascii=False).encode()
        text += b" " * (-len(text) % 4)
        body = struct.pack("<I", len(text)) + b"JSON" + text + self.rest
        Path(path).write_bytes(b"glTF" + struct.pack("<II", 2, 12 + len(body)) + body)

    def accessor(self, index):
        accessor = self.json["accessors"][index]
        kind = {5120: "i1", 5121: "u1", 5122: "i2", 5123: "u2", 5125: "u4", 5126: "f4"}[accessor["componentType"]]
        width = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
        if "bufferView" not in accessor:
            return np.zeros((accessor["count"], width))
        view = self.json["bufferViews"][accessor["bufferView"]]
        item = np.dtype("<" + kind)
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", item.itemsize * width)
        values = np.ndarray((accessor["count"], width), item, self.bin, start, (stride, item.itemsize)).astype(float)
        return values / np.iinfo(item).max if accessor.get("normalized") else values


def local_matrix(node):
    if "matrix" in node:
        return np.array(node["matrix"], float).reshape(4, 4).T
    x, y, z, w = node.get("rotation", [0, 0, 0, 1])
    matrix = np.eye(4)
    matrix[:3, :3] = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
        [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
        [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
    ]
    matrix[:3, :3] *= np.array(node.get("scale", [1, 1, 1]))
    matrix[:3, 3] = node.get("translation", [0, 0, 0])
    return matrix


def points(glb):
    """All vertices in coordinates of the file, and whether each belongs to the head."""
    document = glb.json
    nodes = document["nodes"]
    parents = {child: index for index, node in enumerate(nodes) for child in node.get("children", [])}

    def world(index):
        own = local_matrix(nodes[index])
        return world(parents[index]) @ own if index in parents else own

    def is_below(index, ancestor):
        while index is not None:
            if index == ancestor:
                return True
            index = parents.get(index)
        return False

    extensions = document.get("extensions", {})
    if "VRMC_vrm" in extensions:
        head = extensions["VRMC_vrm"]["humanoid"]["humanBones"]["head"]["node"]
    else:
        bones = extensions["VRM"]["humanoid"]["humanBones"]
        head = next(bone["node"] for bone in bones if bone["bone"] == "head")
    found, in_head = [], []
    for index, node in enumerate(nodes):
        if "mesh" not in node:
            continue
        for primitive in document["meshes"][node["mesh"]]["primitives"]:
            attributes = primitive["attributes"]
            at = np.c_[
                glb.accessor(attributes["POSITION"]), np.ones(document["accessors"][attributes["POSITION"]]["count"])
            ]
            if "skin" in node and "JOINTS_0" in attributes:
                skin = document["skins"][node["skin"]]
                bind = glb.accessor(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
                matrices = np.array([world(joint) for joint in skin["joints"]]) @ bind
                below = np.array([is_below(joint, head) for joint in skin["joints"]])
                joints = glb.accessor(attributes["JOINTS_0"]).astype(int)
                weights = glb.accessor(attributes["WEIGHTS_0"])
                at = np.einsum("vj,vjab,vb->va", weights, matrices[joints], at)
                in_head.append((below[joints] * weights).sum(axis=1) > 0.5)
            else:
                at = at @ world(index).T
                in_head.append(np.full(len(at), is_below(index, head)))
            found.append(at[:, :3])
    found, in_head = np.concatenate(found), np.concatenate(in_head)
    # A few stray triangles must not decide: their meshes are drawn, wherever they are.
    return found, in_head if in_head.any() else np.ones(len(found), bool)


def camera(name, box, direction):
    """A camera node that looks at the middle of the box from a direction, so that the box fills the picture."""
    middle, half = (box[0] + box[1]) / 2, (box[1] - box[0]) / 2
    back = np.array(direction) / np.linalg.norm(direction)
    distance = 1.1 * max(half[0], half[1], half[2] / 2) / np.tan(FOV / 2) + half[2]
    right = np.cross([0, 1, 0], back)
    right /= np.linalg.norm(right)
    matrix = np.eye(4)
    matrix[:3, :3] = np.stack([right, np.cross(back, right), back], axis=1)
    matrix[:3, 3] = middle + back * distance
    lens = {
        "type": "perspective",
        "name": name,
        "perspective": {"yfov": FOV, "aspectRatio": 1, "znear": distance * 0.05, "zfar": distance * 20},
    }
    return lens, {"name": name, "matrix": matrix.T.reshape(-1).tolist()}


def with_cameras(glb):
    document = copy.deepcopy(glb.json)
    at, in_head = points(glb)
    front = -1.0 if "VRM" in document.get("extensions", {}) else 1.0
    face, body = [np.stack([one.min(axis=0), one.max(axis=0)]) for one in (at[in_head], at)]
    turned = np.radians(30)
    views = [
        ("front", face, [0, 0, front]),
        ("body", body, [0.35 * front, 0.15, front]),
        ("threequarter", face, [np.sin(turned) * front, 0.05, np.cos(turned) * front]),
    ]
    document["cameras"] = []
    scene = document["scenes"][document.get("scene", 0)]
    for name, box, direction in views:
        lens, node = camera(name, box, direction)
        scene["nodes"] = scene["nodes"] + [len(document["nodes"])]
        document["nodes"].append(node | {"camera": len(document["cameras"])})
        document["cameras"].append(lens)
    return document


def as_unity(document):
    document = copy.deepcopy(document)
    for material in document["extensions"].get("VRM", {}).get("materialProperties", []):
        if material.get("shader") != "VRM/MToon":
            continue
        textures, floats, vectors = [
            material.setdefault(f"{kind}Properties", {}) for kind in ("texture", "float", "vector")
        ]
        if "_MainTex" in textures:
            textures.setdefault("_ShadeTexture", textures["_MainTex"])
        floats["_RimLightingMix"] = 1.0
        if "_EmissionColor" in vectors:
            vectors["_EmissionColor"] = [max(x, 0) ** (1 / 2.2) for x in vectors["_EmissionColor"]]
    return document


def with_mipmaps(document):
    document = copy.deepcopy(document)
    for sampler in document.get("samplers", []):
        sampler["minFilter"] = {9728: 9984, 9729: 9987}.get(sampler.get("minFilter"), sampler.get("minFilter", 9987))
    return document


def material_parameters(glb):
    """What the materials of a file say, with digests of pictures in place of indices."""
    document = glb.json

    def picture(index):
        texture = document["textures"][index] if isinstance(index, int) and index < len(document["textures"]) else {}
        image = document["images"][texture["source"]] if "source" in texture else {}
        view = document["bufferViews"][image["bufferView"]] if "bufferView" in image else {"byteLength": 0}
        start = view.get("byteOffset", 0)
        sampler = document.get("samplers", [])[texture["sampler"]] if "sampler" in texture else {}
        return [hashlib.sha1(glb.bin[start : start + view["byteLength"]]).hexdigest()[:12], sampler]

    # Values that mean the same when they are left out.
    usual = {
        "alphaMode": "OPAQUE", "alphaCutoff": 0.5, "doubleSided": False, "emissiveFactor": [0, 0, 0], "texCoord": 0,
        "metallicFactor": 1, "roughnessFactor": 1, "baseColorFactor": [1, 1, 1, 1], "wrapS": 10497, "wrapT": 10497,
        "KHR_texture_transform": {"offset": [0, 0], "scale": [1, 1]}, "magFilter": 9729, "minFilter": 9987,
    }  # fmt: skip

    def plain(value, key=""):
        if isinstance(value, dict):
            items = {
                name: plain(picture(one)) if name == "index" or key == "textureProperties" else plain(one, name)
                for name, one in value.items()
            }
            return {name: one for name, one in items.items() if one not in ({}, []) and usual.get(name) != one}
        if isinstance(value, list):
            return [plain(one) for one in value]
        # A number is one of 32 bits in the program.
        return float(f"{value:.6g}") if isinstance(value, float) else value

    vrm = document.get("extensions", {})
    return {
        "materials": plain(document.get("materials", [])),
        "properties": plain(vrm.get("VRM", {}).get("materialProperties", [])),
        "first person": plain(vrm.get("VRMC_vrm", vrm.get("VRM", {})).get("firstPerson", {})),
        "constraints": [
            node.get("extensions", {}).get("VRMC_node_constraint") for node in document["nodes"] if "extensions" in node
        ],
    }


def differences(one, other, path=""):
    """Paths where two documents differ, with both values."""
    if isinstance(one, dict) and isinstance(other, dict):
        for key in sorted(set(one) | set(other)):
            yield from differences(one.get(key), other.get(key), f"{path}/{key}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for index, pair in enumerate(zip(one, other)):
            yield from differences(*pair, f"{path}/{index}")
    elif one != other:
        yield f"{path}: {json.dumps(one)} became {json.dumps(other)}"


def toon_materials(document):
    """The names of MToon materials and their outlines, as three-vrm calls them."""
    properties = document.get("extensions", {}).get("VRM", {}).get("materialProperties", [])
    names = []
    for index, material in enumerate(document.get("materials", [])):
        shader = properties[index].get("shader", "") if index < len(properties) else ""
        if "VRMC_materials_mtoon" in material.get("extensions", {}) or shader == "VRM/MToon":
            names += [material.get("name", ""), f"{material.get('name', '')} (Outline)"]
    return names


def shapes(document):
    """The name in Smirk and the index of up to two shapes of the face, of an avatar whose mesh with shapes is one."""
    meshes = [mesh for mesh in document["meshes"] if mesh["primitives"][0].get("targets")]
    if len(meshes) != 1:
        return []
    extras = [meshes[0]["primitives"][0].get("extras"), meshes[0].get("extras")]
    names = next((one["targetNames"] for one in extras if one and one.get("targetNames")), [])
    found = [(name, names.index(name)) for end in ("v_aa", "v_ou", "blink") for name in names if name.endswith(end)]
    return found[:2]


def expressions(document):
    """Pairs: the name in Smirk, and the name in three-vrm, of expressions that do something; or see `shapes`."""
    extensions = document["extensions"]
    if "VRMC_vrm" in extensions:
        groups = extensions["VRMC_vrm"].get("expressions", {})
        found = [
            (name, name)
            for group in groups.values()
            for name, one in group.items()
            if any(one.get(kind) for kind in ("morphTargetBinds", "materialColorBinds", "textureTransformBinds"))
        ]
    else:
        groups = extensions["VRM"].get("blendShapeMaster", {}).get("blendShapeGroups", [])
        found = [
            (
                one["name"],
                VRM0_PRESETS.get(one["presetName"].lower(), one["presetName"].lower())
                if one.get("presetName", "unknown").lower() != "unknown"
                else one["name"],
            )
            for one in groups
            if one.get("binds") or one.get("materialValues")
        ]
    ranked = sorted(found, key=lambda pair: WANTED.index(pair[1]) if pair[1] in WANTED else len(WANTED))
    return ranked[:2] or shapes(document)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--smirk", help="the program; without it, only three-vrm draws")
    parser.add_argument("--npm", required=True)
    parser.add_argument("-o", "--output", required=True)
    parser.add_argument("--size", type=int, default=768)
    parser.add_argument("--samples", type=int, default=32)
    parser.add_argument("--mode", action="append", default=[])
    parser.add_argument("--as-three", action="store_true")
    parser.add_argument("--saved", action="store_true")
    parser.add_argument("--keep", action="store_true", help="keep what three-vrm has drawn before")
    parser.add_argument("avatars", nargs="+")
    args = parser.parse_args()
    out = Path(args.output).resolve()
    out.mkdir(parents=True, exist_ok=True)
    shots, jobs = [], []
    for path in args.avatars:
        name = Path(path).stem
        glb = Glb(path)
        document = with_cameras(glb)
        glb.save(out / f"{name}.vrm", document)
        reference = out / f"{name}.three.vrm"
        glb.save(reference, document if args.as_three else with_mipmaps(as_unity(document)))
        front = -1.0 if "VRM" in document["extensions"] else 1.0
        light = {"direction": [TO_LIGHT[0] * front, TO_LIGHT[1], TO_LIGHT[2] * front], "intensity": DIRECT * np.pi}
        cases = [("front", "", None), ("threequarter", "", None), ("body", "", None)]
        cases += [(view, f"-{pair[1]}", pair) for pair in expressions(document) for view in ("front", "threequarter")]
        for view, suffix, pair in cases:
            stem = out / f"{name}-{view}{suffix}"
            shot = {
                "model": str(reference),
                "size": [args.size] * 2,
                "camera": view,
                "light": light,
                "ambient": [AMBIENT * np.pi] * 3,
                "samples": args.samples,
                "out": f"{stem}.three.png",
                "expressions": {pair[1]: 1} if pair and isinstance(pair[1], str) else {},
                "shapes": {pair[1]: 1} if pair and isinstance(pair[1], int) else {},
                "oneBind": not args.as_three,
            }
            if not (args.keep and Path(shot["out"]).exists()):
                shots += [shot, shot | {"materials": True, "out": f"{stem}.levels.png"}]
            if args.saved:
                shots.append(shot | {"model": str(out / f"{name}.saved.vrm"), "out": f"{stem}.saved.png"})
            jobs.append((name, stem, view, pair, toon_materials(document)))
        if args.saved:
            run = subprocess.run(
                [args.smirk, "convert", out / f"{name}.vrm", "-o", out / f"{name}.saved.vrm"],
                capture_output=True,
                text=True,
                check=False,
            )
            if run.returncode != 0:
                sys.exit(run.stderr.strip())
            changed = list(
                differences(*[material_parameters(Glb(out / f"{name}.{end}")) for end in ("vrm", "saved.vrm")])
            )
            print(f"{name}: {len(changed)} parameters changed", *changed[:20], sep="\n      ")
    if shots:
        (out / "shots.json").write_text(json.dumps(shots))
        subprocess.run(
            ["node", HERE.resolve() / "mtoon.mjs", out / "shots.json"],
            cwd=args.npm,
            check=False,
            stdout=subprocess.DEVNULL,
        )
    if not args.smirk:
        return
    results, failed = {}, False
    for name, stem, view, pair, toon in jobs:
        drawn = f"{stem}.{'saved' if args.saved else 'smirk'}.png"
        command = [
            args.smirk,
            "render",
            out / f"{name}.vrm",
            "-o",
            drawn,
            "--size",
            f"{args.size}x{args.size}",
            "--camera",
            view,
            "--samples",
            str(args.samples),
            "--transparent",
        ]
        command += ["--pose", f"{pair[0]}=1"] if pair else []
        if not args.saved:
            run = subprocess.run(
                command, capture_output=True, text=True, check=False, env=os.environ | {"SMIRK_LOG": "error"}
            )
            if run.returncode != 0:
                print(f"{stem.name}: {run.stderr.strip()}", file=sys.stderr)
        if not (Path(drawn).exists() and Path(f"{stem}.three.png").exists()):
            failed = True
            print(f"{stem.name}: a picture is missing", file=sys.stderr)
            continue
        names = json.loads(Path(f"{stem}.levels.png.json").read_text())
        found, *pictures = compare(drawn, f"{stem}.three.png", f"{stem}.levels.png", names, toon)
        results[stem.name] = found
        whole, inside = found["all"], found["inside"]
        sheet(f"{stem}.sheet.png", *pictures, f"{stem.name}: mean {whole['mean']}, 99 % {whole['p99']}")
        verdict = "ok  " if whole["mean"] <= 4 and whole["p99"] <= 24 else "FAR "
        print(
            f"{verdict}{stem.name:42} all {whole['mean']:6} {whole['p99']:6}"
            f"  inside {inside['mean']:6} {inside['p99']:6}"
            f"  MToon {found['toon']['mean']:6} {found['toon']['p99']:6}"
            f"  one alone {found['covered by one alone']:.4f}"
        )
        for mode in args.mode:
            other = f"{stem}.{mode}.png"
            subprocess.run(
                [*map(str, command[:3]), "-o", other, *map(str, command[5:]), "--mode", mode],
                check=True,
                capture_output=True,
            )
            print(f"      {mode}: most {compare(drawn, other)[0]['all']['most']}")
    (out / "figures.json").write_text(json.dumps(results, indent=1))
    print(f"\n{'avatar':24}{'faces':>6}{'mean':>8}{'99 %':>7}{'MToon: mean':>13}{'99 %':>7}")
    for name in dict.fromkeys(job[0] for job in jobs):
        stems = [stem for owner, stem, view, *_ in jobs if owner == name and stem.name in results]
        faces = [results[stem.name] for stem in stems if not stem.name.endswith("-body")]
        worst = [max((one[part][key] for one in faces), default=0) for part in ("all", "toon") for key in ("mean", "p99")]
        print(f"{name:24}{len(faces):6}{worst[0]:8}{worst[1]:7}{worst[2]:13}{worst[3]:7}")
        contact_sheet(out / f"{name}.contact.png", [Path(f"{stem}.sheet.png") for stem in stems])
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
