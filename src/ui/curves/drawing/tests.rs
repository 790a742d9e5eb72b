//! Tests that an image that was updated after changes equals a new image of the same curves.

use std::sync::Arc;

use egui::epaint::ImageData;
use egui::{Color32, ColorImage, Context};

use super::image::CurveImage;
use super::source::PointSource;
use super::sources::{LineStyle, PlotCurve};
use crate::curve_selection::CurveItem;
use crate::curves::extent::Extent;
use smirk_base::random::{bits, signed, unit};
use smirk_face::head::{Asset, Clip, Curve, Head, Interpolation, Mesh, Target, Track};
use smirk_face::motion::{
    ColumnMap, ColumnMix, Extrapolation, Key, KeyMode, KeySelection, Keys, Take, TakeMap, Tangents,
};

const CHANNELS: u64 = 6;
const SECS: f32 = 12.0;
const SIZE_PX: [usize; 2] = [150, 40];

struct Random(u32, u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.1 += 1;
        self.1
    }

    fn below(&mut self, count: u64) -> u64 {
        let index = self.next();
        bits(self.0, index) % count
    }

    fn unit(&mut self) -> f32 {
        let index = self.next();
        unit(self.0, index)
    }

    fn signed(&mut self) -> f32 {
        let index = self.next();
        signed(self.0, index)
    }
}

/// Keys over nothing, over a take and over a clip, and what they differ by from each other.
struct Animation {
    head: Arc<Head>,
    take: Take,
    map: TakeMap,
    keys: Keys,
    end_secs: f32,
}

fn name(channel: u64) -> String {
    format!("shape{channel}")
}

fn tangents(random: &mut Random) -> Tangents {
    match random.below(5) {
        0 => Tangents::Linear,
        1 => Tangents::Step,
        2 => Tangents::Free(random.signed()),
        3 => Tangents::Broken { incoming: random.signed(), outgoing: random.signed() },
        _ => Tangents::Auto,
    }
}

fn curve(random: &mut Random, interpolation: Interpolation) -> Curve {
    let count = 2 + random.below(40) as usize;
    let times = (0..count).map(|key| key as f32 * SECS / count as f32).collect();
    let numbers = count * if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
    let values = (0..numbers).map(|_| random.signed()).collect();
    Curve::new(interpolation, times, values, 1).unwrap()
}

fn take(random: &mut Random) -> Take {
    let kinds = [Interpolation::Linear, Interpolation::Step, Interpolation::CubicSpline];
    let interpolation = kinds[random.below(3) as usize];
    Take { duration_secs: SECS, ..Take::of_curve(["column"], curve(random, interpolation)) }
}

impl Animation {
    fn new(random: &mut Random) -> Self {
        let mesh = Mesh { targets: vec![Target::default()], ..Mesh::default() };
        let track = Track { first_target: 0, curve: curve(random, Interpolation::CubicSpline) };
        let clips = vec![Clip::new("clip".into(), vec![track])];
        let head = Arc::new(Head::new(Asset { meshes: vec![mesh], clips, ..Asset::default() }));
        let map = TakeMap { columns: vec![ColumnMap::default()] };
        let mut animation = Self { head, take: take(random), map, keys: Keys::default(), end_secs: SECS };
        for channel in 0..CHANNELS {
            (0..20 + random.below(150)).for_each(|_| animation.set_key(random, channel));
        }
        animation
    }

    fn set_key(&mut self, random: &mut Random, channel: u64) {
        let time_secs = random.unit() * SECS;
        let key = Key { tangents: tangents(random), ..Key::new(time_secs, random.signed()) };
        self.keys.set(&name(channel), key);
    }

