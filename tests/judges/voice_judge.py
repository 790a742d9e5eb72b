#!/usr/bin/env python3
"""What a voice does with the corpus of voice_corpus.py, against the times at which espeak-ng says each phone.

voice_judge.py SMIRK CORPUS weights             the weights of the bundled head, for labels, sound, noise and 8 kHz
voice_judge.py SMIRK CORPUS film HEAD...        landmarks of a face tracker on the frames of films of ten sentences; HEAD
                                                is a file, or bundled (needs mediapipe==0.10.14 and pillow)

Needs numpy and scipy. Only what the program writes is read: it is judged from outside.
"""

import collections
import csv
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from scipy.stats import spearmanr

HEIGHT = {"i": 0, "y": 0, "u": 0, "ɪ": 0.25, "ʊ": 0.25, "e": 0.35, "ø": 0.35, "o": 0.35, "ə": 0.5, "ɜ": 0.55, "ɛ": 0.65}
HEIGHT |= {"œ": 0.65, "ɔ": 0.65, "ʌ": 0.7, "ɐ": 0.8, "æ": 0.85, "ɒ": 0.95, "a": 1, "ɑ": 1}
ROUND = {vowel: 0.0 for vowel in "iɪeəɛʌɐæaɑ"} | {vowel: 1.0 for vowel in "yuʊøoœɔ"} | {"ɒ": 0.7, "ɜ": 0.2}
ORAL = tuple("tdkɡgnŋɲɾ")
FILM_FPS = 30
# Landmarks of the tracker: the inner edges of both lips at their middle, the corners of the mouth, and the outer corners
# of the eyes.
LANDMARKS = (13, 14, 61, 291, 33, 263)


def phones(path):
    lines = path.read_text().split("\n")[12:]
    rows = [lines[at : at + 3] for at in range(0, len(lines) - 2, 3)]
    return [(float(a), float(b), name.strip('"').replace("ː", "").replace("\u0303", "")) for a, b, name in rows]


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{command}: {done.stderr}")


def weights(smirk, voice):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "a.csv"
        run([smirk, "export", "animation", "--voice", str(voice), "--fps", "100", "--format", "csv", "-o", str(out)])
        rows = list(csv.DictReader(out.open()))
    return {name: np.array([float(row[name] or 0) for row in rows]) for name in rows[0]}


def sides(columns, name):
    return columns.get(name, columns.get(name + "Left"))


def judge_weights(smirk, corpus):
    for how, suffix in [("labels", ".TextGrid"), ("sound", ".wav"), ("20 dB noise", "_noise.wav"), ("8 kHz", "_8k.wav")]:
        found = collections.defaultdict(list)
        for grid in sorted(corpus.glob("*.TextGrid")):
            if not grid.with_name(grid.stem + suffix).exists():
                continue
            voice = grid.stem.partition("_")[2].partition("_")[2] or "plain"
            columns = weights(smirk, str(grid)[: -len(".TextGrid")] + suffix)
            times, truth = columns["time"], phones(grid)
            jaw, lower, upper = (sides(columns, name) for name in ["jawOpen", "mouthLowerDown", "mouthUpperUp"])
            opening = jaw + lower + upper
            press, roll = sides(columns, "mouthPress"), sides(columns, "mouthRollLower")
            pucker = sides(columns, "mouthPucker") + sides(columns, "mouthFunnel")
            widest = opening.max()
            is_closed = press > 0.15
            of_voice = found[voice]
            for start, end, name in truth:
                near = np.abs(times - (start + end) / 2) <= 0.0205
                if name[:1] in tuple("mbp") and name:
                    of_voice.append(("closed", float(opening[near].min() < 0.02 * widest)))
                if name[:1] in tuple("fv") and name:
                    of_voice.append(("bitten", float(roll[near].max() > 0.5)))
                if name in HEIGHT:
                    within = (times >= start) & (times <= end)
                    of_voice.append(("vowel", (jaw[within].max(), HEIGHT[name], np.median(pucker[within]), ROUND[name])))
                if name:
                    of_voice.append(("speech", end - start))
            edges = np.flatnonzero(np.diff(np.r_[False, is_closed, False].astype(int)))
            for first, last in edges.reshape(-1, 2):
                a, b = times[first], times[min(last, len(times) - 1)]
                touched = [name for start, end, name in truth if min(b, end) > max(a, start)]
                if not any(name[:1] in tuple("mbp") and name for name in touched):
                    middle = [name for start, end, name in truth if start <= (a + b) / 2 < end]
                    if middle and middle[0]:
                        of_voice.append(("false stop" if middle[0][0] in ORAL else "false", middle[0]))
            # A value that jumps there and back bends by twice what it moves.
            moved = [column for name, column in columns.items() if name != "time" and column.max() > 0.05]
            of_voice.append(("bend", max(np.abs(np.diff(column, 2)).max() / column.max() for column in moved)))
        if not found:
            continue
        print(how)
        everything = [item for of_voice in found.values() for item in of_voice]
        for voice, items in [("all", everything), *sorted(found.items())]:
            of = lambda kind: [value for name, value in items if name == kind]
            vowels, minutes = np.array(of("vowel")), sum(of("speech")) / 60
            print(
                f"  {voice:6} m b p closed {np.mean(of('closed')):.2f} of {len(of('closed'))}, f v bitten {np.mean(of('bitten')):.2f}, "
                f"false a minute {len(of('false')) / minutes:.1f} and at other stops {len(of('false stop')) / minutes:.1f}, "
                f"jaw {spearmanr(vowels[:, 0], vowels[:, 1])[0]:.2f}, rounding {spearmanr(vowels[:, 2], vowels[:, 3])[0]:.2f}, "
                f"largest bend {max(of('bend')):.2f}",
                flush=True,
            )


