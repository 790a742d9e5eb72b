#!/usr/bin/env python3
"""What a face tracker that has never seen Smirk reads from carried-over shapes, beside a head's own shapes.

    transfer.py SMIRK HEAD [HEAD ...]      (Python with mediapipe==0.10.14, numpy, pillow)

HEAD has shapes with ARKit's names. `smirk transfer bundled HEAD` replaces them, and both are drawn at rest and with
single expressions. Printed per head: eye opening over eye width at a blink, lip gap over mouth width at jawOpen, mouth
width over face width at rest, smile and pucker; of the own shapes, then of the carried ones. All other shapes are at 0,
also those that the file has at other weights. How much room is around the face moves a reading by up to 0.04, so that
each is the median of five framings.
"""
import json
import os
import subprocess
import sys
import tempfile

import mediapipe
import numpy
from PIL import Image

SHAPES = ["eyeBlinkLeft", "eyeBlinkRight", "jawOpen", "mouthClose", "mouthSmileLeft", "mouthSmileRight", "mouthPucker"]
POSES = {
    "rest": [],
    "blink": ["eyeBlinkLeft", "eyeBlinkRight"],
    "jawOpen": ["jawOpen"],
    "smile": ["mouthSmileLeft", "mouthSmileRight"],
    "pucker": ["mouthPucker"],
}
TRACKER = mediapipe.solutions.face_mesh.FaceMesh(
    static_image_mode=True, refine_landmarks=True, min_detection_confidence=0.2
)


# Room around the picture on each side, in parts of its width.
ROOM = [0.0, 0.1, 0.2, 0.3, 0.4]


def framed(picture, room):
    """The picture with room around it, in the size that it has."""
    added = round(room * picture.width)
    wide = Image.new("RGB", (picture.width + 2 * added, picture.height + 2 * added), picture.getpixel((0, 0)))
    wide.paste(picture, (added, added))
    return wide.resize(picture.size, Image.LANCZOS)


def read(path):
    """Eye opening, lip gap and mouth width as medians of the framings in which there is a face; nothing if it is in
    none."""
    picture = Image.open(path).convert("RGB")
    readings = [reading for room in ROOM if (reading := read_one(framed(picture, room)))]
    if not readings:
        return None
    return {key: float(numpy.median([reading[key] for reading in readings])) for key in readings[0]}


def read_one(picture):
    pixels = numpy.asarray(picture)
    found = TRACKER.process(pixels).multi_face_landmarks
    if not found:
        return None
    places = numpy.array([(it.x * pixels.shape[1], it.y * pixels.shape[0]) for it in found[0].landmark])
    apart = lambda a, b: float(numpy.linalg.norm(places[a] - places[b]))
    return {
        "eye": (apart(159, 145) / apart(33, 133) + apart(386, 374) / apart(362, 263)) / 2,
        "gap": apart(13, 14) / apart(61, 291),
        "wide": apart(61, 291) / apart(234, 454),
    }


def figures(smirk, head, folder):
    out = {}
    inspected = subprocess.run([smirk, "inspect", head, "--json"], check=True, capture_output=True, text=True)
    channels = json.loads(inspected.stdout)["channels"]
    for name, shapes in POSES.items():
        shown = [it if it in channels else it.replace("Left", "_L").replace("Right", "_R") for it in shapes]
        assert all(it in channels for it in shown), (head, shown)
        pose = ",".join(f"{channel}={int(channel in shown)}" for channel in channels)
        picture = os.path.join(folder, name + ".png")
        command = [smirk, "render", head, "--size", "768x768", "--samples", "4", "-o", picture]
        subprocess.run(command + ["--pose", pose], check=True, capture_output=True)
        out[name] = read(picture)
    return out


def line(found):
    value = lambda pose, key: "  -  " if found[pose] is None else f"{found[pose][key]:.3f}"
    parts = [("rest", "eye"), ("blink", "eye"), ("jawOpen", "gap"), ("rest", "wide"), ("smile", "wide"), ("pucker", "wide")]
    return "  ".join(f"{pose} {key} {value(pose, key)}" for pose, key in parts)


def main():
    smirk = sys.argv[1]
    for head in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as folder:
            carried = os.path.join(folder, "carried.glb")
            command = [smirk, "transfer", "bundled", head, "--shapes", ",".join(SHAPES), "-o", carried]
            done = subprocess.run(command, capture_output=True, text=True)
            print(f"{os.path.basename(head):28} own      {line(figures(smirk, head, folder))}", flush=True)
            if done.returncode:
                print(f"{'':28} refused: {done.stderr.strip()}", flush=True)
                continue
            print(f"{'':28} carried  {line(figures(smirk, carried, folder))}", flush=True)


main()
