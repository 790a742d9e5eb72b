"""The field of the head, as `anatomy.rs` computes it, over many points at once. Lengths are centimetres.

`Shape` is a dictionary from the names of the tables in `shape.csv` to their rows."""

import csv

import numpy as np

EYE = np.array([3.17, 3.60, 8.06])


def read_tables(path):
    """The tables of a file in which each row begins with the name of its table. Comments begin with '#'."""
    tables = {}
    with open(path, newline="") as file:
        for row in csv.reader(line for line in file if line.strip() and not line.startswith("#")):
            tables.setdefault(row[0], []).append([float(value) for value in row[1:]])
    return {name: np.array(rows) for name, rows in tables.items()}


def write_tables(path, tables, comment):
    """Writes what `read_tables` reads."""
    with open(path, "w") as file:
        for line in comment.strip().splitlines():
            file.write(f"# {line}".rstrip() + "\n")
        for name, rows in tables.items():
            for row in rows:
                file.write(",".join([name, *(f"{value:.4f}".rstrip("0").rstrip(".").replace("-0", "-0") for value in row)]) + "\n")


def step(a, b, x):
    t = np.clip((x - a) / (b - a), 0, 1)
    return t * t * (3 - 2 * t)


def join(a, b, k):
    h = np.maximum(k - np.abs(a - b), 0) / k
    return np.minimum(a, b) - h * h * k * 0.25


def meet(a, b, k):
    return -join(-a, -b, k)


def ellipsoid(q, radius):
    k0 = np.linalg.norm(q / radius, axis=1)
    k1 = np.linalg.norm(q / (radius * radius), axis=1)
    return k0 * (k0 - 1) / np.maximum(k1, 1e-6)


def from_segments(p, points):
    """Squared distance to each segment of a polyline, and the share of the way along it."""
    for a, b in zip(points[:-1], points[1:]):
        along = b - a
        h = np.clip((p - a) @ along / (along @ along), 0, 1)
        yield h, ((p - a - h[:, None] * along) ** 2).sum(1)


def tube(p, chain, k):
    chain = np.asarray(chain, float)
    distance = None
    for i, (h, squared) in enumerate(from_segments(p, chain[:, :3])):
        d = np.sqrt(squared) - (chain[i, 3] + h * (chain[i + 1, 3] - chain[i, 3]))
        distance = d if distance is None else join(distance, d, k) if k > 0 else np.minimum(distance, d)
    return distance


def line(p, points):
    points = np.asarray(points, float)
    return np.sqrt(np.min([squared for _, squared in from_segments(p, points)], axis=0))


def dab(p, center, radius, amount):
    return -amount * np.exp(-(((p - center) / radius) ** 2).sum(1))


def stroke(p, points, radius, amount):
    return -amount * np.exp(-((line(p, points) / radius) ** 2))


def yawed(degrees):
    s, c = np.sin(np.radians(degrees)), np.cos(np.radians(degrees))
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


def curve(rows, count=24):
    t = np.linspace(0, 1, count)[:, None]
    return (1 - t) ** 2 * rows[0] + 2 * t * (1 - t) * rows[1] + t * t * rows[2]


def table(rows, x):
    """Curves without overshoot (Fritsch and Carlson 1980) through rows of a position and its values."""
    y, values = rows[:, 0], rows[:, 1:]
    h = np.diff(y)[:, None]
    slope = np.diff(values, axis=0) / h
    tangent = np.zeros_like(values)
    tangent[0], tangent[-1] = slope[0], slope[-1]
    before, after, w0, w1 = slope[:-1], slope[1:], 2 * h[1:] + h[:-1], h[1:] + 2 * h[:-1]
    with np.errstate(all="ignore"):
        mean = (w0 + w1) / (w0 / before + w1 / after)
    tangent[1:-1] = np.where(before * after <= 0, 0, mean)
    x = np.clip(x, y[0], y[-1])
    i = np.clip(np.searchsorted(y, x, side="right") - 1, 0, len(y) - 2)
    t = ((x - y[i]) / h[i, 0])[:, None]
    t2, t3 = t * t, t**3
    return (
        (2 * t3 - 3 * t2 + 1) * values[i] + (t3 - 2 * t2 + t) * h[i] * tangent[i]
        + (3 * t2 - 2 * t3) * values[i + 1] + (t3 - t2) * h[i] * tangent[i + 1]
    ).T


