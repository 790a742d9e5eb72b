"""Opens exported animations in Blender and in OpenUSD, and compares the positions of all vertices with what the weights say.

Run by hand, with `pip install bpy usd-core numpy`, on files that Smirk wrote of one head and one range of frames:

    smirk export animation HEAD --take TAKE --frames A-B -o a.glb      (and a.fbx, a.usda; weights.csv with --format csv)
    python tests/animation/blender_check.py a.glb a.fbx a.usda weights.csv > tests/animation/blender_check.json

The reference is computed here: positions and deltas of `a.glb`, read without Blender, and the weights of `weights.csv`. The head has to
be one whose targets of one name have one weight, and without skins.
"""

import csv
import json
import struct
import sys
from pathlib import Path

import bpy
import numpy
from mathutils import Matrix
from pxr import Usd, UsdGeom, UsdSkel

COMPONENTS = {5121: numpy.uint8, 5123: numpy.uint16, 5125: numpy.uint32, 5126: numpy.float32}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}


def read_glb(path):
    """The JSON and the binary chunk."""
    data = Path(path).read_bytes()
    length = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20 : 20 + length]), data[28 + length :]


def view(gltf, chunk, index, kind, count, width, offset=0):
    start = gltf["bufferViews"][index].get("byteOffset", 0) + offset
    return numpy.frombuffer(chunk, kind, count * width, start).reshape(count, width)


def accessor(gltf, chunk, index):
    of = gltf["accessors"][index]
    width, kind = WIDTHS[of["type"]], COMPONENTS[of["componentType"]]
    values = numpy.zeros((of["count"], width), kind)
    if "bufferView" in of:
        values = view(gltf, chunk, of["bufferView"], kind, of["count"], width, of.get("byteOffset", 0)).copy()
    if "sparse" in of:
        sparse = of["sparse"]
        rows = view(gltf, chunk, sparse["indices"]["bufferView"], COMPONENTS[sparse["indices"]["componentType"]], sparse["count"], 1)
        values[rows[:, 0]] = view(gltf, chunk, sparse["values"]["bufferView"], kind, sparse["count"], width)
    return values.astype(float)


def node_matrices(gltf):
    matrices = {}

    def visit(index, parent):
        node = gltf["nodes"][index]
        if "matrix" in node:
            local = numpy.array(node["matrix"]).reshape(4, 4).T
        else:
            x, y, z, w = node.get("rotation", [0, 0, 0, 1])
            rotation = numpy.array([
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ])
            local = numpy.eye(4)
            local[:3, :3] = rotation * numpy.array(node.get("scale", [1, 1, 1]))
            local[:3, 3] = node.get("translation", [0, 0, 0])
        matrices[index] = parent @ local
        for child in node.get("children", []):
            visit(child, matrices[index])

    for root in gltf["scenes"][0]["nodes"]:
        visit(root, numpy.eye(4))
    return matrices


def reference(path, weights):
    """The positions in world space, y up, of all vertices of each mesh, one cloud per frame."""
    gltf, chunk = read_glb(path)
    matrices = node_matrices(gltf)
    meshes = {}
    for index, node in enumerate(gltf["nodes"]):
        if "mesh" not in node:
            continue
        mesh = gltf["meshes"][node["mesh"]]
        # All primitives of a mesh share their vertices; strands of hair are lines.
        primitive = next(it for it in mesh["primitives"] if it.get("mode", 4) == 4)
        positions = accessor(gltf, chunk, primitive["attributes"]["POSITION"])
        names = mesh.get("extras", {}).get("targetNames", [])
        deltas = [accessor(gltf, chunk, target["POSITION"]) for target in primitive.get("targets", [])]
        frames = []
        for row in weights:
            moved = positions + sum((row[name] * delta for name, delta in zip(names, deltas)), numpy.zeros_like(positions))
            frames.append(moved @ matrices[index][:3, :3].T + matrices[index][:3, 3])
        meshes[mesh["name"]] = numpy.array(frames)
    return meshes


