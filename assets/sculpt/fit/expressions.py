"""Fits `../expressions.csv`, the displacement fields of `fields.rs`, to the expressions of a scanned average face.

    python expressions.py ICT.glb

Each field is a sum of Gaussians. A Gaussian has a centre, a radius, and a displacement for either lip: between both, the parting of
the lips is the one place where the field jumps. Fields with a side are fitted to the left one; the right one is its mirror image.
Fields of the whole face are the sum of a field and its mirror image. Needs numpy."""

import pathlib
import sys

import numpy as np

from average import Average
from head_field import EYE, head, read_tables, step, write_tables

FOLDER = pathlib.Path(__file__).resolve().parent.parent
SHAPE, FIELDS = FOLDER / "shape.csv", FOLDER / "expressions.csv"
MOUTH_X, MOUTH_Y, CORNER_RISE = 2.42, -3.05, 0.05
HINGE, JAW_DEGREES = np.array([0, 1.5, 1.3]), 22.2
SIDED = ["browDown", "browInnerUp", "browOuterUp", "cheekPuff", "cheekSquint", "eyeSquint", "noseSneer", "mouthSmile", "mouthFrown",
         "mouthDimple", "mouthStretch", "mouthPress", "mouthUpperUp", "mouthLowerDown"]
# Of the pair mouthLeft and mouthRight, the second is the mirror image of the first.
# `mouthClose` here is what it and jawOpen do together: the lips meet in front of an open jaw.
WHOLE = ["jawOpen", "mouthClose", "mouthPucker", "mouthFunnel", "mouthRollUpper", "mouthRollLower", "mouthShrugUpper", "mouthShrugLower"]
COUNT = 28
MORE = {"mouthLeft": 36, "mouthRollUpper": 36, "mouthFunnel": 36, "mouthSmile": 36, "browOuterUp": 36, "mouthDimple": 36, "jawOpen": 52, "mouthClose": 52,
        "noseSneer": 60, "eyeSquint": 40}
# Expressions that are not as strong as the average's, because those of other heads are not, or because the eyelids and the border of
# the face hold a part of them back. Smiles and raised brows are as wide and as high as a face tracker (MediaPipe's) reads them on the average.
STRENGTH = {"browDown": 1.3, "browInnerUp": 0.73, "browOuterUp": 0.60, "cheekSquint": 1.12, "eyeSquint": 1.45, "mouthSmile": 0.76,
            "mouthFrown": 1.15, "mouthDimple": 1.1, "mouthStretch": 1.2, "mouthPress": 1.4, "mouthRollUpper": 0.85, "mouthRollLower": 0.9,
            "mouthShrugLower": 0.75, "mouthLeft": 0.85}
# How much further the jaw opens than the average's, open or with closed lips. The sculpt's lips are relaxed over the teeth, so that they part
# by less than the jaw drops; with this they part by 32 mm, as the average's do, and those of other artists' heads by 34 to 42 mm.
# `JAW_DEGREES` is larger by the same factor than the angle of the average's jaw.
OPENING = 1.17
# How much the Gaussians of an expression overlap, as a part of the distances between them. Narrower ones make the pouch below the eye lumpy.
OVERLAP = {"eyeSquint": 1.7, "noseSneer": 1.2}
# The most that a point moves, in centimetres. The average's sneer moves points by 1 cm, those of two other artists' heads by half of that.
MOST = {"noseSneer": 0.39}
# Expressions that part the lips less than the average's: only the upper lip of many moves, and they are mixed with others.
PARTING = {"noseSneer": 0.15, "mouthRollUpper": 0.25, "mouthRollLower": 0.25, "mouthLeft": 0.2}
# Points of the line between the lips at which these must not cross, and their weight.
LINE_X, LINE_WEIGHT = np.linspace(0, 2.38, 13), 40.0


def parting(x):
    """`layout::parting`."""
    t = np.abs(x) / MOUTH_X
    wave = np.where(t < 0.87, np.sin(np.pi * np.clip(t * 1.15, 0, 1)), 0)
    return MOUTH_Y + 0.05 * wave**2 + CORNER_RISE * np.clip(t, 0, 1.2) ** 2


