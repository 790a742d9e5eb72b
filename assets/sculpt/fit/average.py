"""The scanned average face of ICT-FaceKit (MIT, https://github.com/ICT-VGL/ICT-FaceKit) as triangles in the sculpt's coordinates.

The file is a GLB with all of its meshes in one, in centimetres: the first two primitives are the face and the rest of the skin."""

import json
import struct

import numpy as np

TYPES = {5121: np.uint8, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}
# The middle between its eyes, in its own coordinates, that between the sculpt's eyes, and the ratio of their distances.
ITS_EYES, OUR_EYES, SCALE = np.array([0, 3.6143, 7.9948]), np.array([0, 3.60, 8.06]), 3.17 / 3.0945


def smooth(t):
    t = np.clip(t, 0, 1)
    return t * t * (3 - 2 * t)


def placed(p):
    """Its points in the sculpt's coordinates. The average is of all people; the sculpt is a slim woman's face: narrower beside the
    eyes, at the nose and still more at the jaw, and less high below the eyes."""
    q = (p - ITS_EYES) * SCALE
    narrow = 1 - 0.09 * smooth((np.abs(q[:, 0]) - 3.2) / 3.8)
    # Towards the chin still narrower; the neck is not.
    jaw = smooth((-q[:, 1] - 3.5) / 6.5) * (1 - 0.6 * smooth((-q[:, 1] - 10.5) / 2.5))
    nose = np.exp(-((q[:, 0] / 1.9) ** 4) - ((q[:, 1] + 2.9) / 1.9) ** 4) * smooth((q[:, 2] - 2.0) / 1.0)
    return np.column_stack([q[:, 0] * narrow * (1 - 0.15 * jaw) * (1 - 0.11 * nose), np.where(q[:, 1] < 0, 0.94 * q[:, 1], q[:, 1]), q[:, 2]]) + OUR_EYES


class Average:
    def __init__(self, path):
        data = open(path, "rb").read()
        length = struct.unpack("<I", data[12:16])[0]
        self.json, self.bytes = json.loads(data[20 : 20 + length]), data[28 + length :]
        mesh = self.json["meshes"][0]
        self.parts = mesh["primitives"][:2]
        self.names = mesh["extras"]["targetNames"]
        own, triangles, first = [], [], 0
        for part in self.parts:
            own.append(self.accessor(part["attributes"]["POSITION"]).astype(float))
            triangles.append(self.accessor(part["indices"]).reshape(-1, 3).astype(int) + first)
            first += len(own[-1])
        self.own, self.triangles = np.vstack(own), np.vstack(triangles)
        self.points = placed(self.own)

    def view(self, view, start, kind, count, width):
        offset = self.json["bufferViews"][view].get("byteOffset", 0) + start
        return np.frombuffer(self.bytes, kind, count * width, offset).reshape(count, width)

    def accessor(self, index):
        accessor = self.json["accessors"][index]
        kind, width = np.dtype(TYPES[accessor["componentType"]]), WIDTHS[accessor["type"]]
        if "bufferView" in accessor:
            values = self.view(accessor["bufferView"], accessor.get("byteOffset", 0), kind, accessor["count"], width).copy()
        else:
            values = np.zeros((accessor["count"], width), kind)
        if "sparse" in accessor:
            sparse = accessor["sparse"]
            rows = sparse["indices"]
            at = self.view(rows["bufferView"], rows.get("byteOffset", 0), TYPES[rows["componentType"]], sparse["count"], 1)[:, 0]
            new = sparse["values"]
            values[at] = self.view(new["bufferView"], new.get("byteOffset", 0), kind, sparse["count"], width)
        return values

    def displacement(self, *names):
        """The movement of every point in an expression, or in several together, in the sculpt's coordinates."""
        targets = [self.names.index(name) for name in names]
        move = lambda part: sum(self.accessor(part["targets"][target]["POSITION"]).astype(float) for target in targets)
        own = np.vstack([move(part) for part in self.parts])
        return placed(self.own + own) - self.points

    def on_rays(self, origins, directions, choose=np.max):
        """The farthest point of the skin on each ray, as a distance; NaN where there is none (Möller and Trumbore 1997)."""
        a, b, c = (self.points[self.triangles[:, i]] for i in range(3))
        ab, ac = b - a, c - a
        found = np.full(len(origins), np.nan)
        for i, (origin, direction) in enumerate(zip(origins, directions)):
            across = np.cross(direction, ac)
            area = (ab * across).sum(1)
            area = np.where(np.abs(area) < 1e-12, np.nan, area)
            to = origin - a
            u = (to * across).sum(1) / area
            turned = np.cross(to, ab)
            v = turned @ direction / area
            distance = (ac * turned).sum(1) / area
            hit = (u >= 0) & (v >= 0) & (u + v <= 1) & (distance > 0)
            if hit.any():
                found[i] = choose(distance[hit])
        return found
