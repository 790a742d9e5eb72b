//! The mouth of labels and of made sounds, whose truth is known.

use super::made::{self, noise, scaled, vowel};
use super::*;
use smirk_face::motion::{Marker, Take};

fn labels(text: &str) -> Vec<Marker> {
    let mut at = 0.5;
    let phones = text.split_whitespace().map(|phone| {
        let (name, secs) = phone.split_once('=').map_or((phone, 0.08), |(name, secs)| (name, secs.parse().unwrap()));
        at += secs;
        Marker { time_secs: at - secs, text: name.to_owned(), lasts_secs: secs }
    });
    phones.collect()
}

fn spoken(markers: &[Marker]) -> Speech {
    Speech::of_labels(markers, None, 0.06).unwrap().0
}

fn column(take: &Take, name: &str, secs: f32) -> f32 {
    take.sample(take.columns.iter().position(|column| column.name == name).unwrap(), secs)
}

/// How far the lips are apart.
fn opening(take: &Take, secs: f32) -> f32 {
    ["jawOpen", "mouthLowerDownLeft", "mouthUpperUpLeft", "mouthFunnel"]
        .map(|name| column(take, name, secs))
        .iter()
        .sum()
}

const SENTENCE: &str =
    "m=0.07 aɪ=0.12 m ʌ ð ə b=0.05 ɔː=0.17 t ɐ b ɪ=0.06 ɡ v a p=0.03 u f eɪ s _=0.4 p i p əl ɑ=0.1 m=0.02 w o";

#[test]
fn lips_close_for_every_m_b_and_p_and_teeth_touch_for_every_f_and_v() {
    let markers = labels(SENTENCE);
    for (amount, lead) in [(1.0, 0.0), (1.0, 0.06), (2.0, 0.12), (0.5, 0.2)] {
        let voice = Voice { amount, smoothing_secs: 0.1, ..Voice::default() };
        let take = Speech::of_labels(&markers, None, lead).unwrap().0.take(&voice);
        let widest = (0..400).map(|frame| opening(&take, frame as f32 * 0.01)).fold(0.0, f32::max);
        for marker in &markers {
            let middle = marker.time_secs + 0.5 * marker.lasts_secs;
            let around = [-0.02, -0.01, 0.0, 0.01, 0.02].map(|offset| middle + offset);
            match marker.text.chars().next().unwrap() {
                'm' | 'b' | 'p' => {
                    for secs in around {
                        let opening = opening(&take, secs);
                        assert!(opening < 0.02 * widest, "{} at {secs}: {opening} of {widest}", marker.text);
                    }
                    assert!(column(&take, "mouthPressLeft", middle) > 0.25);
                }
                'f' | 'v' => {
                    let (roll, jaw) = (column(&take, "mouthRollLower", middle), column(&take, "jawOpen", middle));
                    assert!(roll > 0.6 && jaw < 0.08, "{} at {middle}: {roll}, jaw {jaw}", marker.text);
                }
                _ => {}
            }
        }
    }
}

#[test]
fn vowels_open_and_round_the_mouth_as_the_chart_of_the_ipa_says() {
    let at_its_vowel = |vowel: &str, column_name: &str| {
        let phones = labels(&format!("t {vowel}=0.25 t"));
        let take = Speech::of_labels(&phones, Some(PhoneSet::Ipa), 0.06).unwrap().0.take(&Voice::default());
        column(&take, column_name, 0.66)
    };
    for (wider, narrower) in [("a", "ɛ"), ("ɛ", "e"), ("e", "i"), ("ɔ", "o"), ("o", "u")] {
        assert!(at_its_vowel(wider, "jawOpen") > at_its_vowel(narrower, "jawOpen") + 0.05, "{wider} {narrower}");
    }
    for (round, spread) in [("u", "i"), ("y", "i"), ("o", "e"), ("ø", "e")] {
        assert!(
            at_its_vowel(round, "mouthPucker") > 0.35 && at_its_vowel(spread, "mouthPucker") < 0.1,
            "{round} {spread}"
        );
    }
}