def jaw_open(p, is_low):
    """What `Site` and `muscles_lower` make of jawOpen, for points of the outer skin."""
    x, y, z = np.abs(p[:, 0]), p[:, 1], p[:, 2]
    bell = lambda t: np.exp(-t * t)
    over = y - parting(np.minimum(x, MOUTH_X))
    beyond = np.maximum(x - MOUTH_X, 0)
    width = 0.40 + 0.36 * np.minimum(x, MOUTH_X) + 0.5 * beyond
    to_half = 0.5 * (1 - np.sqrt(np.maximum(1 - np.minimum(x / MOUTH_X, 1) ** 3, 0)))
    below = 1 - step(-width, width, over)
    held = np.maximum(step(-4.4, -2.7, y), 1 - step(-7.8, -6.2, y))
    low, high = 0.2 + 2.6 * held, 5.2 + 1.4 * held
    reach = step(low, high, z + 0.25 * np.minimum(y + 5, 0)) * step(-10.4, -7.2, y)
    jaw = np.where(is_low, 1 - 2 * to_half * (1 - below), 2 * to_half * below) * reach
    mouth = bell(over / 2) * bell(np.maximum(x - 2.2, 0) / 1.7) * step(4.5, 8.5, z)
    lip = np.exp(-((over / 0.82) ** 4)) * bell(np.maximum(x - 2.1, 0) / 0.8) * step(6.5, 9.3, z)
    side = np.sign(p[:, 0])
    q, s, c = p - HINGE, np.sin(np.radians(JAW_DEGREES)), np.cos(np.radians(JAW_DEGREES))
    turn = np.column_stack([0 * x, q[:, 1] * c - q[:, 2] * s - q[:, 1], q[:, 1] * s + q[:, 2] * c - q[:, 2]])
    turn[:, 2] *= 0.1 + 0.9 * step(3.5, 9.8, z)
    part = lambda weight, d, sign=1: weight[:, None] * np.column_stack([d[0] * sign * np.ones(len(x)), d[1] + 0 * x, d[2] + 0 * x])
    return (
        turn * jaw[:, None] + part(mouth * (1 - jaw), (0, -0.10, -0.02))
        + part(lip * np.where(is_low, 1 - to_half, to_half) * (1 - 2 * to_half), (0, 0.24, 0.08))
        + part(step(1.0, 2.6, x) * mouth, (-0.36, 0, 0.12), side)
    )


def off_lips(p):
    """The share of the fitted field in jawOpen. It is 0 on and near the lips, where the mouth's opening must keep its form."""
    x = np.abs(p[:, 0])
    over = p[:, 1] - parting(np.minimum(x, MOUTH_X))
    return 1 - np.exp(-((over / 1.1) ** 4)) * np.exp(-((np.maximum(x - 2.3, 0) / 0.8) ** 2))


EYE_SLIT, EYE_HEIGHT = (1.62, 4.74), (3.27, 3.74)
# In eyeSquint, the part of the gap (of 0.45 radians at most) by which the lower eyelid rises, as in `muscles_upper`.
SQUINT_RISE = 0.215


def squinted(tables, points, d):
    """The displacement in eyeSquint that the field has to add to that of the eyelids, and the field's share in it, as `fields::over_eyeball`
    says. The average's squint draws the cheek as far as the mouth, those of two other artists' heads that of the eye only: away from the
    eye it is weakened."""
    x, y, z = (points - EYE).T
    beside = np.maximum(np.abs(x) - 1.4, 0)
    beyond = np.hypot(beside, np.maximum(np.abs(y) - 0.4, 0))
    d = d * (0.25 + 0.75 * np.exp(-((beyond / 1.8) ** 2)))[:, None]
    # The edges of the lids, as `layout::lid_edge`, on the skin.
    along = np.linspace(0.05, 0.95, 19)
    place, peak = EYE_SLIT[0] + along * (EYE_SLIT[1] - EYE_SLIT[0]), 0.95 / (0.95 + 0.72)
    bump = along**0.95 * (1 - along) ** 0.72 / (peak**0.95 * (1 - peak) ** 0.72)
    edge = np.column_stack([place, EYE_HEIGHT[0] + along * (EYE_HEIGHT[1] - EYE_HEIGHT[0]) - 0.40 * bump, 0 * along])
    for point in edge:
        depths = np.column_stack([np.tile(point[:2], (600, 1)), np.linspace(11, 8, 600)])
        point[2] = depths[np.argmax(head(depths, tables) < 0), 2]
    angle, bottom = np.arctan2(y, z), np.arctan2(edge[:, 1] - EYE[1], edge[:, 2] - EYE[2])
    bottom = np.interp(points[:, 0], edge[:, 0], bottom)
    length = np.hypot(y, z)
    outside = np.maximum(EYE_SLIT[0] - points[:, 0], points[:, 0] - EYE_SLIT[1])
    turn = 0.45 * SQUINT_RISE * (0.35 + 0.65 * step(0, 0.4, (points[:, 0] - EYE_SLIT[0]) / (EYE_SLIT[1] - EYE_SLIT[0])))
    turn = turn * (0.3 + 0.7 * step(1.9, 2.8, points[:, 0])) * step(1.0, 0.0, (bottom - angle) / 0.60) * np.exp(-((np.maximum(outside, 0) / 0.35) ** 2))
    turn = np.where((angle < bottom + 0.05) & (length < 2.7) & (z > -0.4), turn, 0)
    lids = np.column_stack([0 * x, length * np.sin(angle + turn) - y, length * np.cos(angle + turn) - z])
    share = step(0.2, 1.6, (x / 1.75) ** 2 + (y / 1.05) ** 2)
    return d - lids, np.where(z > 0, share, 1)


