"""Fits `../shape.csv`, the tables from which `anatomy.rs` makes the head, to a scanned average face.

    python shape.py measure ICT.glb     writes ../average.csv, sections through the average
    python shape.py fit                 fits ../shape.csv to ../average.csv
    python shape.py compare ICT.glb     prints how far the field of ../shape.csv is from the average

Needs numpy. The head's file is written by `cargo run --release --example sculpt` afterwards."""

import pathlib
import sys

import numpy as np

from average import Average
from head_field import gradient, head, lattice_weights, read_tables, write_tables

FOLDER = pathlib.Path(__file__).resolve().parent.parent
SHAPE, AVERAGE = FOLDER / "shape.csv", FOLDER / "average.csv"
# Sections are measured from this axis, rays under the jaw from this point.
AXIS_Z, UNDER = 1.0, np.array([0, -3.5, 4.0])
ANGLES = np.r_[0.3, np.arange(2, 30, 2), np.arange(30, 93, 4)]
HEIGHTS = np.r_[np.arange(-8.4, -6, 0.4), np.arange(-6, 5.01, 0.2), np.arange(5.4, 9.1, 0.4)]
ELEVATIONS = np.arange(-80, -39, 5.0)
# The underside of the nose is met by rays upwards from this height.
NOSE_FROM, NOSE_X, NOSE_Z = -1.6, np.arange(0.15, 1.4, 0.2), np.arange(12.0, 13.0, 0.2)


def rays():
    """Origins and directions of all rays, section by section."""
    turns = np.radians(ANGLES)
    around = np.column_stack([np.sin(turns), np.zeros(len(turns)), np.cos(turns)])
    level = [(np.tile([0, height, AXIS_Z], (len(turns), 1)), around) for height in HEIGHTS]
    def down(elevation):
        e = np.radians(elevation)
        return np.tile(UNDER, (len(turns), 1)), np.cos(e) * around + [0, np.sin(e), 0]
    return level + [down(elevation) for elevation in ELEVATIONS]


COMMENT = """Sections through the scanned average face of ICT-FaceKit (MIT, https://github.com/ICT-VGL/ICT-FaceKit), made a slim woman's and placed by
its eyes as `fit/average.py` says, in centimetres. First the angles from the front, in degrees. Then, per height, the distance of the
skin from the axis at x 0, z 1 at each angle; per elevation in degrees, its distance from the point 0, -3.5, 4; and at last, per depth, how far
above -1.6 the underside of the nose is at x 0.15, 0.35 ... 1.35. 0 where there is none."""


def measure(path):
    average = Average(path)
    found = [np.nan_to_num(average.on_rays(*section)) for section in rays()]
    levels = np.column_stack([HEIGHTS, np.round(found[: len(HEIGHTS)], 3)])
    under = np.column_stack([ELEVATIONS, np.round(found[len(HEIGHTS) :], 3)])
    nose = [np.nan_to_num(average.on_rays(p, np.tile([0, 1.0, 0], (len(p), 1)), np.min)) for p in below_nose()]
    tables = {"angles": ANGLES[None], "section": levels, "under_jaw": under, "under_nose": np.column_stack([NOSE_Z, np.round(nose, 3)])}
    write_tables(AVERAGE, tables, COMMENT)


def below_nose():
    return [np.column_stack([NOSE_X, np.full(len(NOSE_X), NOSE_FROM), np.full(len(NOSE_X), z)]) for z in NOSE_Z]