#[test]
fn rounding_spreads_over_consonants_and_a_shape_is_there_before_its_sound() {
    let pucker = |text: &str, lead_secs: f32, secs: f32| {
        let take = Speech::of_labels(&labels(text), None, lead_secs).unwrap().0.take(&Voice::default());
        column(&take, "mouthPucker", secs)
    };
    // The consonants from 0.60 to 0.76.
    assert!(pucker("i=0.1 s t u=0.2", 0.06, 0.70) > pucker("i=0.1 s t i=0.2", 0.06, 0.70) + 0.2);
    let first = |lead: f32| {
        (0..100).map(|frame| frame as f32 * 0.01).find(|&secs| pucker("t u=0.3", lead, secs) > 0.4).unwrap()
    };
    assert!(first(0.0) - first(0.1) > 0.05, "{} {}", first(0.0), first(0.1));
}

#[test]
fn the_mouth_relaxes_in_pauses_and_around_what_is_said() {
    let take = spoken(&labels("ɑ=0.3 _=0.8 ɑ=0.3")).take(&Voice::default());
    let jaw = |secs: f32| column(&take, "jawOpen", secs);
    assert!(jaw(0.6) > 0.45 && jaw(1.2) < 0.02 && jaw(1.75) > 0.45);
    assert!(jaw(0.0) < 0.01 && jaw(2.8) < 0.02 && jaw(99.0) == 0.0);
}

#[test]
fn lips_and_teeth_that_touch_first_after_a_pause_do_not_part_before() {
    for lead in [0.0, 0.06, 0.12, 0.2] {
        let markers = labels("b ɑ=0.2 _=0.5 f ɑ=0.2 _=0.5 t ɑ=0.2");
        let take = Speech::of_labels(&markers, None, lead).unwrap().0.take(&Voice::default());
        let widest_jaw = |from: f32, to: f32| {
            let frames = (from * FRAMES_PER_SEC) as usize..(to * FRAMES_PER_SEC) as usize;
            frames.map(|frame| column(&take, "jawOpen", frame as f32 / FRAMES_PER_SEC)).fold(0.0, f32::max)
        };
        assert!(widest_jaw(0.0, 0.5) < 0.01, "before b with a lead of {lead}: {}", widest_jaw(0.0, 0.5));
        assert!(widest_jaw(1.0, 1.28) < 0.06, "before f with a lead of {lead}: {}", widest_jaw(1.0, 1.28));
        assert!(widest_jaw(1.8, 2.09) > 0.05, "before t with a lead of {lead}: {}", widest_jaw(1.8, 2.09));
    }
}

/// The largest second difference of each column in a hundredth of a second, in relation to its largest value. A value
/// that jumps there and back bends by twice what it moves.
fn bends(take: &Take) -> Vec<f32> {
    let frames = (take.duration_secs * FRAMES_PER_SEC) as usize;
    let of_column = |index: usize| {
        let value = |frame: usize| take.sample(index, frame as f32 / FRAMES_PER_SEC);
        let bends = (1..frames).map(|frame| (value(frame - 1) - 2.0 * value(frame) + value(frame + 1)).abs());
        let most = (0..frames).map(value).fold(0.0, f32::max);
        if most > 0.05 { bends.fold(0.0, f32::max) / most } else { 0.0 }
    };
    (0..take.columns.len()).map(of_column).collect()
}

const LARGEST_BEND: f32 = 0.33;

#[test]
fn a_gate_between_two_others_bends_no_more_than_a_third() {
    for gap_ms in 1..250 {
        for offset in 0..10 {
            let start = 0.2 + 0.001 * offset as f32;
            let gates = Gates::new(&[[start, start + 0.06], [start + 0.06 + 0.001 * gap_ms as f32, 0.7]]);
            let values: Vec<f32> = (0..100).map(|frame| gates.at(0.01 * frame as f32)).collect();
            let worst = values.windows(3).map(|near| (near[0] - 2.0 * near[1] + near[2]).abs()).fold(0.0, f32::max);
            assert!(worst <= 0.31, "{gap_ms} ms: {worst}");
        }
    }
}