    /// One of the edits that an artist makes, on some channels.
    fn edit(&mut self, random: &mut Random) {
        let (kind, only) = (random.below(16), random.below(CHANNELS));
        let all = random.below(4) == 0;
        for channel in (0..CHANNELS).filter(|&channel| all || channel == only) {
            let name = name(channel);
            let times: Vec<f32> = self.keys.keys_of(&name).iter().map(|key| key.time_secs).collect();
            let mut selection = KeySelection::default();
            let (first, count) = (random.below(times.len() as u64 + 1) as usize, random.below(8) as usize);
            selection.add(&name, times.iter().copied().skip(first).take(count));
            let (by_secs, by_value) = (random.signed() * if kind < 4 { 0.3 } else { SECS }, random.signed());
            match kind {
                0..8 => {
                    let moved = |_: &str, key: Key| Key {
                        time_secs: key.time_secs + by_secs,
                        value: key.value + by_value,
                        ..key
                    };
                    self.keys = self.keys.changed(&selection, moved).0;
                }
                8 => self.keys = self.keys.without(&selection),
                9 => self.set_key(random, channel),
                10 => {
                    let tangents = tangents(random);
                    self.keys = self.keys.changed(&selection, |_, key| Key { tangents, ..key }).0;
                }
                11 => self.keys.edit_curve(&name, |curve| {
                    curve.mode = if curve.mode == KeyMode::Add { KeyMode::Replace } else { KeyMode::Add };
                }),
                12 => {
                    let mut fade = || match random.below(3) {
                        0 => Extrapolation::Hold,
                        _ => Extrapolation::Fade(random.unit() * 3.0),
                    };
                    let (before, after) = (fade(), fade());
                    self.keys.edit_curve(&name, |curve| (curve.before, curve.after) = (before, after));
                }
                13 => self.end_secs = SECS * (0.6 + random.unit()),
                14 => self.take = take(random),
                _ => self.keys = self.keys.rippled(random.unit() * SECS, by_secs),
            }
        }
    }

    fn curves(&self) -> Vec<PlotCurve> {
        let end_secs = self.end_secs.max(self.keys.end_secs());
        let of_take = PointSource::of_take(&self.take, &self.map, &ColumnMix::by_column(0), end_secs);
        let of_clip = PointSource::of_clip(&self.head, 0, 0, end_secs);
        let plot = |item: u64, style, color, source| PlotCurve {
            item: CurveItem::Channel(item as usize),
            style,
            color,
            source,
        };
        let mut curves = vec![
            plot(1, LineStyle::Faint, Color32::GREEN, of_take.clone()),
            plot(2, LineStyle::Dashed, Color32::BLUE, of_clip.clone()),
        ];
        let of_keys = |channel: u64| {
            let below = [None, Some(&of_take), Some(&of_clip)][channel as usize % 3].cloned();
            let curve = self.keys.curve(&name(channel))?;
            Some(PointSource::of_keys(curve, below, 0.1, end_secs))
        };
        for channel in 0..CHANNELS {
            let color = [Color32::RED, Color32::GOLD, Color32::WHITE][channel as usize % 3];
            let other = match channel {
                0 => None,
                1 => Some(of_take.clone()),
                _ => of_keys(channel - 2),
            };
            let difference = PointSource::difference(of_keys(channel), other, 0.1, end_secs);
            curves.push(plot(channel, LineStyle::Difference, color, difference));
            curves.extend(of_keys(channel).map(|source| plot(channel, LineStyle::Solid, color, source)));
        }
        curves
    }
}

/// The texture of an image, as the graphics driver gets it.
struct Screen {
    ctx: Context,
    picture: ColorImage,
}

impl Screen {
    fn new() -> Self {
        Self { ctx: Context::default(), picture: ColorImage::default() }
    }