def nearest_by_order(cloud, expected):
    """The largest distance: vertex by vertex if both are in one order, else of each vertex to the nearest one."""
    if cloud.shape == expected.shape:
        distance = numpy.linalg.norm(cloud - expected, axis=1).max()
        if distance < 1e-3:
            return float(distance)
    distances = [numpy.linalg.norm(expected - point, axis=1).min() for point in cloud]
    return float(max(distances))


def in_blender(path, frame_count, fps):
    """The positions of all vertices in world space, y up, per mesh and frame; and what Blender is."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps, scene.render.fps_base = fps, 1.0
    suffix = Path(path).suffix
    if suffix == ".glb":
        bpy.ops.import_scene.gltf(filepath=path)
    elif suffix == ".fbx":
        bpy.ops.import_scene.fbx(filepath=path)
    else:
        bpy.ops.wm.usd_import(filepath=path)
    # Blender is z up.
    y_up = numpy.array(Matrix(((1, 0, 0, 0), (0, 0, 1, 0), (0, -1, 0, 0), (0, 0, 0, 1))))
    actions = [action for action in bpy.data.actions]
    start = min((action.frame_range[0] for action in actions), default=0)
    meshes = {}
    for frame in range(frame_count):
        scene.frame_set(int(round(start)) + frame)
        graph = bpy.context.evaluated_depsgraph_get()
        for item in scene.objects:
            if item.type != "MESH":
                continue
            evaluated = item.evaluated_get(graph)
            mesh = evaluated.to_mesh()
            points = numpy.empty(len(mesh.vertices) * 3)
            mesh.vertices.foreach_get("co", points)
            world = y_up @ numpy.array(evaluated.matrix_world)
            placed = points.reshape(-1, 3) @ world[:3, :3].T + world[:3, 3]
            meshes.setdefault(item.name, []).append(placed)
            evaluated.to_mesh_clear()
    return meshes


def in_openusd(path, frame_count):
    """The same by UsdSkel's own skinning."""
    stage = Usd.Stage.Open(path)
    UsdSkel.BakeSkinning(stage.Traverse())
    meshes = {}
    for prim in stage.Traverse():
        if prim.IsA(UsdGeom.Mesh):
            points = UsdGeom.Mesh(prim).GetPointsAttr()
            meshes[prim.GetName()] = [numpy.array(points.Get(frame)) for frame in range(frame_count)]
    return meshes


def compare(found, expected):
    """The largest distance over all meshes of which the reader kept the name, and their number."""
    plain = lambda name: "".join(letter if letter.isalnum() else "_" for letter in name)
    worst, meshes = 0.0, 0
    for name, frames in expected.items():
        match = next((it for it in found if plain(it) == plain(name)), None)
        if match is None:
            continue
        meshes += 1
        for cloud, frame in zip(found[match], frames):
            worst = max(worst, nearest_by_order(cloud, frame))
    return {"meshes": meshes, "largest_distance_metres": worst}


def main(glb, fbx, usda, table):
    with open(table, newline="") as file:
        rows = list(csv.DictReader(file))
    times = [float(row.pop("time")) for row in rows]
    weights = [{name: float(value) for name, value in row.items()} for row in rows]
    fps = round((len(times) - 1) / (times[-1] - times[0]))
    expected = reference(glb, weights)
    count = len(rows)
    moved = max(float(numpy.abs(frames - frames[0]).max()) for frames in expected.values())
    print(
        json.dumps(
            {
                "blender": bpy.app.version_string,
                "openusd": ".".join(map(str, Usd.GetVersion())),
                "frames": count,
                "meshes": len(expected),
                "largest_movement_metres": moved,
                "glb in Blender": compare(in_blender(glb, count, fps), expected),
                "fbx in Blender": compare(in_blender(fbx, count, fps), expected),
                "usda in Blender": compare(in_blender(usda, count, fps), expected),
                "usda in OpenUSD": compare(in_openusd(usda, count), expected),
            },
            indent=2,
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:5])
