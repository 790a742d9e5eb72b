//! The options for the clip, the take and the poses. They are applied to a session, which evaluates them as in the
//! window.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use super::input::{open_head, open_mapping, open_takes};
use super::values::{Expected, Parsed, by_name_or_number, number, part, seconds};
use super::voice::VoiceArgs;
use smirk_analysis::solve::fit_mapping;
use smirk_base::names::{printable, printable_path, quoted};
use smirk_base::progress::Progress;
use smirk_export::show_at;
use smirk_face::head::{Head, Level, listed};
use smirk_face::motion::{Aliases, BlendRule, Ease, EditKind, FrameRate, PoseId, TakeEdit};
use smirk_files::import::version_of;
use smirk_scene::{BlendMode, Look};
use smirk_session::{HeadSource, Session, TakeId};

/// The options of every command that draws a face: the animation and how it is blended.
#[derive(Debug, Default, Args)]
pub(super) struct MotionArgs {
    /// Clip of the head to take weights from, by number from 0 or by name
    #[arg(long, value_name = "N|NAME")]
    clip: Option<String>,
    /// Capture, or model with animations, to take weights from
    #[arg(long, value_name = "FILE")]
    take: Option<PathBuf>,
    #[command(flatten)]
    of_takes: TakeArgs,
    #[command(flatten)]
    voice: VoiceArgs,
    /// How several expressions at once are combined
    #[arg(long, value_enum)]
    rule: Option<BlendRuleArg>,
    /// Leave the correctives out: their targets are like all others
    #[arg(long)]
    no_correctives: bool,
}

#[derive(Debug, Default, Args)]
pub(super) struct TakeArgs {
    /// Mapping of the take's columns, as *Motion › Mapping › Save* writes it
    #[arg(long, value_name = "FILE", requires = "take")]
    map: Option<PathBuf>,
    /// Head that the columns of the take were made for: they are mapped so that this head moves as that one
    #[arg(long, value_name = "HEAD", requires = "take", conflicts_with = "map")]
    source_head: Option<PathBuf>,
    /// Frames of the take per second, for a recording without a clock or with a wrong one
    #[arg(long, value_name = "RATE", requires = "take", value_parser = number(1.0_f32..=1000.0, "a number from 1 to 1000"))]
    take_fps: Option<f32>,
}

impl TakeArgs {
    /// Adds the takes of a file to a session, at the rate that is asked for.
    pub(super) fn add(&self, session: &mut Session, file: &Path) -> anyhow::Result<Vec<TakeId>> {
        let takes = session.takes_mut().add(open_takes(file)?);
        if let Some(rate) = self.take_fps {
            let edit = TakeEdit { kind: EditKind::FrameRate(rate), ..TakeEdit::default() };
            takes
                .iter()
                .for_each(|&take| session.takes_mut().change_edits(take, |edits| edits.insert(0, edit.clone())));
            session.edits.timeline.rate = FrameRate::nearest(rate.into());
        }
        Ok(takes)
    }

    /// Maps the columns of takes as the options say.
    pub(super) fn map(&self, session: &mut Session, takes: &[TakeId]) -> anyhow::Result<()> {
        if let Some(map) = &self.map {
            use_mapping(session, map, takes)?;
        }
        if let Some(source) = &self.source_head {
            let version = version_of(&session.head, Arc::new(open_head(Some(source))?));
            // By any spelling, as the mapping finds its columns.
            let mut columns = Aliases::default();
            let entries = session.edits.takes.iter().filter(|entry| takes.contains(&entry.id));
            entries.flat_map(|entry| entry.take.column_names()).for_each(|name| columns.set(name, Vec::new()));
            let fitted =
                fit_mapping(&session.head, &version, |name: &str| columns.find(name).is_some(), Progress::NONE)
                    .with_context(|| printable_path(source))?;
            session.takes_mut().use_mapping(&fitted.map, takes);
            let left = fitted.left_in_words();
            let said = if left.is_empty() {
                "no column of the take is named after a channel of this head".to_owned()
            } else {
                format!("left of each movement, at most: {}", left.join(", "))
            };
            log::warn!("{}: {said}", printable_path(source));
        }
        Ok(())
    }
}

