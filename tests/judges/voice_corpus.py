#!/usr/bin/env python3
"""Makes the corpus that voices are judged on: sentences spoken by espeak-ng, as WAV files and TextGrids.

voice_corpus.py FOLDER [heldout]: 40 sentences, four languages, six voices; or 30 others in five languages and five
voices. Needs libespeak-ng (the Debian package espeak-ng) and numpy. For each sentence it writes NAME.wav,
NAME_noise.wav (white noise 20 dB below the speech), NAME_8k.wav (at 8000 samples per second) and NAME.TextGrid: the
phones as espeak-ng itself says when each of them begins, in IPA.
"""

import ctypes
import pathlib
import sys
import wave

import numpy as np

SENTENCES = {
    "en": [
        "My mother bought a big brown umbrella before the storm.",
        "Peter put five purple books on top of the piano.",
        "We never found the way over the river before Monday.",
        "The farmer's family moved from a small village to the coast.",
        "Please open the window, the room is warm and full of smoke.",
        "Bob made a map of the bay and gave a copy to Emma.",
        "You should choose the blue shoes, not the brown boots.",
        "A happy man may hum a simple melody every morning.",
        "The big problem with empty promises is that nobody remembers them.",
        "How many apples did the baby bring home from the market?",
    ],
    "de": [
        "Meine Mutter kauft am Montag einen bunten Blumenstrauß.",
        "Peter backt im Sommer gerne Apfelkuchen mit Mandeln.",
        "Wir haben den Bahnhof bei Regen und Nebel kaum gefunden.",
        "Das Boot kam bei Nacht und Sturm am Ufer an.",
        "Bitte bring mir morgen früh die beiden blauen Bücher mit.",
        "Im Baum am Bach bauen Vögel ein warmes Nest.",
        "Über Hamburg schweben fünf große Möwen im Wind.",
        "Papa malt ein Bild von einem Pferd und einem Baum.",
        "Am Abend wird es im Park oft ziemlich kühl.",
        "Niemand vermisst die alte Lampe aus dem Wohnzimmer.",
    ],
    "es": [
        "Mi madre compró un bonito paraguas para la abuela.",
        "El hombre bebe un vaso de vino con su amigo.",
        "Pepe puso la sopa sobre la mesa pequeña del comedor.",
        "Mañana vamos a pasear por el campo con el perro.",
        "Me gusta mucho la música de los pueblos de montaña.",
        "La paloma blanca vuela sobre el puente del río.",
        "Tomás come pan con mermelada por la mañana.",
        "Un buen amigo siempre ayuda cuando hay problemas.",
        "El barco grande viene del puerto de Barcelona.",
        "Nunca olvido el nombre de mi primera maestra.",
    ],
    "fr": [
        "Ma maman prépare une bonne soupe aux pommes de terre.",
        "Le bateau blanc passe sous le pont de la ville.",
        "Pierre a perdu son beau chapeau pendant le voyage.",
        "Nous aimons beaucoup la musique du film de samedi.",
        "Il faut ouvrir la porte avant le début du spectacle.",
        "Mon ami habite une petite maison au bord de la mer.",
        "Un homme important parle avec beaucoup de prudence.",
        "Les bons vins viennent souvent de vieilles vignes.",
        "La pluie tombe depuis plusieurs jours sur la montagne.",
        "Je voudrais une table pour deux personnes, s'il vous plaît.",
    ],
}
# Other sentences and voices, and other languages but for English: the numbers of the program were not set on them.
HELD_OUT = {
    "en-us": [
        "Nobody imagined that the bridge would be open by December.",
        "A small boat drifted past the empty lighthouse at midnight.",
        "Tell the doctor to come back in about ten minutes.",
        "Good neighbours are never too tired to lend a hand.",
        "The computer program crashed again, but nothing was lost.",
        "Amanda reads a long book under the kitchen lamp.",
    ],
    "it": [
        "La mamma prepara una buona minestra per il bambino.",
        "Domani mattina partiamo con il treno delle nove.",
        "Non dimenticare di comprare il pane e le mele.",
        "Paolo beve molta acqua dopo la partita di pallone.",
        "Abbiamo visto un gatto nero dentro il giardino.",
        "Questa canzone mi ricorda tante cose belle.",
    ],
    "nl": [
        "Mijn broer bakt elke maandag een grote appeltaart.",
        "De bomen langs het pad zijn al helemaal kaal.",
        "Wil je morgen met ons naar de markt komen?",
        "Het boek ligt naast de lamp op de tafel.",
        "Niemand begreep waarom de trein niet verder reed.",
        "Na de regen dronken we samen een kop thee.",
    ],
    "pt-br": [
        "Minha irmã comprou um bolo bonito para a festa.",
        "O gato dorme embaixo da cama todo dia.",
        "Amanhã de manhã vamos caminhar pela praia.",
        "Não encontrei o caminho certo para o museu.",
        "A comida do restaurante estava muito boa.",
        "Quando chove, todo mundo corre para casa.",
    ],
    "pl": [
        "Moja babcia piecze bardzo dobre ciasto z jabłkami.",
        "Pod mostem płynie mała spokojna rzeka.",
        "Dzieci grają w piłkę na podwórku koło domu.",
        "Nie pamiętam, kiedy ostatnio padał śnieg.",
        "W sobotę pojedziemy pociągiem do miasta.",
        "Kot siedzi na dachu i patrzy na ptaki.",
    ],
}
HELD_OUT_VOICES = ["+m1", "+f1", "+m5", "+f3", "+m2"]
VOICES = ["", "+m3", "+m7", "+f2", "+f4", "+f5"]
PHONEME, MSG_TERMINATED, SENTENCE_END = 7, 6, 5