#[test]
fn nothing_trembles() {
    let take = spoken(&labels(SENTENCE)).take(&Voice::default());
    assert!(bends(&take).iter().all(|bend| *bend <= LARGEST_BEND), "{:?}", bends(&take));
    for pitch in [100.0, 190.0] {
        let take = Heard::new(&made("amapi_autamipasimo_tatopumapima", pitch).0, RATE).speech.take(&Voice::default());
        assert!(bends(&take).iter().all(|bend| *bend <= LARGEST_BEND), "{pitch}: {:?}", bends(&take));
    }
}

#[test]
fn nothing_turns_back_without_a_sound() {
    let take = spoken(&labels(SENTENCE)).take(&Voice::default());
    let step = 1.0 / FRAMES_PER_SEC;
    for (index, column) in take.columns.iter().enumerate() {
        let value = |frame: usize| take.sample(index, frame as f32 * step);
        let turns = (2..390).filter(|&frame| {
            let [before, after] = [value(frame - 1) - value(frame - 2), value(frame) - value(frame - 1)];
            before * after < 0.0 && before.abs().min(after.abs()) > 0.002
        });
        let turns = turns.count();
        assert!(turns <= 2 * 24, "{} turns {turns} times in 24 sounds", column.name);
    }
}

#[test]
fn the_sliders_move_what_they_say() {
    let speech = spoken(&labels("p ɑ=0.2 u=0.2 p"));
    let values = |voice: Voice| {
        let take = speech.take(&voice);
        ([0.66, 0.86].map(|secs| column(&take, "jawOpen", secs)), column(&take, "mouthPucker", 0.86))
    };
    let rest = values(Voice::default());
    let without_jaw = values(Voice { jaw: 0.0, ..Voice::default() });
    assert_eq!((without_jaw.0, without_jaw.1), ([0.0; 2], rest.1));
    let without_lips = values(Voice { lips: 0.0, ..Voice::default() });
    assert_eq!((without_lips.0, without_lips.1), (rest.0, 0.0));
    let half = values(Voice { amount: 0.5, ..Voice::default() });
    assert!((half.0[0] - 0.5 * rest.0[0]).abs() < 1e-4 && (half.1 - 0.5 * rest.1).abs() < 1e-4);
}

#[test]
fn how_labels_are_spelled_is_found_by_what_they_say() {
    for (text, set) in [
        ("sil HH AH0 L OW1 W ER1 L D sp", PhoneSet::Arpabet),
        ("hh ax l ow m iy", PhoneSet::Arpabet),
        ("h ə l əʊ m iː", PhoneSet::Ipa),
        ("tʃ ɑ̃ pʲ ɲ aː", PhoneSet::Ipa),
        ("h @ l @U m i: tS {", PhoneSet::Sampa),
        ("h @ l oU m a# I2 0", PhoneSet::Kirshenbaum),
        ("k o N n i ch i w a", PhoneSet::Romaji),
        ("kya ra me ru shi", PhoneSet::Romaji),
        ("X B A D C X G H", PhoneSet::Rhubarb),
        ("0 21 2 7 19 0", PhoneSet::Azure),
        ("sil PP aa SS E oh", PhoneSet::Oculus),
        ("viseme_sil viseme_PP viseme_aa", PhoneSet::Oculus),
        ("p E r i k a t @ sil", PhoneSet::Sampa),
        ("Mary had a little lamb", PhoneSet::Words),
        ("Über den Wolken", PhoneSet::Words),
    ] {
        let (speech, read) = Speech::of_labels(&labels(text), None, 0.06).unwrap();
        assert_eq!((read.set, read.read), (set, read.count), "{text}");
        assert!(speech.end_secs() > 0.5);
    }
    let read = Speech::of_labels(&labels("HH AH0 ZZZ L OW1"), None, 0.06).unwrap().1;
    assert_eq!((read.set, read.read, read.count), (PhoneSet::Arpabet, 4, 5));
    assert!(Speech::of_labels(&labels("1 2 3"), Some(PhoneSet::Arpabet), 0.06).is_none());
    assert!(
        Speech::of_labels(&[], None, 0.06).is_none() && Speech::of_labels(&labels("_ sil ???"), None, 0.06).is_none()
    );
}

