"""Writes VRM files that vary every parameter of MToon, each on a sphere of its own: VRM 1.0 (`mtoon1_*.vrm`) and the
properties of VRM 0.x (`mtoon0_*.vrm`). `mtoon_avatars.py` draws them; figures by material say which parameter differs.

  python mtoon_models.py FOLDER

Needs NumPy and Pillow."""

import io
import json
import struct
import sys
from pathlib import Path

import numpy as np
from PIL import Image

RADIUS, SPACING, HEIGHT = 0.05, 0.13, 1.5
BONES = {  # The bones that VRM requires, with their parents.
    "hips": None,
    "spine": "hips",
    "head": "spine",
    **{
        f"{side}{bone}": parent if parent in ("hips", "spine") else f"{side}{parent}"
        for side in ("left", "right")
        for bone, parent in (
            ("UpperLeg", "hips"),
            ("LowerLeg", "UpperLeg"),
            ("Foot", "LowerLeg"),
            ("UpperArm", "spine"),
            ("LowerArm", "UpperArm"),
            ("Hand", "LowerArm"),
        )
    },
}


def png(pixels):
    buffer = io.BytesIO()
    Image.fromarray((np.clip(pixels, 0, 1) * 255 + 0.5).astype(np.uint8)).save(buffer, "PNG")
    return buffer.getvalue()


def pictures():
    y, x = np.mgrid[0:256, 0:256] / 255
    cells = (np.floor(x * 8) + np.floor(y * 8)) % 2
    stack = lambda *channels: np.stack([channel + 0 * x for channel in channels], axis=2)  # noqa: E731
    ball_x, ball_y = 2 * x - 1, 1 - 2 * y
    ball_z = np.sqrt(np.clip(1 - ball_x**2 - ball_y**2, 0, 1))
    shine = np.clip(0.5 * ball_x + 0.6 * ball_y + 0.6 * ball_z, 0, 1) ** 6
    return {
        "checks": stack(0.55 + 0.4 * cells, 0.5 + 0.3 * x, 0.85 - 0.4 * cells * y),
        "dark checks": stack(0.25 + 0.2 * cells, 0.2 + 0.2 * x, 0.45 - 0.2 * cells),
        "ramp": stack(x, y, 1 - x),
        "matcap": stack(shine, 0.6 * shine + 0.1 * ball_z, 0.25 * np.clip(-ball_x, 0, 1)),
        "bumps": stack(0.5 + 0.35 * np.cos(40 * x), 0.5 + 0.35 * np.cos(40 * y), np.full_like(x, 0.9)),
        "holes": np.dstack([stack(0.8, 0.4 + 0.4 * x, 0.3), 0.5 + 0.5 * np.sin(25 * x) * np.sin(25 * y)]),
        "halves": np.dstack([stack(0.3, 0.6, 0.9), np.full_like(x, 0.5)]),
    }