    /// Shows an image. Returns the number of pixels that were uploaded.
    fn show(&mut self, image: &mut CurveImage, extent: Extent) -> usize {
        let id = image.texture(&self.ctx, extent, SIZE_PX).id();
        let mut uploaded = 0;
        let mut deltas = self.ctx.tex_manager().write().take_delta();
        for delta in deltas.set.remove(&id).into_iter().flatten() {
            let ImageData::Color(part) = delta.image;
            let Some([left, top]) = delta.pos else {
                self.picture = (*part).clone();
                uploaded += part.pixels.len();
                continue;
            };
            let [width, height] = part.size;
            for row in 0..height {
                let first = (top + row) * self.picture.size[0] + left;
                self.picture.pixels[first..first + width].copy_from_slice(&part.pixels[row * width..(row + 1) * width]);
            }
            uploaded += part.pixels.len();
        }
        deltas.clear();
        uploaded
    }
}

#[test]
fn an_image_that_follows_edits_is_the_one_that_is_drawn_at_once() {
    let (mut parts, mut steps) = (0, 0);
    for seed in 0..12 {
        let mut random = Random(seed, 0);
        let mut animation = Animation::new(&mut random);
        let (mut image, mut screen) = (CurveImage::default(), Screen::new());
        let mut extent = Extent { secs: [-0.2, 1.1 * SECS], values: [-1.5, 1.5] };
        let mut is_normalised = false;
        for step in 0..60 {
            match random.below(20) {
                0 => {
                    let start = random.unit() * SECS - 0.5;
                    extent.secs = [start, start + 0.1 + random.unit() * SECS];
                }
                1 => is_normalised = !is_normalised,
                _ => animation.edit(&mut random),
            }
            let curves = animation.curves();
            image.set_normalised(is_normalised);
            image.set_curves(curves.clone());
            let uploaded = screen.show(&mut image, extent);
            let (mut new, mut new_screen) = (CurveImage::default(), Screen::new());
            new.set_normalised(is_normalised);
            new.set_curves(curves);
            new_screen.show(&mut new, extent);
            for channel in 0..CHANNELS as usize {
                let item = CurveItem::Channel(channel);
                assert_eq!(image.line_of(item), new.line_of(item), "seed {seed}, step {step}, channel {channel}");
                assert!(
                    image.outlines_of(item).eq(new.outlines_of(item)),
                    "seed {seed}, step {step}, channel {channel}"
                );
            }
            assert!(image.range() == new.range() && image.is_empty() == new.is_empty());
            assert_eq!(image.largest_difference(), new.largest_difference(), "seed {seed}, step {step}");
            assert!(screen.picture == new_screen.picture, "seed {seed}, step {step}");
            parts += usize::from((1..SIZE_PX[0] * SIZE_PX[1]).contains(&uploaded));
            steps += 1;
        }
    }
    assert!(parts > steps / 8, "only {parts} of {steps} pictures were drawn in part");
}

#[test]
fn what_is_not_on_the_screen_is_not_drawn() {
    let mut random = Random(1, 0);
    let mut animation = Animation::new(&mut random);
    let (mut image, mut screen) = (CurveImage::default(), Screen::new());
    let extent = Extent { secs: [0.0, 2.0], values: [-1.5, 1.5] };
    image.set_curves(animation.curves());
    assert_eq!(screen.show(&mut image, extent), SIZE_PX[0] * SIZE_PX[1]);
    for key in 0..60 {
        animation.keys.set(&name(0), Key { tangents: Tangents::Linear, ..Key::new(key as f32 * 0.2, 0.5) });
    }
    image.set_curves(animation.curves());
    assert!(screen.show(&mut image, extent) > 0);
    let drawn = image.times_drawn();
    animation.keys.set(&name(0), Key::new(8.0, 1.0));
    image.set_curves(animation.curves());
    assert_eq!((screen.show(&mut image, extent), image.times_drawn()), (0, drawn));
    animation.keys.set(&name(0), Key::new(1.0, 1.0));
    image.set_curves(animation.curves());
    let uploaded = screen.show(&mut image, extent);
    assert!((1..SIZE_PX[0] * SIZE_PX[1]).contains(&uploaded), "a part of the picture: {uploaded}");
}