def samples():
    """The points of the sections that the fit uses, with their weights."""
    tables = read_tables(AVERAGE)
    distances = np.concatenate([tables["section"][:, 1:], tables["under_jaw"][:, 1:]])
    points, weights = [], []
    for (origins, directions), row, is_under in zip(rays(), distances, [False] * len(HEIGHTS) + [True] * len(ELEVATIONS)):
        p = origins + directions * row[:, None]
        use = (row > 0) & is_face(p) & ((p[:, 1] < -6.6) | (not is_under))
        points.append(p[use])
        weights.append(np.full(use.sum(), 2.0 if is_under else 1.0))
    for origins, row in zip(below_nose(), tables["under_nose"][:, 1:]):
        # Above this height it is the inside of a nostril.
        p = origins + row[:, None] * [0, 1, 0]
        use = (row > 0) & (p[:, 1] < 0.2)
        points.append(p[use])
        weights.append(np.full(use.sum(), 2.0))
    p, w = np.concatenate(points), np.concatenate(weights)
    x, y = p[:, 0], p[:, 1]
    w = np.where((x < 2) & (y > -1.6) & (y < 3), 2.0, w)
    w = np.where((x < 2.8) & (y > -4.6) & (y < -1.6), 2.0, w)
    w = np.where((x < 0.45) & (y < 5), 4.0, w)
    # Beside the eye, the solid of the eyelids ends in an edge.
    w = np.where((np.abs(x - 4.9) < 0.6) & (np.abs(y - 3.5) < 1.2), 3.0, w)
    return p, np.where(np.abs(y - np.round(y / 0.4) * 0.4) < 0.01, w, 0.7 * w)


def is_face(p):
    """Whether points are on the outer skin in front of the ears, off the eyes' openings, the nostrils and the line between the lips."""
    x, y, z = np.abs(p[:, 0]), p[:, 1], p[:, 2]
    out = ((x - 0.65) / 0.45) ** 2 + ((y + 0.75) / 0.35) ** 2 < 1
    out |= (np.abs(y + 3.07) < 0.17) & (x < 2.7) & (z > 8)
    out |= ((x - 3.17) / 1.62) ** 2 + ((y - 3.6) / 0.8) ** 2 < 1
    out |= (z < 3.6) & (y > -1.8) & (y < 6.5)
    return ~out & (z > 2.5) & (y > -9.5) & (y < 9) & ~((y < -6.9) & (z < 5.0))


# How far each column of a table may move from its value, as the standard deviation of a prior.
FREEDOM = {
    "sections": [0, 0.25, 0.25, 0.25, 0, 0.25], "bottom": [0.3], "skull": [0.1] * 6, "jaw": [0.3, 0.3, 0.3, 0.12],
    "mouth_floor": [0.3] * 6, "dab": [0.3, 0.3, 0.3, 0.2, 0.2, 0.2, 0.12], "cheekbone": [0.3, 0.3, 0.3, 0],
    "brow_ridge": [0.25, 0.25, 0.25, 0], "socket": [0.3, 0.3, 0.3, 0.25, 0.25, 0.25, 0.12], "lid": [0.12] * 3,
    "nose_ridge": [0, 0.25, 0.2, 0.15], "nose_base": [0.15, 0.1, 0], "nose": [0.2, 0.2, 0.2, 0.08, 0.08, 0.08], "septum": [0.2, 0.2, 0.2, 0.1],
    "columella": [0.2, 0.2, 0.2, 0.1], "upper_lip": [0.1, 0.08, 0.14, 0], "lower_lip": [0.1, 0.08, 0.14, 0],
    "tubercle": [0, 0.06, 0.06, 0.03, 0.03, 0.03], "labiomental": [0.15, 0.15, 0.15, 0],
}
# Rows of `sections` above this height are under the hair.
HIGHEST_SECTION = 8.5
ROUNDS, STEP = 4, 0.02


def slots(tables):
    """The numbers that are fitted: table, row, column, freedom. What lies in the middle stays there."""
    for name, freedom in FREEDOM.items():
        for row, values in enumerate(tables[name]):
            for column, free in enumerate(freedom):
                is_middle = column == 0 and values[0] == 0 and name != "bottom"
                is_high = name == "sections" and values[0] > HIGHEST_SECTION
                if free > 0 and not is_middle and not is_high:
                    yield name, row, column, free


def moved(tables, places, steps):
    new = {name: rows.copy() for name, rows in tables.items()}
    for (name, row, column, free), step in zip(places, steps):
        new[name][row, column] += free * step
    new["sections"][:, 5] = np.clip(new["sections"][:, 5], 1.7, 3.4)
    for name in ("dab", "socket"):
        new[name][:, 3:6] = np.maximum(new[name][:, 3:6], 0.35)
    return new