#[test]
fn of_several_tiers_the_phones_are_read_and_last_until_the_next() {
    let marker = |time_secs: f32, lasts_secs: f32, text: &str| Marker { time_secs, text: text.into(), lasts_secs };
    for [first, single] in [["bob · B", "B · bob"], ["say bob · bob · B", "B · bob · say bob"]].map(|[a, b]| [a, b])
    {
        for text in [first, single] {
            let markers = [marker(0.5, 0.3, text), marker(0.6, 0.1, "AA1"), marker(0.7, 0.1, "B")];
            let (speech, read) = Speech::of_labels(&markers, None, 0.06).unwrap();
            assert_eq!((read.set, read.read), (PhoneSet::Arpabet, 3), "{text}");
            assert_eq!(speech.closed, [[0.5, 0.6], [0.7, 0.8]], "{text}");
            assert_eq!(speech.stressed, [0.6]);
        }
    }
}

#[test]
fn stressed_words_raise_the_brows_and_blink_only_if_that_is_wanted() {
    let speech = spoken(&labels("B AA1=0.2 B _=1 B OW1=0.2 M"));
    let names = |voice: &Voice| speech.take(voice).columns.len();
    assert_eq!(names(&Voice::default()), COLUMNS.len());
    let voice = Voice { brows: true, blinks: true, ..Voice::default() };
    let take = speech.take(&voice);
    assert_eq!(take.columns.len(), COLUMNS.len() + 5);
    assert!(column(&take, "browInnerUp", 0.58) > 0.28 && column(&take, "browInnerUp", 1.4) == 0.0);
    assert!(column(&take, "eyeBlinkLeft", 0.58) > 0.95, "the first stressed word");
    assert!(column(&take, "eyeBlinkLeft", 1.94) == 0.0, "the second one is too near");
}

#[test]
fn times_and_numbers_of_any_file_do_no_harm() {
    let times = [0.0, -1.0, 1e9, f32::NAN, f32::INFINITY, 0.1];
    let markers = times.map(|time_secs| Marker { time_secs, text: "m".into(), lasts_secs: time_secs });
    let markers = smirk_face::motion::Markers::new(markers.to_vec());
    let _ = Speech::of_labels(markers.all(), None, 0.06);
    let odd = Voice {
        amount: f32::NAN,
        jaw: -4.0,
        lips: 1e30,
        smoothing_secs: 1e30,
        lead_secs: f32::INFINITY,
        ..Voice::default()
    };
    let odd = odd.within_reason();
    assert_eq!((odd.amount, odd.jaw, odd.lips, odd.lead_secs), (1.0, 0.0, Voice::LARGEST_AMOUNT, 0.06));
    let take = spoken(&labels("m a m")).take(&odd);
    assert!(take.tracks[0].values().iter().all(|value| (0.0..=1.0).contains(value)));
    let text =
        serde_json::to_string(&Voice { enabled: true, phones: Some(PhoneSet::Ipa), ..Voice::default() }).unwrap();
    assert!(serde_json::from_str::<Voice>(&text).unwrap().enabled);
    assert_eq!(serde_json::from_str::<Voice>("{}").unwrap(), Voice::default());
}

const RATE: u32 = 22_050;