def lower_share(p, is_low):
    """`fields::lower_share`: the weight of the lower lip, which jumps where the lips part, and only there."""
    t = np.clip(np.abs(p[:, 0]) / MOUTH_X, 0, 1)
    over = p[:, 1] - parting(np.minimum(np.abs(p[:, 0]), MOUTH_X))
    jump = (1 - t**6) ** 1.5 * np.exp(-((over / 2.2) ** 2))
    return np.where(is_low, 0.5 + 0.5 * jump, 0.5 - 0.5 * jump)


class Samples:
    """The points of the average to which fields are fitted."""

    def __init__(self, average, tables):
        jaw = np.linalg.norm(average.displacement("jawOpen"), axis=1)
        from_hinge = np.linalg.norm(average.points - HINGE, axis=1)
        p = average.points
        near = (np.abs(p[:, 1] - MOUTH_Y) < 0.8) & (p[:, 2] > 8.8) & (np.abs(p[:, 0]) < 2.6)
        is_low = np.where(near, jaw > 0.16 * from_hinge, p[:, 1] < parting(p[:, 0]))
        # The mouth's inside is left out, but not what of the lips is seen when they part.
        inside = (np.abs(p[:, 0]) < 3.6) & (np.abs(p[:, 1] - MOUTH_Y) < 2.2) & (p[:, 2] < 10.9 - 0.25 * p[:, 0] ** 2)
        self.use = (p[:, 2] > 0) & (p[:, 1] > -11.5) & ~inside
        self.points, self.low = p[self.use], is_low[self.use]
        self.lower = lower_share(self.points, self.low)
        x = np.concatenate([LINE_X, -LINE_X[1:]])
        self.line = np.column_stack([x, parting(x), np.zeros(len(x))])
        for point in self.line:
            depths = np.column_stack([np.tile(point[:2], (600, 1)), np.linspace(12.5, 9.5, 600)])
            point[2] = depths[np.argmax(head(depths, tables) < 0), 2]

    def on_line(self, d):
        """The points of the line between the lips, and by how much an expression parts the lips there: never less than nothing."""
        moved = []
        for is_low in (False, True):
            near = (self.low == is_low) & (np.abs(self.points[:, 1] - MOUTH_Y) < 0.5) & (self.points[:, 2] > 9.2)
            p = self.points[near]
            # The edge of a lip: of the points near a place of the line, the lowest or the highest.
            past = 3 * np.maximum(np.abs(p[None, :, 0] - self.line[:, None, 0]) - 0.1, 0) + p[None, :, 1] * (-1 if is_low else 1)
            moved.append(d[near][past.argmin(1)])
        return self.line, np.maximum((moved[0] - moved[1])[:, 1], 0)


def centers(points, size, count, overlap):
    """Centres of Gaussians, closer to each other where the expression moves more, and their radii."""
    weight = size + 0.02
    chosen = [int(weight.argmax())]
    distance = np.linalg.norm(points - points[chosen[0]], axis=1)
    for _ in range(count - 1):
        chosen.append(int((distance * weight**0.5).argmax()))
        distance = np.minimum(distance, np.linalg.norm(points - points[chosen[-1]], axis=1))
    c = points[chosen].copy()
    for _ in range(25):
        nearest = ((points[:, None] - c[None]) ** 2).sum(2).argmin(1)
        for k in range(count):
            own = nearest == k
            if own.any():
                c[k] = (points[own] * weight[own, None]).sum(0) / weight[own].sum()
    between = np.sort(np.linalg.norm(c[:, None] - c[None], axis=2), axis=1)[:, 1:4]
    return c, overlap * between.mean(1)