def distances(tables, points):
    """What is made small: the distances of the points, and by how much the muzzle is less than `UNDER_LIPS` behind the lips."""
    x, y, z = points.T
    is_lip = (np.abs(y + 3.1) < 0.7) & (x < 2.0) & (z > 9)
    lips = points[is_lip]
    depth = UNDER_LIPS * np.sqrt(1 - (lips[:, 0] / 2.4) ** 2) * (1 - (lips[:, 1] + 3.1) ** 2)
    return np.concatenate([head(points, tables), np.minimum(head(lips, tables, lips=False) - depth, 0)])


def gauss_newton(tables, places, points, weights, rounds):
    """Robust least squares with a prior on the values at the start."""
    x = np.zeros(len(places))
    bend = unevenness(places)
    prior = PRIOR * np.eye(len(x)) + EVEN_SECTIONS * bend.T @ bend
    robust = lambda r: np.clip(0.3 / np.maximum(np.abs(r), 0.3), 0.2, 1)
    cost = lambda r, x: (weights * robust(r) * r * r).sum() + x @ prior @ x
    r = distances(tables, points)
    count = len(points)
    weights = np.concatenate([weights, np.full(len(r) - count, 2.0)])
    for _ in range(rounds):
        jacobian = np.empty((len(r), len(places)))
        for i in range(len(places)):
            other = x.copy()
            other[i] += STEP
            jacobian[:, i] = (distances(moved(tables, places, other), points) - r) / STEP
        w = weights * robust(r)
        normal = (jacobian * w[:, None]).T @ jacobian + prior
        full = -np.linalg.solve(normal, jacobian.T @ (w * r) + prior @ x)
        tried = [x + share * full for share in (1, 0.5, 0.25)]
        x = min(tried, key=lambda t: cost(distances(moved(tables, places, t), points), t))
        r = distances(moved(tables, places, x), points)
        e = np.abs(r[:count]) * 10
        print(f"  mean {e.mean():.2f} mm, 95 % below {np.percentile(e, 95):.2f}, muzzle {np.abs(r[count:]).mean() * 10:.2f}", flush=True)
    return moved(tables, places, x)


# The muzzle lies at least so far behind the front of the lips, in centimetres.
UNDER_LIPS = 0.4
PRIOR = 0.35
# The strength of the priors that sections change alike with those above and below, and that nodes of the lattice are like their
# neighbours and small.
EVEN_SECTIONS, EVEN_NODES, SMALL_NODES = 6.0, 0.1, 0.01


def unevenness(places):
    """A matrix whose product with the steps of `places` is how unlike sections change to those above and below."""
    rows = []
    for column in range(1, 6):
        chain = [i for i, place in enumerate(places) if place[0] == "sections" and place[2] == column]
        for below, here, above in zip(chain, chain[1:], chain[2:]):
            row = np.zeros(len(places))
            row[[below, here, above]] = 1, -2, 1
            rows.append(row)
    return np.array(rows)