def without_crease(p):
    return np.column_stack([np.hypot(p[:, 0], 0.45), p[:, 1:]])


def loft(p, q):
    bottom, top = q["sections"][0, 0] + q["bottom"][0, 0], q["sections"][-1, 0]
    width, front, middle, back, n = table(q["sections"], p[:, 1])
    depth = np.where(p[:, 2] > middle, front - middle, middle - back)
    outline = ((np.abs(p[:, 0]) / width) ** n + (np.abs(p[:, 2] - middle) / depth) ** n) ** (1 / n)
    d = (outline - 1) * (0.5 * (width + np.minimum(depth, width)))
    return meet(d * 0.9, np.maximum(p[:, 1] - top, bottom - p[:, 1]), 1.5)


def skull(p, q):
    bone = q["skull"]
    d = join(ellipsoid(p - bone[0, :3], bone[0, 3:]), ellipsoid(p - bone[1, :3], bone[1, 3:]), 1.5)
    d = join(d, loft(p, q), 0.9)
    d = np.where(p[:, 1] < 2, join(d, tube(p, q["jaw"], 0.6), 1.8), d)
    soft = without_crease(p)
    for row in q["dab"]:
        d += dab(soft, row[:3], row[3:6], row[6])
    d += stroke(p, q["cheekbone"][:, :3], 1.55, q["cheekbone"][0, 3])
    d += stroke(soft, q["brow_ridge"][:, :3], 1.0, q["brow_ridge"][0, 3])
    return d + stroke(p, [(1.72, -0.2, 10.7), (2.35, -1.25, 10.5), (2.95, -2.5, 10.0)], 0.5, -0.05)


def body(p, q):
    d = tube(p * [1, 1, 0.94], q["neck"], 0.8)
    d += stroke(p, [(5.1, -2.5, 0.4), (3.7, -7.5, 2.6), (1.3, -13.0, 3.4)], 1.0, 0.27)
    d += dab(p, np.array([0, -9.6, 4.0]), np.array([0.9, 1.6, 1.4]), 0.18)
    trapezius = [(1.6, -5.5, -3.1, 1.9), (2.2, -10.8, -3.2, 1.9), (6.0, -14.4, -3.8, 2.3), (12.4, -16.4, -3.4, 2.5)]
    d = join(d, tube(p, trapezius, 1.5), 2.0)
    d = join(d, ellipsoid(p - [0, -20.0, -1.7], np.array([13.4, 6.6, 6.0])), 2.5)
    d = join(d, ellipsoid(p - [12.9, -18.5, -3.0], np.array([3.6, 4.0, 3.7])), 2.0)
    d += stroke(p, [(1.6, -14.3, 3.6), (5.6, -13.9, 2.8), (10.6, -14.6, -0.2)], 0.8, 0.34)
    d += dab(p, np.array([0, -13.9, 3.8]), np.array([0.9, 0.9, 1.2]), -0.35)
    return meet(d, ellipsoid(p - [0, -9.6, -0.8], np.array([16.6, 12.6, 8.2])), 3.5)


def with_lids(p, d, q):
    soft = without_crease(p)
    for row in q["socket"]:
        d = d + dab(soft, row[:3], row[3:6], row[6])
    d = d + stroke(p, [(1.9, 2.6, 9.9), (3.2, 2.15, 9.9), (4.4, 2.5, 9.2)], 0.5, -0.04)
    e = p - EYE
    outer = step(0.8, 1.7, e[:, 0])
    below = np.maximum(step(0.5, -0.3, e[:, 1]), outer)
    rounding = 0.20 + 0.80 * below + 0.45 * outer + 0.5 * step(-0.9, -1.7, e[:, 0])
    lids = join(d, ellipsoid(e @ yawed(12), q["lid"][0]), rounding)
    fold = [(1.95, 4.10, 9.7), (2.22, 4.36, 9.78), (2.60, 4.55, 9.84), (3.05, 4.65, 9.82), (3.50, 4.65, 9.72), (3.95, 4.56, 9.52), (4.35, 4.40, 9.24)]
    return lids + stroke(p, [*fold, (4.70, 4.20, 8.9)], 0.19, -0.06)


