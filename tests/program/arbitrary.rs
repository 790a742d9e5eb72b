//! Random content for files that Smirk writes: extreme numbers, names of any characters, paths of any bytes, lists of any length.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use smirk_analysis::measure::Measure;
use smirk_analysis::mend::{Contained, Join, Kind, Mask, MaskPoint, Mend, Mirror, Noise, Parts, Split};
use smirk_base::date::Date;
use smirk_editor::document::{HeadRef, Project, ShapeRecord, Timeline};
use smirk_face::head::{Landmark, Matching, Role, SculptedOn};
use smirk_face::motion::{
    BlendRule, Blink, ColumnMap, DrivenChannel, Ease, EditKind, Extrapolation, Fit, FrameRate, Gaze, HeadAndEyes,
    JointChoice, Key, KeyMode, Keys, Marker, Markers, NeutralOf, Pose, PoseAmount, PoseId, Sequence, SequenceStep,
    SequenceWrap, Smoothing, TakeEdit, TakeMap, Tangents, TimeDisplay, TimelineSettings,
};
use smirk_scene::{BlendMode, Heat, HeatAgainst, Light, Look, Matcap, ViewMode, Viewpoint};
use smirk_session::{
    ClipName, ClipTiming, FileRef, LiveEdits, MeshWeight, NoteId, NotePicture, NoteReply, NoteState, NoteStroke,
    NotedFinding, NotedLook, NotedMoment, NotedTime, PinnedTo, ReviewNote, Slider, SoundTrack, SurfacePoint, TakeEntry,
    TakeId, Timing, TimingOf, Transition,
};

use smirk_support::random::Random;

/// Makes random content.
pub struct Arbitrary<'r> {
    pub random: &'r mut Random,
}