def lip_gaps(smirk, voice, head, mesh):
    """The gap of the lips for each frame of a film, in parts of the width of the mouth and of the distance between the
    outer corners of the eyes, which does not change with the mouth; nan where no face is found."""
    from PIL import Image

    gaps = []
    with tempfile.TemporaryDirectory() as folder:
        file = [] if head == "bundled" else [head]
        view = ["--size", "320x320", "--samples", "1", "--fps", str(FILM_FPS)]
        run([smirk, "export", "pictures", *file, "--voice", voice, *view, "-o", f"{folder}/####.png"])
        for picture in sorted(pathlib.Path(folder).glob("*.png")):
            seen = mesh.process(np.asarray(Image.open(picture).convert("RGB"))).multi_face_landmarks
            if seen:
                at = [np.array([seen[0].landmark[index].x, seen[0].landmark[index].y]) for index in LANDMARKS]
                gap, mouth, eyes = (np.linalg.norm(a - b) for a, b in zip(at[::2], at[1::2]))
                gaps.append([gap / mouth, gap / eyes])
            else:
                gaps.append([np.nan, np.nan])
    return np.array(gaps)


def judge_film(smirk, corpus, head):
    import mediapipe

    mesh = mediapipe.solutions.face_mesh.FaceMesh(static_image_mode=True, refine_landmarks=True, min_detection_confidence=0.2)
    # Ten sentences, with all four languages and six voices among them.
    grids = [grid for at, grid in enumerate(sorted(corpus.glob("*.TextGrid"))) if at % 8 in (0, 5)]
    for how, suffix in [("labels", ".TextGrid"), ("sound", ".wav")]:
        closed, vowels, frames, unseen = [], [], 0, 0
        for grid in grids:
            gaps = lip_gaps(smirk, str(grid)[: -len(".TextGrid")] + suffix, head, mesh)
            times, is_seen = np.arange(len(gaps)) / FILM_FPS, ~np.isnan(gaps[:, 0])
            frames, unseen = frames + len(gaps), unseen + np.sum(~is_seen)
            for start, end, name in phones(grid):
                seen = gaps[(times >= start - 0.04) & (times <= end + 0.04) & is_seen]
                if name[:1] in tuple("mbp") and name:
                    least = seen[:, 0].min(initial=1)
                    closed.append(least < 0.05)
                    if not closed[-1]:
                        print(f"  {how}, {grid.stem}: {name} from {start:.2f} to {end:.2f} is open by {least:.2f}")
                if name in HEIGHT and len(seen):
                    vowels.append((*seen.max(axis=0), HEIGHT[name]))
        by_width, by_eyes, height = np.array(vowels).T
        print(
            f"{head}, {how}: m b p closed {np.mean(closed):.2f} of {len(closed)}, gap by height "
            f"{spearmanr(by_eyes, height)[0]:.3f}, in widths of the mouth {spearmanr(by_width, height)[0]:.3f}, "
            f"of {len(vowels)}, {unseen} of {frames} frames without a face",
            flush=True,
        )


if __name__ == "__main__":
    smirk, corpus, what, *heads = sys.argv[1:]
    if what == "weights":
        judge_weights(smirk, pathlib.Path(corpus))
    for head in heads:
        judge_film(smirk, pathlib.Path(corpus), head)