/// The options of a command that draws one moment.
#[derive(Debug, Default, Args)]
pub(super) struct MixArgs {
    #[command(flatten)]
    motion: MotionArgs,
    /// A pose by name (smile, anger …), or weights of channels, e.g. jawOpen=0.6,mouthSmileLeft=1; all others are at
    /// rest
    #[arg(long, value_name = "POSE|NAME=WEIGHT,…")]
    pose: Vec<String>,
    /// The pose at the end of a transition, in the same form
    #[arg(long, value_name = "POSE|NAME=WEIGHT,…")]
    to: Vec<String>,
    /// Position in the transition, from 0 to 1 [default: 1]
    #[arg(long, value_name = "PART", requires = "to", value_parser = part())]
    at: Option<f32>,
    /// Easing of the transition [default: in-out]
    #[arg(long, value_enum, requires = "to")]
    ease: Option<EaseArg>,
    /// Position in clip and take
    #[arg(long, value_name = "SECONDS", value_parser = seconds())]
    time: Option<f32>,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum EaseArg {
    #[default]
    InOut,
    In,
    Out,
    Linear,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum BlendRuleArg {
    Additive,
    Normalised,
}

impl From<BlendRuleArg> for BlendRule {
    fn from(rule: BlendRuleArg) -> Self {
        match rule {
            BlendRuleArg::Additive => Self::Additive,
            BlendRuleArg::Normalised => Self::Normalised,
        }
    }
}

impl MotionArgs {
    /// Applies the options to a session, paused at the start of its timeline.
    pub(super) fn apply(&self, session: &mut Session) -> anyhow::Result<()> {
        self.apply_with_sound(session, None)
    }

    /// The same for what is drawn with a sound, which the voice is heard in.
    pub(super) fn apply_with_sound(&self, session: &mut Session, sound: Option<&Path>) -> anyhow::Result<()> {
        if let Some(rule) = self.rule {
            session.edits.rule = rule.into();
        }
        if self.no_correctives {
            session.edits.plays_correctives = false;
        }
        if let Some(name) = &self.clip {
            play_clip(session, name)?;
        }
        if let Some(path) = &self.take {
            let takes = self.of_takes.add(session, path)?;
            self.of_takes.map(session, &takes)?;
            takes.first().into_iter().for_each(|&first| report_take(session, first));
        }
        self.voice.apply(session, sound)?;
        session.clock.timeline.playing = false;
        Ok(())
    }

    /// The files that are named: the take, what its columns are mapped by, and the voice.
    pub(super) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.take.iter().chain(&self.of_takes.map).chain(&self.of_takes.source_head).chain(self.voice.file())
    }

    pub(super) fn is_some(&self) -> bool {
        self.clip.is_some() || self.take.is_some() || self.voice.is_some()
    }
}

impl MixArgs {
    pub(super) fn files(&self) -> impl Iterator<Item = &PathBuf> {
        self.motion.files()
    }

    /// The first of the options that choose a moment, if one is given.
    pub(super) fn option_of_moment(&self) -> Option<&'static str> {
        let are_given = [("--at", self.at.is_some()), ("--ease", self.ease.is_some()), ("--time", self.time.is_some())];
        are_given.into_iter().find_map(|(option, is_given)| is_given.then_some(option))
    }

    /// Applies the options to a session, paused at the requested moment.
    pub(super) fn apply(&self, session: &mut Session) -> anyhow::Result<()> {
        self.motion.apply(session)?;
        // A clip of a single key is zero seconds long.
        let plays_something = session.clips().next().is_some() || session.take().is_some();
        if self.time.is_some() && !plays_something && session.timeline_secs() == 0.0 {
            bail!("--time is a moment of an animation, and needs --clip N|NAME or --take FILE");
        }
        let time_secs = self.time.unwrap_or_else(|| session.range_secs()[0]);
        show_at(session, time_secs.into());
        // At most its end.
        session.seek(time_secs);
        if let Some(pose) = pose_of(session, "--pose", &self.pose)? {
            session.poses_mut().set_amount(pose, 1.0);
        }
        if let Some(pose) = pose_of(session, "--to", &self.to)? {
            session.edits.transition.ease = match self.ease.unwrap_or_default() {
                EaseArg::InOut => Ease::InOut,
                EaseArg::In => Ease::In,
                EaseArg::Out => Ease::Out,
                EaseArg::Linear => Ease::Linear,
            };
            session.edits.transition.duration_secs = 1.0;
            session.poses_mut().apply(pose);
            session.advance(f64::from(self.at.unwrap_or(1.0)));
        }
        Ok(())
    }
}