def with_nose(p, d, q):
    x, y, z = p.T
    depth, slope, rounding = table(q["nose_ridge"], y)
    nose = (z - depth + slope * (np.sqrt(x * x + rounding**2) - rounding)) / np.sqrt(1 + slope * slope)
    base = q["nose_base"][0]
    nose = meet(nose, base[0] - y - base[1] * (z - base[2]), 0.45)
    core, tip, wing = q["nose"]
    nose = meet(nose, ellipsoid(p - core[:3], core[3:]), 1.0)
    nose = join(nose, ellipsoid(p - tip[:3], tip[3:]), 0.95)
    nose = join(nose, ellipsoid((p - wing[:3]) @ yawed(16), wing[3:]), 1.0)
    nose = join(nose, tube(p, q["septum"], 0), 0.3)
    nose = join(nose, tube(p, q["columella"], 0), 0.4)
    d = join(d, nose, 0.42 + 0.55 * step(-0.2, 1.7, y) + 0.30 * step(-0.3, -1.0, y))
    d = d + stroke(p, [(1.12, 0.55, 11.4), (1.46, 0.22, 10.95), (1.48, -0.32, 10.7)], 0.24, -0.05)
    return d + dab(p, (0.80, -0.22, 12.15), (0.34, 0.30, 0.40), -0.30)


def with_lips(p, d, q):
    upper, lower, tubercle = q["upper_lip"], q["lower_lip"], q["tubercle"][0]
    r = p - [0, 0, upper[0, 2] - 11.28]
    d = d + stroke(r, [(0.5, -2.08, 11.6), (0.38, -1.2, 11.4)], 0.28, 0.045)
    d = d + stroke(r, [(0, -2.05, 11.6), (0, -1.3, 11.4)], 0.28, -0.04)
    corner = upper[2, :3] + [0.30, -0.16, 0.38]
    d = d + dab(p, corner, np.array([0.6, 0.65, 0.9]), -0.11)
    d = d + stroke(p, q["labiomental"][:, :3], 0.55, q["labiomental"][0, 3])
    near = (np.abs(p[:, 1] + 3.05) <= 2.2) & (p[:, 2] >= 8)
    n = p[near]
    upper_lip = join(tube(n, curve(upper), 0), ellipsoid(n - tubercle[:3], tubercle[3:]), 0.25)
    lips = join(d[near], upper_lip, 0.28)
    d[near] = join(lips, tube(n, curve(lower), 0), 0.07 + 0.38 * step(-3.35, -3.85, n[:, 1]))
    return d


# The distance between the nodes of `lattice`.
SPACING = 1.0


def lattice_weights(p, places):
    """The weight of each node in the correction of each point: products of uniform cubic B-splines, alike on both sides of the middle."""

    def spline(t):
        t = np.abs(t)
        return np.where(t < 1, 2 / 3 - t * t + t**3 / 2, np.maximum(2 - t, 0) ** 3 / 6)

    q, (x, y, z) = p / SPACING, np.asarray(places, float).T
    beside = spline(q[:, :1] - x) + np.where(x > 0, spline(q[:, :1] + x), 0)
    return beside * spline(q[:, 1:2] - y) * spline(q[:, 2:] - z)


def lattice(p, q):
    rows = q.get("lattice")
    return lattice_weights(p, rows[:, :3]) @ rows[:, 3] if rows is not None else 0


def head(p, q, lips=True):
    """The field at points (n, 3), or that without lips."""
    p = np.column_stack([np.abs(p[:, 0]), p[:, 1:]])
    d = skull(p, q)
    low = p[:, 1] < 4
    under = p[low]
    floor = q["mouth_floor"][0]
    joined = join(d[low], ellipsoid(under - floor[:3], floor[3:]), 1.0)
    d[low] = join(joined, body(under, q), 1.8 + 1.4 * step(3.2, -0.4, under[:, 2]))
    face = (p[:, 2] > 5) & (p[:, 1] > -8) & (p[:, 1] < 9)
    if face.any():
        d[face] = with_nose(p[face], with_lids(p[face], d[face], q), q)
    d = d + lattice(p, q)
    if lips and face.any():
        d[face] = with_lips(p[face], d[face], q)
    return d


def gradient(p, q, h=0.004):
    corners = np.array([[1, -1, -1], [-1, -1, 1], [-1, 1, -1], [1, 1, 1]], float)
    return sum(corner * head(p + corner * h, q)[:, None] for corner in corners) / (4 * h)