/// A made sentence: vowels by their formants, `m` a murmur, `p` silence with a low burst, `t` silence with a high one,
/// `s` noise, `_` a pause. Returns its samples, and when each sound begins and ends.
fn made(text: &str, pitch: f32) -> (Vec<f32>, Vec<(char, [f32; 2])>) {
    let silence = |secs: f32| vec![0.0; (secs * RATE as f32) as usize];
    // What was said before dies away in a closure.
    let fading = |index: usize| {
        let secs = index as f32 / RATE as f32;
        0.01 * (-60.0 * secs).exp() * (3800.0 * secs).sin()
    };
    let closure = || (0..(0.08 * RATE as f32) as usize).map(fading).collect();
    let mut samples = silence(0.3);
    let mut times = Vec::new();
    for sound in text.chars() {
        let start = samples.len() as f32 / RATE as f32;
        let (own, burst) = match sound {
            'a' => (vowel(pitch, [780.0, 1250.0], 0.2, RATE), None),
            'e' => (vowel(pitch, [480.0, 1900.0], 0.2, RATE), None),
            'i' => (vowel(pitch, [300.0, 2250.0], 0.2, RATE), None),
            'u' => (vowel(pitch, [320.0, 850.0], 0.2, RATE), None),
            'o' => (vowel(pitch, [500.0, 950.0], 0.2, RATE), None),
            'm' => (scaled(vowel(pitch, [250.0, 1100.0], 0.08, RATE), 0.03), None),
            'p' => (closure(), Some([500.0, 400.0])),
            't' => (closure(), Some([5000.0, 3000.0])),
            's' => {
                let mut noise = noise(0.1, RATE);
                made::resonate(&mut noise, 6500.0, 2500.0, RATE);
                (scaled(noise, 0.1), None)
            }
            _ => (silence(0.5), None),
        };
        samples.extend(own);
        times.push((sound, [start, samples.len() as f32 / RATE as f32]));
        if let Some([hz, width]) = burst {
            let mut burst = noise(0.02, RATE);
            made::resonate(&mut burst, hz, width, RATE);
            samples.extend(scaled(burst, 0.15));
        }
    }
    samples.extend(silence(0.3));
    (samples, times)
}

#[test]
fn a_sound_alone_moves_the_jaw_the_lips_and_closes_them() {
    for pitch in [100.0, 190.0] {
        let (samples, times) = made("amapi_autamipasimo_tatopuma", pitch);
        let heard = Heard::new(&samples, RATE);
        let take = heard.speech.take(&Voice::default());
        let mean = |sound: char, name: &str| {
            let spans = times.iter().filter(|(own, _)| *own == sound);
            let values: Vec<f32> =
                spans.map(|(_, [start, end])| column(&take, name, 0.4 * start + 0.6 * end)).collect();
            values.iter().sum::<f32>() / values.len() as f32
        };
        assert!(mean('a', "jawOpen") > mean('i', "jawOpen") + 0.2, "{pitch}");
        assert!(mean('a', "jawOpen") > mean('u', "jawOpen") + 0.2, "{pitch}");
        assert!(mean('u', "mouthPucker") > mean('i', "mouthPucker") + 0.25, "{pitch}");
        assert!(mean('i', "mouthStretchLeft") > mean('u', "mouthStretchLeft") + 0.15, "{pitch}");
        assert!(mean('s', "jawOpen") < 0.1, "{pitch}: {}", mean('s', "jawOpen"));
        assert!(mean('_', "jawOpen") < 0.02 && heard.loudness[5] == 0.0, "{pitch}");
        for (sound, [start, end]) in &times {
            let is_closed = heard.speech.closed.iter().any(|[from, to]| *from < *end && *to > *start);
            match sound {
                'm' | 'p' => assert!(is_closed, "{pitch}: {sound} at {start}: {:?}", heard.speech.closed),
                'a' | 'i' | 'u' | 'o' | 's' => {
                    let middle = 0.5 * (start + end);
                    assert!(
                        !heard.speech.closed.iter().any(|[from, to]| (*from..*to).contains(&middle)),
                        "{sound} {start}"
                    );
                }
                't' => assert!(!is_closed, "{pitch}: t at {start}"),
                _ => {}
            }
        }
    }
}

#[test]
fn what_is_louder_or_at_another_rate_is_heard_alike() {
    let (samples, _) = made("amapisu", 120.0);
    let quiet: Vec<f32> = samples.iter().map(|sample| 0.05 * sample).collect();
    let [heard, quiet] = [&samples, &quiet].map(|samples| Heard::new(samples, RATE));
    let differences = heard.loudness.iter().zip(&quiet.loudness).map(|(a, b)| (a - b).abs());
    assert!(differences.fold(0.0, f32::max) < 0.02);
    assert_eq!(heard.speech.closed, quiet.speech.closed);
}