/// Plays a clip, by its number or name, at its frame rate.
pub(super) fn play_clip(session: &mut Session, requested: &str) -> anyhow::Result<()> {
    let head = session.head.clone();
    let names: Vec<&str> = head.clips.iter().map(|clip| clip.name.as_str()).collect();
    let clip = by_name_or_number("--clip", requested, &head.name, "clips", &names)?;
    session.clips_mut().select(Some(clip));
    if let Some(rate) = head.clips[clip].frames_per_sec() {
        session.edits.timeline.rate = FrameRate::nearest(rate.into());
    }
    Ok(())
}

/// Maps the columns of takes as a file says, and reports what the head lacks of it.
fn use_mapping(session: &mut Session, file: &Path, takes: &[TakeId]) -> anyhow::Result<()> {
    let mapping = open_mapping(file)?;
    session.takes_mut().use_mapping(&mapping, takes);
    let missing = mapping.missing_channels(&session.head);
    if !missing.is_empty() {
        let missing = listed(&missing, 12);
        log::warn!("{}: the head lacks {missing}; columns of these are matched by name", printable_path(file));
    }
    Ok(())
}

/// Reports problems of a take, and its unmapped columns, on standard error.
pub(super) fn report_take(session: &Session, take: TakeId) {
    let Some(entry) = session.edits.takes.iter().find(|entry| entry.id == take) else { return };
    let name = quoted(&entry.take.name);
    for note in entry.take.notes.iter().filter(|note| note.level == Level::Warning) {
        log::warn!("take {name}: {note}");
    }
    for (what, columns) in [
        ("columns mean the same", entry.map.contested(entry.take.column_names(), &session.head)),
        ("some channels are opposites", entry.map.opposites(&session.head)),
        ("the head lacks some movements, and the nearest are moved", entry.map.approximate(&session.head)),
    ] {
        if !columns.is_empty() {
            log::warn!("take {name}: {what}: {}", listed(&columns, 12));
        }
    }
    let unmatched = entry.map.unmapped_columns(&entry.take);
    if !unmatched.is_empty() {
        let (count, all) = (unmatched.len(), entry.take.columns.len());
        let names = listed(&unmatched.iter().map(|name| printable(name)).collect::<Vec<_>>(), 12);
        log::warn!("take {name}: {count} of {all} columns unmapped: {names}");
    }
}

/// The name of a pose of `--pose`, and its weights, one per target of the head; none without the option.
pub(super) fn posed(head: Arc<Head>, texts: &[String]) -> anyhow::Result<Option<(String, Arc<[f32]>)>> {
    let mut session = Session::new(head, HeadSource::Embedded, Look::default(), BlendMode::Cpu);
    session.clips_mut().select(None);
    let Some(pose) = pose_of(&mut session, "--pose", texts)? else { return Ok(None) };
    session.poses_mut().set_amount(pose, 1.0);
    let name = session.edits.poses.iter().find(|known| known.id == pose).map(|pose| pose.name.as_str());
    Ok(Some((name.unwrap_or_default().to_owned(), session.weights())))
}