def fit_lattice(tables, points, weights):
    """What the solids leave, as a smooth correction by the nodes of a lattice. Lips and eyelids keep their form."""
    x, y, z = points.T
    half_height = lambda x: 0.8 * np.sqrt(np.maximum(1 - (x / 2.4) ** 2, 0))
    is_lip = (np.abs(y + 3.1) < half_height(x)) & (z > 9)
    points, weights = points[~is_lip], weights[~is_lip]
    eye = np.array([(a, b) for a in np.arange(1.8, 4.6, 0.4) for b in np.arange(3.0, 4.4, 0.3) if abs(a - 3.17) / 1.4 + abs(b - 3.6) / 0.9 < 1])
    eye = np.column_stack([eye, np.interp(np.abs(eye[:, 0] - 3.0), [0, 1.8], [9.6, 8.6])])
    lips = np.array([(a, -3.1 + b * half_height(a), 11.4 - 0.3 * a * a) for a in np.arange(0, 2.0, 0.4) for b in np.linspace(-0.8, 0.8, 5)])
    held = np.concatenate([eye, lips])
    tables.pop("lattice", None)
    rest = -head(points, tables)
    grid = np.stack(np.meshgrid(np.arange(0, 12), np.arange(-12, 13), np.arange(-2, 17), indexing="ij"), -1).reshape(-1, 3)
    share = lattice_weights(points, grid)
    use = share.sum(0) > 0.02
    grid, share = grid[use], share[:, use]
    index = {tuple(node): i for i, node in enumerate(grid)}
    bends = []
    for node, i in index.items():
        for axis in np.eye(3, dtype=int):
            row = np.zeros(len(grid))
            row[i] = -2
            for side in (-1, 1):
                other = np.array(node) + side * axis
                j = index.get((abs(other[0]), other[1], other[2]))
                if j is not None:
                    row[j] += 1
            bends.append(row)
    bends = np.array(bends)
    still = lattice_weights(held, grid)
    robust = np.clip(0.2 / np.maximum(np.abs(rest), 0.2), 0.2, 1) * weights
    normal = (share * robust[:, None]).T @ share + 2.0 * still.T @ still
    normal += EVEN_NODES * bends.T @ bends + SMALL_NODES * np.eye(len(grid))
    values = np.linalg.solve(normal, share.T @ (robust * rest))
    keep = np.abs(values) > 5e-4
    print(f"  {keep.sum()} nodes of {np.abs(values).max() * 10:.1f} mm at most")
    tables["lattice"] = np.column_stack([grid, np.round(values, 3)])[keep]


def fit():
    tables = read_tables(SHAPE)
    tables.pop("lattice", None)
    points, weights = samples()
    print(len(points), "points")
    tables = gauss_newton(tables, list(slots(tables)), points, weights, ROUNDS)
    fit_lattice(tables, points, weights)
    comment = "The numbers that `anatomy.rs` makes the head of, in centimetres, fitted by `fit/shape.py` to `average.csv`."
    write_tables(SHAPE, tables, comment)


def compare(path, tables=None):
    """Distances of points of the average, spread evenly, from the field."""
    tables = tables or read_tables(SHAPE)
    average = Average(path)
    a, b, c = (average.points[average.triangles[:, i]] for i in range(3))
    normal = np.cross(b - a, c - a)
    area = np.linalg.norm(normal, axis=1)
    rng = np.random.default_rng(0)
    at = rng.choice(len(a), 24000, p=area / area.sum())
    u = rng.random((len(at), 2))
    u = np.where(u.sum(1, keepdims=True) > 1, 1 - u, u)
    p = a[at] + u[:, :1] * (b - a)[at] + u[:, 1:] * (c - a)[at]
    outwards = normal[at] / area[at, None]
    p = p[is_face(p)]
    # Of mouth, nose and eyes, only the outermost skin counts: that which a ray from the axis reaches last.
    origins = np.column_stack([np.zeros(len(p)), np.where(p[:, 1] < -6, -3.5, p[:, 1]), np.full(len(p), AXIS_Z)])
    away = np.linalg.norm(p - origins, axis=1)
    p = p[away > average.on_rays(origins, (p - origins) / away[:, None]) - 0.2]
    d = head(p, tables) / np.maximum(np.linalg.norm(gradient(p, tables), axis=1), 0.5) * 10
    x, y = np.abs(p[:, 0]), p[:, 1]
    zones = {
        "face": x > -1, "profile": x < 0.15, "forehead": y > 6, "temple": (y > 3) & (y < 7) & (x > 5),
        "orbit": (y > 2) & (y < 5.4) & (x > 1.4) & (x < 5), "nose": (y > -1.2) & (y < 4) & (x < 1.8),
        "cheek": (y > -2) & (y < 2) & (x > 1.8), "lips": (y > -4.4) & (y < -1.2) & (x < 2.8),
        "jaw": (y < -2) & (x > 2.8), "chin": (y < -4.6) & (x <= 2.8),
    }
    for name, zone in zones.items():
        e = np.abs(d[zone])
        print(f"{name:9} {zone.sum():6} points: mean {e.mean():.2f} mm, 95 % below {np.percentile(e, 95):.2f}, most {e.max():.1f}")
    return p, d


if __name__ == "__main__":
    {"measure": measure, "fit": lambda: fit(), "compare": compare}[sys.argv[1]](*sys.argv[2:])