#[test]
fn the_mouth_rests_where_nothing_is_said_however_little_is_said() {
    let silence = |secs: f32| vec![0.0; (secs * RATE as f32) as usize];
    let hiss = |secs: f32| noise(secs, RATE).into_iter().map(|sample| 0.003 * sample).collect::<Vec<_>>();
    let word = || vowel(120.0, [780.0, 1250.0], 0.3, RATE);
    for (samples, word_secs) in [
        (silence(3.0), None),
        ([silence(5.0), word(), silence(5.0)].concat(), Some(5.15)),
        ([hiss(5.0), word(), hiss(5.0)].concat(), Some(5.15)),
    ] {
        let secs = samples.len() as f32 / RATE as f32;
        let take = Heard::new(&samples, RATE).speech.take(&Voice::default());
        let times = (0..).map(|tenth| 0.1 * tenth as f32).take_while(|time| *time < secs);
        for time in times.filter(|time| word_secs.is_none_or(|word| (time - word).abs() > 0.6)) {
            assert!(opening(&take, time) < 1e-3, "{} at {time}", opening(&take, time));
        }
        assert!(word_secs.is_none_or(|time| column(&take, "jawOpen", time) > 0.2));
    }
}

#[test]
fn a_bang_in_a_quiet_recording_does_not_shut_the_mouth() {
    let mut samples: Vec<f32> = vowel(120.0, [780.0, 1250.0], 5.0, RATE).iter().map(|sample| 0.01 * sample).collect();
    let quiet = Heard::new(&samples, RATE).speech.take(&Voice::default());
    let bang = noise(0.03, RATE);
    samples[..bang.len()].copy_from_slice(&bang);
    let with_bang = Heard::new(&samples, RATE).speech.take(&Voice::default());
    let [before, after] = [&quiet, &with_bang].map(|take| column(take, "jawOpen", 2.0));
    assert!(before > 0.1 && (after - before).abs() < 0.05, "{before} became {after}");
}

#[test]
fn any_samples_give_a_mouth_within_its_range() {
    let step = |index: usize| if index.is_multiple_of(97) { 1.0 } else { -1.0 };
    let samples: [Vec<f32>; 5] =
        [Vec::new(), vec![0.0; 9], vec![1.0; 20_000], (0..20_000).map(step).collect(), noise(1.0, 16_000)];
    for samples in samples {
        for rate in [1_000, 8_000, 44_100, 768_000] {
            let take = Heard::new(&samples, rate).speech.take(&Voice::default());
            assert!(
                take.tracks[0].values().iter().all(|value| (0.0..=1.0).contains(value)),
                "{} at {rate}",
                samples.len()
            );
        }
    }
}

#[test]
fn a_voice_that_arrives_moves_the_mouth_within_80_ms() {
    let vowel_secs = 0.5;
    let quiet = vec![0.0; RATE as usize / 2];
    let spoken = vowel(120.0, [780.0, 1250.0], vowel_secs, RATE);
    let samples: Vec<f32> = quiet.iter().chain(&spoken).chain(&quiet).copied().collect();
    let mut voice = LiveVoice::new(RATE);
    let jaw = |voice: &LiveVoice| voice.weights(&Voice::default())[0];
    let (piece, mut opened, mut closed) = (RATE as usize / 100, None, None);
    let mut widest = 0.0_f32;
    for (index, samples) in samples.chunks(piece).enumerate() {
        voice.hear(samples);
        let secs = (index + 1) as f32 / FRAMES_PER_SEC;
        widest = widest.max(jaw(&voice));
        if jaw(&voice) > 0.15 {
            opened.get_or_insert(secs);
        }
        if secs > 1.0 && jaw(&voice) < 0.15 {
            closed.get_or_insert(secs);
        }
    }
    assert!(widest > 0.3, "{widest}");
    let (opened, closed) = (opened.unwrap() - 0.5, closed.unwrap() - 1.0);
    assert!(opened <= 0.06 && closed <= 0.06, "opens after {opened} s, closes after {closed} s");
    assert!(jaw(&voice) < 0.01);
}