/// The pose that an option names, or a new pose of the weights it gives.
fn pose_of(session: &mut Session, option: &str, texts: &[String]) -> anyhow::Result<Option<PoseId>> {
    if texts.is_empty() {
        return Ok(None);
    }
    let text = texts.join(",");
    if let Some(pose) = session.edits.poses.iter().find(|pose| pose.name.eq_ignore_ascii_case(text.trim())) {
        return Ok(Some(pose.id));
    }
    let parts = parts_of(&text);
    if let [name] = &parts[..]
        && !name.contains('=')
    {
        let names: Vec<_> = session.edits.poses.iter().map(|pose| printable(&pose.name)).collect();
        let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
        let name = printable(name);
        bail!("{option} {name}: {} has no such pose; it has {names}. Weights are NAME=WEIGHT", session.head.name);
    }
    // Of each channel, the sum of the weights that names alike give it, their number, and what names of movements add
    // to it of which the head has only the nearest.
    let mut given: BTreeMap<usize, (f32, f32, f32)> = BTreeMap::new();
    for part in &parts {
        let (name, weight) = match channel_weight(part) {
            Ok(named) => named,
            Err(problem) => usage!("{option} {}: {problem}", printable(part)),
        };
        let (channels, nearest) = (session.head.channel_alike(&name), session.head.channel_nearest(&name));
        if let Some(&channel) = channels.iter().find(|&&channel| session.follows_others(channel))
            && let Some(corrective) = session.head.correctives.of_channel(channel)
        {
            let drive = printable(&corrective.drive_in_words()).into_owned();
            let name = printable(&name);
            log::warn!("{option} {name}: it follows {drive}; --no-correctives moves it alone");
        }
        if channels.is_empty() && nearest.is_empty() {
            let names: Vec<_> = session.head.channels.iter().map(|channel| printable(&channel.name)).collect();
            let name = printable(&name);
            bail!("{option} {name}: {} has no such channel; it has {}", session.head.name, names.join(", "));
        }
        for channel in channels {
            let (sum, count, _) = given.entry(channel).or_default();
            (*sum, *count) = (*sum + weight, *count + 1.0);
        }
        if !nearest.is_empty() {
            let moved =
                nearest.iter().map(|(channel, part)| format!("{} × {part}", session.head.channels[*channel].name));
            log::info!("{option} {name}: the nearest channels move: {}", moved.collect::<Vec<_>>().join(", "));
        }
        for (channel, part) in nearest {
            given.entry(channel).or_default().2 += weight * part;
        }
    }
    if given.is_empty() {
        return Ok(None);
    }
    let weights = given.into_iter().map(|(channel, (sum, count, added))| {
        let weight = sum / count.max(1.0) + added;
        let weight = if added == 0.0 { weight } else { weight.clamp(0.0, 1.0) };
        (session.head.channels[channel].full_name.clone(), weight)
    });
    let weights = weights.collect();
    session.poses_mut().add([(option.trim_start_matches('-').to_owned(), weights)]);
    Ok(session.edits.poses.last().map(|pose| pose.id))
}

/// The parts of a list of weights, or the name of a pose. Names may contain commas: a part ends at the comma after its
/// weight.
fn parts_of(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut begun = String::new();
    for piece in text.split(',') {
        begun = if begun.is_empty() { piece.to_owned() } else { format!("{begun},{piece}") };
        if piece.contains('=') {
            parts.push(std::mem::take(&mut begun));
        }
    }
    if !begun.trim().is_empty() {
        parts.push(begun);
    }
    parts
}

/// Weights by the names of channels.
#[derive(Clone, Debug, Default)]
pub(super) struct Weights(pub Vec<(String, f32)>);

/// Reads weights of channels, such as `jawOpen=0.6,mouthClose=1`.
pub(super) fn weights(text: &str) -> Parsed<Weights> {
    parts_of(text).iter().map(|part| channel_weight(part)).collect::<Parsed<Vec<_>>>().map(Weights)
}