def bells(p, c, radius):
    return np.exp(-((p[:, None] - c[None]) ** 2).sum(2) / radius**2)


MIRROR = np.array([-1, 1, 1])


def solve(samples, own_lower, d, share, c, radius, is_whole, parts):
    """Displacements of the Gaussians, for the upper and the lower lip. `share` is that of the field in each point's movement."""
    count = len(c)
    at, gap = samples.on_line(d)
    gap = parts * gap

    def basis(p, lower):
        b = bells(p, c, radius)
        return np.hstack([b * (1 - lower)[:, None], b * lower[:, None]])

    def crossing(p):
        b = bells(p, c, radius) * (lower_share(p, True) - lower_share(p, False))[:, None]
        return np.hstack([b, -b])

    own, line = basis(samples.points, own_lower), crossing(at)
    result = np.empty((2 * count, 3))
    # Points that move little count less for the ridge's sake; those of the line count more.
    for axis in range(3):
        a, b = share[:, None] * own, line
        if is_whole:
            sign = MIRROR[axis]
            a = a + sign * share[:, None] * basis(samples.points * MIRROR, own_lower)
            b = line + sign * crossing(at * MIRROR)
        rows, wanted = [a], [d[:, axis]]
        if axis == 1:
            rows.append(LINE_WEIGHT * b)
            wanted.append(LINE_WEIGHT * gap)
        rows, wanted = np.vstack(rows), np.concatenate(wanted)
        result[:, axis] = np.linalg.solve(rows.T @ rows + 0.03 * np.eye(2 * count), rows.T @ wanted)
    return result[:count], result[count:], own


def fit(path):
    average = Average(path)
    shape = read_tables(SHAPE)
    samples = Samples(average, shape)
    tables = {}
    for name in SIDED + WHOLE + ["mouthLeft"]:
        is_sided, is_whole = name in SIDED, name in WHOLE
        d = average.displacement(name + "_L" if is_sided else name)[samples.use]
        share = np.ones(len(d))
        lower = samples.lower
        if name == "mouthClose":
            # The lips stay together.
            d, lower = average.displacement(name, "jawOpen")[samples.use], np.full(len(d), 0.5)
        if name in ("jawOpen", "mouthClose"):
            # The average's throat widens as far as its shoulders; the sculpt's is held at the border of the face, where that would be a flap.
            p, outwards = samples.points, d[:, 0] * np.sign(samples.points[:, 0])
            d[:, 0] *= np.where(outwards > 0, 0.25 + 0.75 * step(6, 10, p[:, 2]), 1)
            d = d * OPENING
        if name == "jawOpen":
            share = off_lips(samples.points)
            d = d - (1 - share[:, None]) * jaw_open(samples.points, samples.low)
        if name == "eyeSquint":
            d, share = squinted(shape, samples.points, d)
        if name in MOST:
            d = d / (1 + (np.linalg.norm(d, axis=1, keepdims=True) / MOST[name]) ** 8) ** 0.125
        size = np.linalg.norm(d, axis=1)
        half = samples.points[:, 0] > -0.3 if is_whole else np.ones(len(size), bool)
        c, radius = centers(samples.points[half], size[half], MORE.get(name, COUNT), OVERLAP.get(name, 1.15))
        c, radius = np.round(c, 2), np.round(radius, 2)
        above, below, own = solve(samples, lower, d, share, c, radius, is_whole, PARTING.get(name, 1))
        strength = STRENGTH.get(name, 1)
        above, below = np.round(strength * above, 3), np.round(strength * below, 3)
        made = own @ np.vstack([above, below])
        if is_whole:
            b = bells(samples.points * MIRROR, c, radius)
            mirrored = np.hstack([b * (1 - lower)[:, None], b * lower[:, None]])
            made += (mirrored @ np.vstack([above, below])) * MIRROR
        rest = 10 * np.linalg.norm(share[:, None] * made / strength - d, axis=1)
        big = size > 0.1
        print(f"{name:16} mean {rest[big].mean():.2f} mm, 95 % below {np.percentile(rest[big], 95):.2f}, of {10 * size.max():.1f}", flush=True)
        tables[name] = np.column_stack([c, radius, above, below])
    comment = """Displacement fields of expressions, fitted by `fit/expressions.py` to the average face of ICT-FaceKit (MIT,
https://github.com/ICT-VGL/ICT-FaceKit). Per Gaussian: its centre, its radius, and the displacements of the upper and the lower face, in centimetres."""
    write_tables(FIELDS, tables, comment)


if __name__ == "__main__":
    fit(sys.argv[1])