class Id(ctypes.Union):
    _fields_ = [("number", ctypes.c_int), ("name", ctypes.c_char_p), ("string", ctypes.c_char * 8)]


class Event(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int),
        ("unique_identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", Id),
    ]


CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(Event))
samples, events = [], []


@CALLBACK
def heard(wav, count, event):
    if wav and count:
        samples.append(np.ctypeslib.as_array(wav, (count,)).copy())
    index = 0
    while event[index].type:
        if event[index].type == PHONEME:
            raw = bytes(event[index].id.string).split(b"\0")[0]
            events.append((event[index].audio_position / 1000, raw.decode(errors="replace")))
        index += 1
    return 0


def with_closures(phones, sound, rate):
    """The phones with the silence before the burst of a stop as a part of the stop: espeak-ng names a stop when it
    bursts, and counts its closure to the phone before."""
    step = rate // 500
    for index in range(1, len(phones)):
        start, stop, name = phones[index]
        before = phones[index - 1]
        if name[:1] not in tuple("pbtdkɡ") or not before[2]:
            continue
        at = int(start * rate) - step
        while at > before[0] * rate and at > (start - 0.03) * rate and np.abs(sound[at : at + step]).max() > 30:
            at -= step
        begin = at
        while begin - step > before[0] * rate and np.abs(sound[begin - step : begin]).max() <= 30:
            begin -= step
        if begin < at:
            phones[index - 1] = (before[0], begin / rate, before[2])
            phones[index] = (begin / rate, stop, name)
    return [phone for phone in phones if phone[1] > phone[0]]


def text_grid(phones, end):
    lines = ['File type = "ooTextFile"', 'Object class = "TextGrid"', "", f"0\n{end:.4f}", "<exists>", "1"]
    lines += ['"IntervalTier"', '"phones"', f"0\n{end:.4f}", str(len(phones))]
    for start, stop, name in phones:
        lines.append(f'{start:.4f}\n{stop:.4f}\n"{name}"')
    return "\n".join(lines) + "\n"


def save(path, sound, rate):
    with wave.open(str(path), "wb") as out:
        out.setparams((1, 2, rate, 0, "NONE", ""))
        out.writeframes(np.clip(sound, -32768, 32767).astype("<i2").tobytes())


def at_8k(sound, rate):
    spectrum = np.fft.rfft(sound)
    count = int(len(sound) * 8000 / rate)
    spectrum = spectrum[: count // 2 + 1]
    return np.fft.irfft(spectrum, count) * count / len(sound)


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    espeak = ctypes.CDLL("libespeak-ng.so.1")
    # Phoneme events (1), named in IPA (2).
    rate = espeak.espeak_Initialize(2, 0, None, 3)
    espeak.espeak_SetSynthCallback(heard)
    random = np.random.default_rng(1)
    number = 0
    corpus, voices = (HELD_OUT, HELD_OUT_VOICES) if "heldout" in sys.argv[2:] else (SENTENCES, VOICES)
    for language, sentences in corpus.items():
        for sentence in sentences:
            voice = voices[number % len(voices)]
            samples.clear()
            events.clear()
            espeak.espeak_SetVoiceByName((language + voice).encode())
            text = sentence.encode() + b"\0"
            espeak.espeak_Synth(text, len(text), 0, 0, 0, 1, None, None)
            sound = np.concatenate(samples).astype(float)
            sound = np.concatenate([np.zeros(rate // 4), sound, np.zeros(rate // 4)])
            end = len(sound) / rate
            starts = [(time + 0.25, name) for time, name in events] + [(end, "")]
            phones = [(a, b, name) for (a, name), (b, _) in zip(starts, starts[1:]) if b > a]
            if phones and phones[0][0] > 0:
                phones.insert(0, (0.0, phones[0][0], ""))
            phones = with_closures(phones, sound, rate)
            name = f"{number:02}_{language}{voice.replace('+', '_')}"
            (folder / f"{name}.TextGrid").write_text(text_grid(phones, end))
            save(folder / f"{name}.wav", sound, rate)
            power = np.mean(sound[np.abs(sound) > 200] ** 2)
            save(folder / f"{name}_noise.wav", sound + random.normal(0, np.sqrt(power / 100), len(sound)), rate)
            save(folder / f"{name}_8k.wav", at_8k(sound, rate), 8000)
            number += 1


main()