class Avatar:
    def __init__(self, name, is_vrm0):
        self.name, self.is_vrm0, self.data = name, is_vrm0, b""
        self.json = {
            "asset": {"version": "2.0", "generator": "mtoon_models.py"},
            "scene": 0,
            "buffers": [],
            "bufferViews": [],
            "accessors": [],
            "images": [],
            "textures": [],
            "samplers": [{"wrapS": 10497, "wrapT": 10497}],
            "materials": [],
            "meshes": [],
            "nodes": [],
        }
        self.properties, self.textures = [], {}
        for bone, parent in BONES.items():
            self.json["nodes"].append({"name": bone, "translation": [0, 1.0 if parent is None else 0.0, 0]})
            if parent:
                above = self.json["nodes"][list(BONES).index(parent)]
                above.setdefault("children", []).append(len(self.json["nodes"]) - 1)
        for name, pixels in pictures().items():
            self.textures[name] = len(self.json["textures"])
            self.json["images"].append({"name": name, "mimeType": "image/png", "bufferView": self.view(png(pixels))})
            self.json["textures"].append({"source": self.textures[name], "sampler": 0})

    def view(self, data):
        self.data += b"\0" * (-len(self.data) % 4)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.data), "byteLength": len(data)})
        self.data += data
        return len(self.json["bufferViews"]) - 1

    def accessor(self, values, kind):
        values = np.ascontiguousarray(values)
        entry = {
            "bufferView": self.view(values.tobytes()),
            "count": len(values),
            "type": kind,
            "componentType": 5126 if values.dtype == np.float32 else 5123,
        }
        if kind == "VEC3":
            entry |= {"min": values.min(axis=0).tolist(), "max": values.max(axis=0).tolist()}
        self.json["accessors"].append(entry)
        return len(self.json["accessors"]) - 1

    def texture(self, name, **others):
        return {"index": self.textures[name], **others}

    def sphere(self, material, at, scale=1.0):
        """A sphere of a material; its target stretches it, and it hangs on the head."""
        rows, columns = 24, 36
        v, u = np.mgrid[0 : rows + 1, 0 : columns + 1]
        polar, around = np.pi * v / rows, 2 * np.pi * u / columns
        normal = np.stack([-np.sin(polar) * np.sin(around), np.cos(polar), -np.sin(polar) * np.cos(around)], axis=2)
        normal = normal.reshape(-1, 3).astype(np.float32)
        uv = np.stack([u / columns, v / rows], axis=2).reshape(-1, 2).astype(np.float32)
        first = (np.arange(rows)[:, None] * (columns + 1) + np.arange(columns)).ravel()
        faces = np.stack(
            [first, first + columns + 1, first + 1, first + 1, first + columns + 1, first + columns + 2], axis=1
        )
        target = normal * np.array([0.25, -0.15, 0.1], np.float32) * RADIUS * scale
        primitive = {
            "attributes": {
                "POSITION": self.accessor(normal * np.float32(RADIUS * scale), "VEC3"),
                "NORMAL": self.accessor(normal, "VEC3"),
                "TEXCOORD_0": self.accessor(uv, "VEC2"),
            },
            "indices": self.accessor(faces.ravel().astype(np.uint16), "SCALAR"),
            "material": material,
            "targets": [{"POSITION": self.accessor(target, "VEC3")}],
        }
        self.json["meshes"].append(
            {
                "name": f"sphere {material}",
                "primitives": [primitive],
                "extras": {"targetNames": ["stretched"]},
                "weights": [0],
            }
        )
        turn = -1 if self.is_vrm0 else 1
        node = {
            "name": f"sphere {len(self.json['nodes'])}",
            "mesh": len(self.json["meshes"]) - 1,
            "translation": [turn * at[0], at[1] - 1.0, turn * at[2]],
        }
        if self.is_vrm0:
            node["rotation"] = [0, 1, 0, 0]
        self.json["nodes"].append(node)
        head = self.json["nodes"][list(BONES).index("head")]
        head.setdefault("children", []).append(len(self.json["nodes"]) - 1)

    def grid(self, count, columns=5):
        rows = -(-count // columns)
        return [
            (
                (index % columns - (columns - 1) / 2) * SPACING,
                HEIGHT + ((rows - 1) / 2 - index // columns) * SPACING,
                0.0,
            )
            for index in range(count)
        ]

    def material1(self, name, base=(1, 1, 1, 1), texture=None, gltf=None, **mtoon):
        defaults = {"specVersion": "1.0", "shadeColorFactor": [0.35, 0.2, 0.3], "shadingToonyFactor": 0.9}
        roughness = {"baseColorFactor": list(base)}
        if texture:
            roughness["baseColorTexture"] = texture
        self.json["materials"].append(
            {
                "name": name,
                "pbrMetallicRoughness": roughness,
                **(gltf or {}),
                "extensions": {"KHR_materials_unlit": {}, "VRMC_materials_mtoon": defaults | mtoon},
            }
        )

    def material0(self, name, floats=None, vectors=None, textures=None, keywords=(), queue=2000, shader="VRM/MToon"):
        self.json["materials"].append({"name": name, "pbrMetallicRoughness": {"baseColorFactor": [1, 1, 1, 1]}})
        self.properties.append(
            {
                "name": name,
                "shader": shader,
                "renderQueue": queue,
                "tagMap": {},
                "keywordMap": dict.fromkeys(keywords, True),
                "floatProperties": {
                    "_Cutoff": 0.5,
                    "_ShadeShift": 0,
                    "_ShadeToony": 0.9,
                    "_CullMode": 2,
                    "_ZWrite": 1,
                    "_IndirectLightIntensity": 0.1,
                    "_RimLightingMix": 0,
                    "_RimFresnelPower": 1,
                    "_RimLift": 0,
                    "_OutlineWidthMode": 0,
                    "_OutlineWidth": 0.5,
                    "_OutlineColorMode": 0,
                }
                | (floats or {}),
                "vectorProperties": {
                    "_Color": [0.9, 0.7, 0.6, 1],
                    "_ShadeColor": [0.6, 0.45, 0.55, 1],
                    "_EmissionColor": [0, 0, 0, 1],
                    "_RimColor": [0, 0, 0, 1],
                    "_OutlineColor": [0, 0, 0, 1],
                }
                | (vectors or {}),
                "textureProperties": {key: self.textures[value] for key, value in (textures or {}).items()},
            }
        )

    def fill(self):
        for index, at in enumerate(self.grid(len(self.json["materials"]))):
            self.sphere(index, at)
        return self

    def save(self, folder, expressions=None, first_person=None):
        document = self.json
        document["scenes"] = [{"nodes": [0]}]
        document["buffers"] = [{"byteLength": len(self.data)}]
        if self.is_vrm0:
            document["extensionsUsed"] = ["VRM"]
            bones = [{"bone": bone, "node": index} for index, bone in enumerate(BONES)]
            document["extensions"] = {
                "VRM": {
                    "specVersion": "0.0",
                    "meta": {"title": self.name, "author": "mtoon_models.py", "licenseName": "CC0"},
                    "humanoid": {"humanBones": bones},
                    "materialProperties": self.properties,
                    "firstPerson": {},
                    "blendShapeMaster": {
                        "blendShapeGroups": [
                            {
                                "name": "Joy",
                                "presetName": "joy",
                                "isBinary": False,
                                "materialValues": [],
                                "binds": [
                                    {"mesh": mesh, "index": 0, "weight": 100} for mesh in range(len(document["meshes"]))
                                ],
                            }
                        ]
                    },
                    "secondaryAnimation": {"boneGroups": [], "colliderGroups": []},
                }
            }
        else:
            document["extensionsUsed"] = [
                "VRMC_vrm",
                "VRMC_materials_mtoon",
                "KHR_materials_unlit",
                "KHR_texture_transform",
                "KHR_materials_emissive_strength",
                "VRMC_node_constraint",
            ]
            meshes = [index for index, node in enumerate(document["nodes"]) if "mesh" in node]
            document["extensions"] = {
                "VRMC_vrm": {
                    "specVersion": "1.0",
                    "meta": {
                        "name": self.name,
                        "authors": ["mtoon_models.py"],
                        "licenseUrl": "https://vrm.dev/licenses/1.0/",
                    },
                    "humanoid": {"humanBones": {bone: {"node": index} for index, bone in enumerate(BONES)}},
                    "firstPerson": {"meshAnnotations": first_person or []},
                    "expressions": {
                        "preset": {
                            "happy": {"morphTargetBinds": [{"node": node, "index": 0, "weight": 1} for node in meshes]}
                        },
                        "custom": expressions or {},
                    },
                }
            }
        text = json.dumps(document).encode()
        text += b" " * (-len(text) % 4)
        data = self.data + b"\0" * (-len(self.data) % 4)
        body = struct.pack("<I", len(text)) + b"JSON" + text + struct.pack("<I", len(data)) + b"BIN\0" + data
        (Path(folder) / f"{self.name}.vrm").write_bytes(b"glTF" + struct.pack("<II", 2, 12 + len(body)) + body)


def vrm1(folder):
    shading = Avatar("mtoon1_shading", False)
    for toony in (0.0, 0.5, 0.95, 1.0):
        for shift in (-0.5, 0.0, 0.5):
            shading.material1(
                f"toony {toony} shift {shift}", (0.8, 0.5, 0.4, 1), shadingToonyFactor=toony, shadingShiftFactor=shift
            )
    shading.material1("base texture", texture=shading.texture("checks"))
    shading.material1(
        "shade texture",
        texture=shading.texture("checks"),
        shadeColorFactor=[1, 1, 1],
        shadeMultiplyTexture=shading.texture("dark checks"),
        shadingToonyFactor=0.5,
    )
    shading.material1("shift texture", (0.8, 0.5, 0.4, 1), shadingShiftTexture=shading.texture("ramp", scale=1.0))
    shading.material1(
        "shift texture scale -1", (0.8, 0.5, 0.4, 1), shadingShiftTexture=shading.texture("ramp", scale=-1.0)
    )
    shading.material1("gi equalization 0", (0.8, 0.5, 0.4, 1), giEqualizationFactor=0.0)
    shading.material1(
        "normal map",
        texture=shading.texture("checks"),
        gltf={"normalTexture": shading.texture("bumps", scale=1.0)},
        shadingToonyFactor=0.3,
    )
    shading.material1(
        "normal map scale 0.4",
        (0.8, 0.5, 0.4, 1),
        gltf={"normalTexture": shading.texture("bumps", scale=0.4)},
        shadingToonyFactor=0.3,
    )
    shading.json["materials"].append(
        {
            "name": "unlit",
            "pbrMetallicRoughness": {"baseColorFactor": [0.8, 0.5, 0.4, 1]},
            "extensions": {"KHR_materials_unlit": {}},
        }
    )
    shading.fill().save(folder)

    rim = Avatar("mtoon1_rim", False)
    base = (0.3, 0.2, 0.25, 1)
    for power in (0.0, 1.0, 5.0, 20.0):
        rim.material1(
            f"fresnel {power}", base, parametricRimColorFactor=[0.2, 0.5, 0.9], parametricRimFresnelPowerFactor=power
        )
    for lift in (0.3, -0.3, 1.0):
        rim.material1(
            f"lift {lift}",
            base,
            parametricRimColorFactor=[0.2, 0.5, 0.9],
            parametricRimFresnelPowerFactor=3.0,
            parametricRimLiftFactor=lift,
        )
    for mix in (0.0, 0.5):
        rim.material1(
            f"lighting mix {mix}",
            base,
            parametricRimColorFactor=[0.2, 0.5, 0.9],
            parametricRimFresnelPowerFactor=3.0,
            rimLightingMixFactor=mix,
        )
    rim.material1(
        "rim texture",
        base,
        parametricRimColorFactor=[1, 1, 1],
        parametricRimFresnelPowerFactor=2.0,
        rimMultiplyTexture=rim.texture("checks"),
    )
    rim.material1("matcap", base, matcapTexture=rim.texture("matcap"))
    rim.material1("matcap factor", base, matcapTexture=rim.texture("matcap"), matcapFactor=[0.2, 0.6, 1.0])
    rim.material1(
        "matcap, rim, texture",
        base,
        matcapTexture=rim.texture("matcap"),
        parametricRimColorFactor=[0.4, 0.1, 0],
        rimMultiplyTexture=rim.texture("checks"),
    )
    rim.material1("emissive", base, gltf={"emissiveFactor": [0.1, 0.4, 0.2]})
    rim.material1(
        "emissive texture", base, gltf={"emissiveFactor": [0.5, 0.5, 0.5], "emissiveTexture": rim.texture("checks")}
    )
    rim.material1("emissive strength", base, gltf={"emissiveFactor": [0.1, 0.1, 0.05]})
    rim.json["materials"][-1]["extensions"]["KHR_materials_emissive_strength"] = {"emissiveStrength": 3.0}
    rim.fill().save(folder)

    outline = Avatar("mtoon1_outline", False)
    for mode, widths in (("worldCoordinates", (0.001, 0.004, 0.012)), ("screenCoordinates", (0.002, 0.006, 0.02))):
        for width in widths:
            outline.material1(
                f"{mode} {width}",
                (0.8, 0.6, 0.5, 1),
                outlineWidthMode=mode,
                outlineWidthFactor=width,
                outlineColorFactor=[0.1, 0.02, 0.3],
                outlineLightingMixFactor=0.0,
            )
        outline.material1(
            f"{mode} texture",
            (0.8, 0.6, 0.5, 1),
            outlineWidthMode=mode,
            outlineWidthFactor=0.012,
            outlineColorFactor=[0.1, 0.02, 0.3],
            outlineLightingMixFactor=0.0,
            outlineWidthMultiplyTexture=outline.texture("ramp"),
        )
    for mix in (0.0, 0.5, 1.0):
        outline.material1(
            f"lighting mix {mix}",
            (0.8, 0.6, 0.5, 1),
            outlineWidthMode="worldCoordinates",
            outlineWidthFactor=0.015,
            outlineColorFactor=[0.9, 0.5, 0.2],
            outlineLightingMixFactor=mix,
        )
    outline.material1(
        "texture and mix",
        texture=outline.texture("checks"),
        outlineWidthMode="worldCoordinates",
        outlineWidthFactor=0.015,
        outlineColorFactor=[0.9, 0.9, 0.9],
        outlineLightingMixFactor=1.0,
        parametricRimColorFactor=[0.2, 0.1, 0.0],
    )
    outline.material1(
        "double sided",
        (0.8, 0.6, 0.5, 1),
        gltf={"doubleSided": True},
        outlineWidthMode="worldCoordinates",
        outlineWidthFactor=0.008,
        outlineColorFactor=[0.1, 0.4, 0.1],
        outlineLightingMixFactor=0.0,
    )
    outline.material1(
        "masked",
        texture=outline.texture("holes"),
        gltf={"alphaMode": "MASK", "alphaCutoff": 0.4},
        outlineWidthMode="worldCoordinates",
        outlineWidthFactor=0.006,
        outlineColorFactor=[0, 0, 0],
        outlineLightingMixFactor=0.0,
    )
    outline.material1(
        "blended",
        (1, 1, 1, 0.8),
        gltf={"alphaMode": "BLEND"},
        outlineWidthMode="worldCoordinates",
        outlineWidthFactor=0.006,
        outlineColorFactor=[0.4, 0, 0],
        outlineLightingMixFactor=0.0,
    )
    outline.fill().save(folder)

    alpha = Avatar("mtoon1_alpha", False)
    modes = [
        ("opaque with alpha", {"alphaMode": "OPAQUE"}, {}),
        ("mask .5", {"alphaMode": "MASK"}, {}),
        ("mask .8", {"alphaMode": "MASK", "alphaCutoff": 0.8}, {}),
        ("mask double", {"alphaMode": "MASK", "doubleSided": True}, {}),
        ("blend", {"alphaMode": "BLEND"}, {}),
        ("blend double", {"alphaMode": "BLEND", "doubleSided": True}, {}),
        ("blend z write", {"alphaMode": "BLEND"}, {"transparentWithZWrite": True}),
    ]
    for name, gltf, mtoon in modes:
        alpha.material1(name, texture=alpha.texture("holes"), gltf=gltf, **mtoon)
    for index, at in enumerate(alpha.grid(len(modes), 4)):
        alpha.sphere(index, at)
    # Three spheres one behind another, drawn in the order of their queues.
    for group, (offsets, z_write) in enumerate(
        (((0, -1, -2), False), ((-2, -1, 0), False), ((0, 1, 2), True), ((2, 1, 0), True))
    ):
        for place, offset in enumerate(offsets):
            colour = [0.1, 0.1, 0.1, 0.6]
            colour[place] = 0.9
            alpha.material1(
                f"queue {offset}{' z write' if z_write else ''} {place}",
                colour,
                gltf={"alphaMode": "BLEND"},
                transparentWithZWrite=z_write,
                renderQueueOffsetNumber=offset,
            )
            at = ((group - 1.5) * SPACING + (place - 1) * 0.03, HEIGHT - 2 * SPACING, (place - 1) * 0.06)
            alpha.sphere(len(alpha.json["materials"]) - 1, at, 0.8)
    alpha.save(folder)

    uv = Avatar("mtoon1_uv", False)
    moved = {"KHR_texture_transform": {"offset": [0.1, 0.2], "scale": [2, 0.5], "rotation": 0.4}}
    for name, texture, mtoon in (
        ("scroll x", {}, {"uvAnimationScrollXSpeedFactor": 0.1}),
        ("scroll y", {}, {"uvAnimationScrollYSpeedFactor": 0.1}),
        ("rotation", {}, {"uvAnimationRotationSpeedFactor": 0.5}),
        (
            "all with mask",
            {},
            {
                "uvAnimationScrollXSpeedFactor": 0.2,
                "uvAnimationScrollYSpeedFactor": -0.1,
                "uvAnimationRotationSpeedFactor": 0.3,
                "uvAnimationMaskTexture": uv.texture("ramp"),
            },
        ),
        ("transform", {"extensions": moved}, {}),
        ("transform and scroll", {"extensions": moved}, {"uvAnimationScrollXSpeedFactor": 0.1}),
    ):
        uv.material1(
            name,
            texture=uv.texture("checks", **texture),
            shadeColorFactor=[1, 1, 1],
            shadeMultiplyTexture=uv.texture("dark checks", **texture),
            **mtoon,
        )
    uv.fill().save(folder)

    binds = Avatar("mtoon1_binds", False)
    for name in ("color", "emissionColor", "shadeColor", "matcapColor", "rimColor", "outlineColor", "uv"):
        binds.material1(
            name,
            texture=binds.texture("checks"),
            matcapTexture=binds.texture("matcap"),
            parametricRimColorFactor=[0.2, 0.1, 0.3],
            outlineWidthMode="worldCoordinates",
            outlineWidthFactor=0.006,
            outlineColorFactor=[0.1, 0.1, 0.1],
            shadeMultiplyTexture=binds.texture("dark checks"),
        )
    colours = [
        {"material": index, "type": kind, "targetValue": [0.1, 0.7, 0.3, 1]}
        for index, kind in enumerate(
            ("color", "emissionColor", "shadeColor", "matcapColor", "rimColor", "outlineColor")
        )
    ]
    binds.fill().save(
        folder,
        {
            "colours": {"materialColorBinds": colours},
            "uv": {"textureTransformBinds": [{"material": 6, "scale": [2, 2], "offset": [0.25, 0.1]}]},
        },
    )

    # Spheres that aim at the first one, by an axis and a weight; and spheres that the first or the third person sees.
    aim = Avatar("mtoon1_constraints", False)
    for name in ("source", "+x", "-x", "+y", "+z", "-z half", "both", "auto", "third person only", "first person only"):
        aim.material1(
            name,
            texture=aim.texture("checks"),
            shadeColorFactor=[1, 1, 1],
            shadeMultiplyTexture=aim.texture("dark checks"),
        )
    aim.fill()
    nodes = [index for index, node in enumerate(aim.json["nodes"]) if "mesh" in node]
    axes = (("PositiveX", 1), ("NegativeX", 1), ("PositiveY", 1), ("PositiveZ", 1), ("NegativeZ", 0.5))
    for node, (axis, weight) in zip(nodes[1:], axes):
        aim.json["nodes"][node]["extensions"] = {
            "VRMC_node_constraint": {
                "specVersion": "1.0",
                "constraint": {"aim": {"source": nodes[0], "aimAxis": axis, "weight": weight}},
            }
        }
    seen = ("both", "auto", "thirdPersonOnly", "firstPersonOnly")
    aim.save(folder, first_person=[{"node": node, "type": kind} for node, kind in zip(nodes[6:], seen)])


def vrm0(folder):
    shading = Avatar("mtoon0_shading", True)
    for toony in (0.0, 0.5, 0.9, 1.0):
        for shift in (-0.5, 0.0, 0.3):
            shading.material0(f"toony {toony} shift {shift}", {"_ShadeToony": toony, "_ShadeShift": shift})
    white = {"_Color": [1, 1, 1, 1], "_ShadeColor": [1, 1, 1, 1]}
    shading.material0("both textures", vectors=white, textures={"_MainTex": "checks", "_ShadeTexture": "dark checks"})
    shading.material0("main texture alone", textures={"_MainTex": "checks"})
    shading.material0(
        "scale and offset",
        vectors=white | {"_MainTex": [0.1, 0.2, 2, 3]},
        textures={"_MainTex": "checks", "_ShadeTexture": "dark checks"},
    )
    shading.material0(
        "normal map", {"_BumpScale": 0.7, "_ShadeToony": 0.3}, textures={"_BumpMap": "bumps"}, keywords=["_NORMALMAP"]
    )
    shading.material0("emission", vectors={"_EmissionColor": [0.2, 0.5, 0.1, 1]})
    shading.material0(
        "emission texture", vectors={"_EmissionColor": [0.5, 0.5, 0.5, 1]}, textures={"_EmissionMap": "checks"}
    )
    shading.material0("default colours", vectors={"_Color": [1, 1, 1, 1], "_ShadeColor": [0.97, 0.81, 0.86, 1]})
    shading.material0("light lessened", {"_ReceiveShadowRate": 0.3, "_LightColorAttenuation": 0.5})
    shading.fill().save(folder)

    rim = Avatar("mtoon0_rim", True)
    dark = {"_Color": [0.4, 0.3, 0.35, 1], "_ShadeColor": [0.3, 0.2, 0.3, 1]}
    blue = dark | {"_RimColor": [0.3, 0.6, 0.9, 1]}
    for power, lift in ((1, 0), (5, 0), (3, 0.3), (20, 1)):
        rim.material0(f"power {power} lift {lift}", {"_RimFresnelPower": power, "_RimLift": lift}, blue)
    for mix in (0.5, 1.0):
        rim.material0(f"mix {mix}", {"_RimFresnelPower": 3, "_RimLightingMix": mix}, blue)
    rim.material0("rim texture", {"_RimFresnelPower": 3}, blue, {"_RimTexture": "checks"})
    rim.material0("matcap", vectors=dark, textures={"_SphereAdd": "matcap"})
    for mode, width in ((1, 0.1), (1, 1.0), (2, 0.3), (2, 2.0)):
        rim.material0(
            f"outline {mode} {width}",
            {"_OutlineWidthMode": mode, "_OutlineWidth": width},
            {"_OutlineColor": [0.5, 0.2, 0.6, 1]},
        )
    rim.material0(
        "outline texture", {"_OutlineWidthMode": 1, "_OutlineWidth": 1}, textures={"_OutlineWidthTexture": "ramp"}
    )
    for mix in (0.0, 1.0):
        rim.material0(
            f"outline mixed {mix}",
            {"_OutlineWidthMode": 1, "_OutlineWidth": 1, "_OutlineColorMode": 1, "_OutlineLightingMix": mix},
            {"_OutlineColor": [0.9, 0.8, 0.7, 1]},
        )
    rim.fill().save(folder)

    alpha = Avatar("mtoon0_alpha", True)
    white = {"_Color": [1, 1, 1, 1], "_ShadeColor": [0.8, 0.7, 0.8, 1]}
    holes = {"_MainTex": "holes", "_ShadeTexture": "holes"}
    alpha.material0("opaque", {"_BlendMode": 0}, white, holes)
    alpha.material0("cutout", {"_BlendMode": 1, "_Cutoff": 0.6}, white, holes, ["_ALPHATEST_ON"], 2450)
    alpha.material0("cutout double", {"_BlendMode": 1, "_CullMode": 0}, white, holes, ["_ALPHATEST_ON"], 2450)
    alpha.material0("transparent", {"_BlendMode": 2, "_ZWrite": 0}, white, holes, ["_ALPHABLEND_ON"], 3000)
    alpha.material0("transparent z write", {"_BlendMode": 3}, white, holes, ["_ALPHABLEND_ON"], 2501)
    alpha.material0(
        "half transparent",
        {"_BlendMode": 2, "_ZWrite": 0},
        white | {"_Color": [1, 0.8, 0.7, 0.5]},
        {},
        ["_ALPHABLEND_ON"],
        3000,
    )
    for shader in ("UnlitTexture", "UnlitCutout", "UnlitTransparent", "UnlitTransparentZWrite"):
        alpha.material0(
            shader,
            {"_Cutoff": 0.5},
            {"_Color": [1, 0.8, 0.8, 1]},
            {"_MainTex": "holes"},
            queue=3000,
            shader=f"VRM/{shader}",
        )
    alpha.fill().save(folder)


if __name__ == "__main__":
    Path(sys.argv[1]).mkdir(parents=True, exist_ok=True)
    vrm1(sys.argv[1])
    vrm0(sys.argv[1])