impl Arbitrary<'_> {
    pub fn number(&mut self) -> f32 {
        const SPECIAL: [f32; 12] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.1,
            f32::MAX,
            f32::MIN,
            f32::MIN_POSITIVE,
            f32::EPSILON,
            1e-45,
            -1e-45,
            16_777_217.0,
        ];
        if self.random.chance(0.5) {
            return SPECIAL[self.random.below(SPECIAL.len())];
        }
        let number = f32::from_bits(self.random.bits() as u32);
        if number.is_finite() { number } else { 0.5 }
    }

    pub fn numbers<const COUNT: usize>(&mut self) -> [f32; COUNT] {
        std::array::from_fn(|_| self.number())
    }

    fn flag(&mut self) -> bool {
        self.random.chance(0.5)
    }

    pub fn name(&mut self) -> String {
        const SPECIAL: [&str; 16] = [
            "",
            "jawOpen",
            "mouthSmileLeft",
            "\0",
            "\u{1b}[31m",
            "\u{202e}evil",
            "\u{feff}",
            "\u{ffff}",
            "\u{d7ff}\u{e000}",
            "😀\u{200d}👩",
            "\"\\/\n\t",
            "file:a%20b",
            "\\ud800",
            "null",
            "\u{7f}\u{85}\u{2028}",
            " ",
        ];
        match self.random.below(20_000) {
            0 => "x😀".repeat(200_000),
            1..12_000 => SPECIAL[self.random.below(SPECIAL.len())].to_owned(),
            _ => (0..self.random.below(12)).map(|_| self.letter()).collect(),
        }
    }

    fn letter(&mut self) -> char {
        char::from_u32(self.random.below(0x11_0000) as u32).unwrap_or('x')
    }

    /// The length of a list: mostly short, sometimes long.
    fn length(&mut self) -> usize {
        match self.random.below(1000) {
            0 => 500,
            1..400 => 0,
            _ => self.random.below(4),
        }
    }

    fn list<T>(&mut self, make: impl Fn(&mut Self) -> T) -> Vec<T> {
        (0..self.length()).map(|_| make(self)).collect()
    }

    fn option<T>(&mut self, make: impl Fn(&mut Self) -> T) -> Option<T> {
        self.flag().then(|| make(self))
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.random.below(all.len())]
    }

    pub fn weights(&mut self) -> BTreeMap<String, f32> {
        self.list(|it| (it.name(), it.number())).into_iter().collect()
    }

    /// An absolute path of any bytes.
    #[cfg(unix)]
    pub fn path(&mut self) -> PathBuf {
        use std::os::unix::ffi::OsStringExt;
        let any = |it: &mut Self| (0..it.random.below(20)).map(|_| 1 + it.random.below(255) as u8).collect();
        let bytes: Vec<u8> = if self.flag() { any(self) } else { self.name().replace('\0', "0").into_bytes() };
        std::path::absolute(PathBuf::from(std::ffi::OsString::from_vec([b"/", &bytes[..]].concat()))).expect("a path")
    }

    #[cfg(not(unix))]
    pub fn path(&mut self) -> PathBuf {
        std::path::absolute(format!("a{}.glb", self.random.below(1000))).expect("a path")
    }

    fn file(&mut self) -> FileRef {
        FileRef::new(&self.path())
    }

    fn slider(&mut self) -> Slider {
        Slider {
            value: self.option(Self::number),
            targets: self.list(|it| MeshWeight { mesh: it.name(), value: it.number() }),
            held: self.flag(),
            muted: self.flag(),
            soloed: self.flag(),
        }
    }

    fn pose(&mut self) -> Pose {
        Pose { id: PoseId(self.random.bits() as u32), name: self.name(), weights: self.weights() }
    }

    fn drive(&mut self) -> DrivenChannel {
        DrivenChannel { channel: self.name(), weight: self.option(Self::number) }
    }

    fn column(&mut self) -> ColumnMap {
        ColumnMap {
            column: self.name(),
            channels: self.list(Self::drive),
            enabled: self.flag(),
            gain: self.number(),
            offset: self.number(),
            clamp: self.option(Self::numbers),
            smoothing_secs: self.number(),
            neutral: self.number(),
        }
    }

    fn joint(&mut self) -> JointChoice {
        match self.random.below(3) {
            0 => JointChoice::Found,
            1 => JointChoice::None,
            _ => JointChoice::Node(self.name()),
        }
    }

    fn sound(&mut self) -> SoundTrack {
        SoundTrack { file: self.file(), offset_secs: self.number(), duration_secs: self.number(), is_growing: false }
    }

    fn take_edit(&mut self) -> TakeEdit {
        let kinds = [
            EditKind::Gain(self.number()),
            EditKind::Offset(self.number()),
            EditKind::Clamp(self.numbers()),
            EditKind::Smooth { cutoff_hz: self.number(), keep_peaks: self.number() },
            EditKind::RemoveSpikes { threshold: self.number(), longest_secs: self.number() },
            EditKind::Neutral(NeutralOf::Moment(self.number())),
            EditKind::Neutral(NeutralOf::Mean),
            EditKind::Hold(self.option(Self::number)),
            EditKind::Line,
            EditKind::Bridge,
            EditKind::Mirror,
            EditKind::Reduce { fit: self.one_of(&[Fit::Linear, Fit::Smooth]), tolerance: self.number() },
            EditKind::Bake(self.number()),
            EditKind::Stretch(self.number()),
            EditKind::FrameRate(self.number()),
            EditKind::InsertTime(self.number()),
            EditKind::DeleteTime,
        ];
        TakeEdit {
            kind: self.one_of(&kinds),
            span: self.option(Self::numbers),
            ease_in_secs: self.number(),
            ease_out_secs: self.number(),
            columns: self.option(|it| it.list(Self::name)),
            enabled: self.flag(),
        }
    }

    fn light(&mut self) -> Light {
        let (intensity, color) = (self.number(), self.numbers());
        Light { intensity, color, yaw_degrees: self.number(), pitch_degrees: self.number() }
    }

    fn key(&mut self) -> Key {
        let tangents = match self.random.below(5) {
            0 => Tangents::Auto,
            1 => Tangents::Linear,
            2 => Tangents::Step,
            3 => Tangents::Free(self.number()),
            _ => Tangents::Broken { incoming: self.number(), outgoing: self.number() },
        };
        Key { time_secs: self.number(), value: self.number(), tangents }
    }

    fn extrapolation(&mut self) -> Extrapolation {
        if self.flag() { Extrapolation::Hold } else { Extrapolation::Fade(self.number()) }
    }

    fn date(&mut self) -> Date {
        const DATES: [&str; 4] =
            ["1970-01-01T00:00:00Z", "-009998-01-01T00:00:00Z", "2026-11-29T09:30:00.001Z", "9999-01-01T00:00:00Z"];
        DATES[self.random.below(DATES.len())].parse().expect("a date")
    }

    fn viewpoint(&mut self) -> Viewpoint {
        Viewpoint {
            target_in_world: self.numbers(),
            yaw_radians: self.number(),
            pitch_radians: self.number(),
            distance: self.number(),
            roll_radians: self.number(),
            fov_y_radians: self.number(),
        }
    }

    fn surface_point(&mut self) -> SurfacePoint {
        SurfacePoint {
            mesh: self.name(),
            vertices: std::array::from_fn(|_| self.random.bits() as u32),
            weights: self.numbers(),
        }
    }

    fn pinned_to(&mut self) -> PinnedTo {
        PinnedTo {
            point: self.option(Self::surface_point),
            channels: self.list(Self::name),
            time: self.option(|it| NotedTime { plays: it.name(), start_secs: it.number(), end_secs: it.number() }),
            finding: self.option(|it| NotedFinding { rule: it.name(), of: it.name() }),
        }
    }

    fn look(&mut self) -> Look {
        Look {
            key: self.light(),
            fill: self.light(),
            rim: self.light(),
            ambient: self.number(),
            softness: self.number(),
            gloss: self.number(),
            exposure: self.number(),
            background: self.numbers(),
            view: self.one_of(ViewMode::ALL),
            matcap: self.one_of(Matcap::ALL),
            isolates_face: self.flag(),
            heat: Heat {
                is_whole: false,
                measure: self.one_of(Measure::ALL),
                against: if self.flag() { HeatAgainst::Rest } else { HeatAgainst::Mode(self.one_of(BlendMode::ALL)) },
                most: self.option(Self::number),
                channel: None,
                rests_at_zero: false,
            },
            ..Look::default()
        }
    }

    fn note(&mut self) -> ReviewNote {
        ReviewNote {
            id: NoteId(self.random.bits()),
            number: 0,
            text: self.name(),
            author: self.name(),
            created: self.date(),
            edited: self.date(),
            state: self.one_of(&[NoteState::Open, NoteState::Done]),
            state_set: self.date(),
            replies: self.list(|it| NoteReply {
                id: NoteId(it.random.bits()),
                date: it.date(),
                author: it.name(),
                text: it.name(),
            }),
            pinned_to: self.pinned_to(),
            strokes: self.list(|it| NoteStroke { is_arrow: it.flag(), points: it.list(Self::numbers) }),
            moment: self.option(|it| NotedMoment {
                camera: it.viewpoint(),
                aspect: it.number(),
                weights: it.weights(),
                turns: std::array::from_fn(|_| it.numbers()),
                look: it.option(|it| NotedLook {
                    look: it.look(),
                    variant: it.option(Self::name),
                    variant_turn: it.random.below(3),
                    lit_by_file: it.flag(),
                    hidden_meshes: it.list(Self::name).into_iter().collect(),
                    heat_channel: it.option(Self::name),
                }),
                point: it.option(Self::numbers),
            }),
            picture: self.option(|it| NotePicture(it.list(|it| it.random.bits() as u8).into())),
        }
    }

    fn mend(&mut self) -> Mend {
        let kind = match self.random.below(5) {
            0 => Kind::Noise(Noise { below_mm: self.number().abs(), below_degrees: self.number().abs() }),
            1 => Kind::Split(Split {
                by: if self.flag() { Parts::Sides } else { Parts::Mask },
                falloff_mm: self.number().abs(),
                suffixes: [self.name(), self.name()],
            }),
            2 => Kind::Mirror(Mirror { onto: self.option(Self::name) }),
            3 => Kind::Contained(Contained { shape: self.name(), weight: self.option(Self::number) }),
            _ => Kind::Join(Join { into: self.name() }),
        };
        let point = |it: &mut Self| MaskPoint { at: it.numbers(), radius_mm: it.number().abs() };
        Mend {
            kind,
            shapes: self.option(|it| it.list(Self::name)),
            mask: self.option(|it| Mask(it.list(point))),
            enabled: self.flag(),
        }
    }

    pub fn project(&mut self) -> Project {
        let mut project = Project::default();
        project.head = if self.flag() { HeadRef::Embedded } else { HeadRef::File(self.file()) };
        project.shapes = self.list(|it| ShapeRecord {
            file: it.file(),
            matching: it.one_of(Matching::ALL),
            points: it.list(|it| (it.one_of(Landmark::ALL), it.surface_point())).into_iter().collect(),
            sculpted_on: SculptedOn(it.list(|it| (it.name(), it.number()))),
        });
        let edits = &mut project.edits;
        edits.sliders = self.list(|it| (it.name(), it.slider())).into_iter().collect();
        edits.linked = self.list(|it| [it.name(), it.name()]).into_iter().collect();
        edits.rule = self.one_of(BlendRule::ALL);
        edits.plays_correctives = self.flag();
        edits.rests_at_zero = self.flag();
        edits.mends = self.list(Self::mend);
        edits.poses = self.list(Self::pose).into_iter().map(Arc::new).collect();
        edits.applied_poses = self.list(|it| PoseAmount { pose: PoseId(it.random.bits() as u32), amount: it.number() });
        edits.transition = Transition { duration_secs: self.number(), ease: self.one_of(Ease::ALL) };
        edits.sequence = Sequence {
            enabled: self.flag(),
            steps: self.list(|it| SequenceStep {
                pose: PoseId(it.random.bits() as u32),
                hold_secs: it.number(),
                transition_secs: it.number(),
            }),
            wrap: self.one_of(SequenceWrap::ALL),
            has_own_clock: self.flag(),
        };
        edits.blink = Blink {
            enabled: self.flag(),
            wait_secs: self.number(),
            variation_secs: self.number(),
            close_secs: self.number(),
            hold_secs: self.number(),
            open_secs: self.number(),
            double_part: self.number(),
            seed: self.random.bits() as u32,
            channels: self.list(Self::name),
        };
        edits.gaze = Gaze {
            enabled: self.flag(),
            pause_secs: self.number(),
            reach: self.number(),
            seed: self.random.bits() as u32,
        };
        edits.head_and_eyes = HeadAndEyes {
            head: self.flag(),
            eyes: self.flag(),
            body: self.flag(),
            head_joint: self.joint(),
            eye_joints: [self.joint(), self.joint()],
        };
        edits.takes = self.list(|it| TakeEntry {
            file: it.option(Self::file),
            name: it.name(),
            edits: it.list(Self::take_edit),
            map: TakeMap { columns: it.list(Self::column) },
            sound: it.option(Self::sound),
            is_starred: it.flag(),
            ..TakeEntry::default()
        });
        edits.takes.iter_mut().enumerate().for_each(|(place, entry)| entry.id = TakeId(place as u32));
        edits.sound = self.option(Self::sound);
        edits.markers =
            Markers::new(self.list(|it| Marker { time_secs: it.number(), text: it.name(), lasts_secs: it.number() }));
        edits.live = LiveEdits {
            columns: self.list(Self::column),
            smoothing: Smoothing { secs: self.number(), response: self.number() },
        };
        edits.take = self.option(|it| TakeId(it.random.bits() as u32));
        edits.compared_take = self.option(|it| TakeId(it.random.below(9) as u32));
        edits.look = self.look();
        edits.variant = self.option(Self::name);
        edits.variant_turn = self.random.below(3);
        edits.lit_by_file = self.flag();
        edits.heat_channel = self.option(Self::name);
        edits.hidden_meshes = self.list(Self::name).into_iter().collect();
        edits.roles = self.list(|it| (it.name(), it.one_of(Role::ALL))).into_iter().collect();
        project.camera = self.option(Self::viewpoint);
        let notes = (1..).zip(self.list(Self::note));
        edits.notes = notes.map(|(nth, note)| Arc::new(ReviewNote { number: nth * 3, ..note })).collect();
        edits.last_note_number = 3000;
        edits.timeline = TimelineSettings {
            rate: FrameRate::nearest(f64::from(self.number())),
            display: self.one_of(TimeDisplay::ALL),
            snaps: self.flag(),
            auto_keys: self.flag(),
            in_secs: self.option(Self::number),
            out_secs: self.option(Self::number),
        };
        project.mode = None;
        project.playback = self.option(|it| Timeline {
            clip: it.option(Self::name),
            clip_turn: it.random.below(3),
            more_clips: it.list(|it| ClipName { name: it.name(), turn: it.random.below(3) }),
            looping: it.flag(),
            speed: it.number(),
        });
        edits.keys = self.keys();
        edits.timing_for_all = match self.random.below(4) {
            0 => None,
            1 => Some(TimingOf::Head),
            2 => Some(TimingOf::Take(TakeId(0))),
            _ => Some(TimingOf::Clip(ClipName { name: self.name(), turn: 0 })),
        };
        edits.takes.iter_mut().for_each(|entry| entry.timing = self.timing());
        edits.clip_timings = self.list(|it| ClipTiming {
            clip: ClipName { name: it.name(), turn: it.random.below(3) },
            timing: it.timing(),
        });
        project
    }

    fn timing(&mut self) -> Timing {
        Timing { keys: self.keys(), in_secs: self.option(Self::number), out_secs: self.option(Self::number) }
    }

    fn keys(&mut self) -> Keys {
        let mut keys = Keys::default();
        for _ in 0..self.length() {
            let (name, key) = (self.name(), self.key());
            keys.set(&name, key);
            let (mode, before, after) = (self.one_of(KeyMode::ALL), self.extrapolation(), self.extrapolation());
            keys.edit_curve(&name, |curve| (curve.mode, curve.before, curve.after) = (mode, before, after));
        }
        keys
    }
}