fn channel_weight(text: &str) -> Parsed<(String, f32)> {
    let Some((name, weight)) = text.rsplit_once('=') else {
        return Err(Expected("is not NAME=WEIGHT, such as jawOpen=0.6".into()));
    };
    match weight.trim().parse::<f32>() {
        Ok(weight) if weight.is_finite() => Ok((name.trim().to_owned(), weight)),
        _ => Err(Expected(format!("the weight of {name} is {weight:?}, which is not a number").into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use smirk_export::FrameSpan;

    #[test]
    fn weights_are_read() {
        assert_eq!(channel_weight("jawOpen=-0.5"), Ok(("jawOpen".into(), -0.5)));
        assert!(channel_weight("jawOpen").is_err() && channel_weight("jawOpen=inf").is_err());
        assert_eq!(channel_weight("a=b=1"), Ok(("a=b".into(), 1.0)));
        assert_eq!(parts_of("jawOpen=0.5,smile, \"wide\" (L)=1"), ["jawOpen=0.5", "smile, \"wide\" (L)=1"]);
        assert_eq!(parts_of("Big, happy smile"), ["Big, happy smile"]);
        assert_eq!(parts_of("a=1,b"), ["a=1", "b"]);
        assert!(parts_of("").is_empty());
    }

    #[test]
    fn a_transition_leads_from_one_pose_to_another() {
        let at_rest = crate::cli::input::open_session(None).unwrap().session;
        let mix = |args: MixArgs| {
            let mut session = at_rest.clone();
            args.apply(&mut session).unwrap();
            let of =
                |name| session.head.channel_value(session.head.channel_named(name).unwrap(), &session.mix().weights);
            [of("jawOpen"), of("mouthPucker")]
        };
        let pose = |text: &str| vec![text.to_owned()];
        assert_eq!(mix(MixArgs { pose: pose("JawOpen=0.3"), ..MixArgs::default() })[0], 0.3, "any dialect");
        let args =
            |at| MixArgs { pose: pose("jawOpen=0.8"), to: pose("mouthPucker=0.5"), at: Some(at), ..MixArgs::default() };
        assert_eq!((mix(args(0.0)), mix(args(1.0))), ([0.8, 0.0], [0.0, 0.5]));
        assert_eq!(mix(args(0.5)), [0.4, 0.25]);
        let [eased, _] = mix(args(0.25));
        let [even, _] = mix(MixArgs { ease: Some(EaseArg::Linear), ..args(0.25) });
        assert!(eased > even && (even - 0.6).abs() < 1e-6);
        assert_eq!(mix(MixArgs { pose: pose("surprise"), ..MixArgs::default() })[0], 0.45);
        let wrong = MixArgs { pose: pose("grin"), ..MixArgs::default() }.apply(&mut at_rest.clone()).unwrap_err();
        assert!(wrong.to_string().contains("Surprise"), "{wrong}");
    }

    #[test]
    fn a_moment_has_the_blinks_of_the_frame_at_its_time() {
        let mut session = crate::cli::input::open_session(None).unwrap().session;
        session.edits.blink.enabled = true;
        let (span, mut closed) = (FrameSpan::new(FrameRate::nearest(4.0), 0, 40).unwrap(), 0);
        let blink = session.head.channel_named("eyeBlinkLeft").unwrap();
        for frame in span.frames() {
            let motion = MotionArgs { clip: Some("0".into()), ..MotionArgs::default() };
            let time = Some(span.secs_of(frame) as f32);
            MixArgs { motion, time, ..MixArgs::default() }.apply(&mut session).unwrap();
            let mut shown = session.clone();
            span.show(&mut shown, frame);
            assert!(session.weights() == shown.weights(), "frame {frame}");
            closed += usize::from(session.head.channel_value(blink, &session.mix().weights) > 0.5);
        }
        assert!((1..20).contains(&closed), "{closed}");
    }

    #[test]
    fn correctives_are_left_out_on_request() {
        let mut session = crate::cli::input::open_session(None).unwrap().session;
        MotionArgs::default().apply(&mut session).unwrap();
        assert!(session.edits.plays_correctives);
        MotionArgs { no_correctives: true, ..MotionArgs::default() }.apply(&mut session).unwrap();
        assert!(!session.edits.plays_correctives);
    }

    #[test]
    fn a_take_turns_the_head_that_is_drawn() {
        let file = tempfile::Builder::new().suffix(".csv").tempfile().unwrap();
        std::fs::write(file.path(), "Time,JawOpen,HeadYaw\n0,0.25,0\n1,0.5,0.5\n").unwrap();
        let mut session = crate::cli::input::open_session(None).unwrap().session;
        let motion = MotionArgs { take: Some(file.path().to_owned()), ..MotionArgs::default() };
        MixArgs { motion, time: Some(1.0), ..MixArgs::default() }.apply(&mut session).unwrap();
        let turned = session.world_from_nodes();
        let forward = session.head.rest_pose.world_from_node()[0].inverse().transform_vector3(glam::Vec3::Z);
        let forward = turned[0].transform_vector3(forward);
        assert!((forward.x.atan2(forward.z) - 0.5).abs() < 1e-4, "half a radian to the own left: {forward}");
    }
}
