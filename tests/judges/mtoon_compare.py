"""Compares two pictures of one avatar, both with straight alpha, and writes them beside each other with the difference.

  python mtoon_compare.py OURS.png THEIRS.png [--materials LEVELS.png] [-o SHEET.png]

Pixels of the avatar are those that both pictures cover entirely. Printed are the mean difference and the 99th
percentile, of 255, of the largest of three channels: of all these pixels, and of those inside, where no pixel beside is
of another material (`mtoon.mjs` draws LEVELS.png) or uncovered. Needs NumPy and Pillow."""

import argparse
import json
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

BACKGROUND = 0.5
AMPLIFIED = 8


def read(path):
    return np.asarray(Image.open(path).convert("RGBA"), dtype=np.float64) / 255


def over_background(picture):
    """The picture over grey, mixed in linear light, as both programs mix it."""
    colour, alpha = picture[..., :3], picture[..., 3:]
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    mixed = np.clip(linear * alpha + BACKGROUND**2.2 * (1 - alpha), 0, 1)
    return np.where(mixed <= 0.0031308, mixed * 12.92, 1.055 * mixed ** (1 / 2.4) - 0.055)


def neighbours(values):
    """The values of the eight pixels around each and of itself."""
    padded = np.pad(values, 1, mode="edge")
    height, width = values.shape
    return np.stack([padded[y : y + height, x : x + width] for y in range(3) for x in range(3)])


def figures(difference):
    if difference.size == 0:
        return {"pixels": 0, "mean": 0.0, "p99": 0.0, "most": 0.0}
    return {
        "pixels": int(difference.size),
        "mean": round(float(difference.mean()), 2),
        "p99": round(float(np.percentile(difference, 99)), 1),
        "most": round(float(difference.max()), 1),
    }


def compare(ours, theirs, levels=None, names=(), toon=()):
    """Figures of the whole avatar, of its inside, of the materials among `toon`, and of each material; and the
    difference as a picture."""
    ours, theirs = read(ours), read(theirs)
    one, other = over_background(ours), over_background(theirs)
    difference = np.abs(one - other).max(axis=2) * 255
    covered = (ours[..., 3] > 0.996) & (theirs[..., 3] > 0.996)
    groups = (
        covered.astype(int) if levels is None else np.asarray(Image.open(levels).convert("RGB"))[..., 0].astype(int)
    )
    groups = np.where(covered, groups, 0)
    around = neighbours(groups)
    inside = covered & (groups > 0) & (around.min(axis=0) == around.max(axis=0))
    cover = np.abs(ours[..., 3] - theirs[..., 3])
    found = {
        "all": figures(difference[covered]),
        "inside": figures(difference[inside]),
        "toon": figures(difference[covered & np.isin(groups, [names.index(name) + 1 for name in toon if name in names])]),
        "covered by one alone": round(float((cover > 0.5).sum() / max((theirs[..., 3] > 0.5).sum(), 1)), 5),
        "materials": {},
    }
    for level, name in enumerate(names, 1):
        of_material = inside & (groups == level)
        if of_material.any():
            # The sign says which of the two is brighter.
            signed = ((one - other) * 255)[of_material].mean(axis=0)
            found["materials"][name] = figures(difference[of_material]) | {
                "ours - theirs": [round(x, 1) for x in signed]
            }
    return found, one, other, difference


def sheet(path, one, other, difference, title):
    parts = [one, other, np.repeat(np.clip(difference[..., None] * AMPLIFIED / 255, 0, 1), 3, axis=2)]
    picture = Image.fromarray((np.concatenate(parts, axis=1) * 255 + 0.5).astype(np.uint8))
    draw = ImageDraw.Draw(picture)
    width = one.shape[1]
    for index, label in enumerate([f"Smirk  {title}", "three-vrm", f"difference x {AMPLIFIED}"]):
        draw.text((index * width + 8, 6), label, fill=(255, 255, 0), stroke_width=2, stroke_fill=(0, 0, 0))
    picture.save(path)


def contact_sheet(path, sheets, width=960):
    """Sheets of pictures, smaller, one below the other in two columns."""
    pictures = [Image.open(sheet).convert("RGB") for sheet in sheets]
    if not pictures:
        return
    high = round(pictures[0].height * width / pictures[0].width)
    whole = Image.new("RGB", (2 * width, -(-len(pictures) // 2) * high))
    for index, picture in enumerate(pictures):
        whole.paste(picture.resize((width, high), Image.LANCZOS), (index % 2 * width, index // 2 * high))
    whole.save(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("ours")
    parser.add_argument("theirs")
    parser.add_argument("--materials")
    parser.add_argument("-o", "--output")
    args = parser.parse_args()
    names = json.loads(Path(f"{args.materials}.json").read_text()) if args.materials else ()
    found, *pictures = compare(args.ours, args.theirs, args.materials, names)
    print(json.dumps(found, indent=1))
    if args.output:
        whole = found["all"]
        sheet(args.output, *pictures, f"mean {whole['mean']}, 99 % {whole['p99']}")


if __name__ == "__main__":
    main()
