//! `smirk export mesh`: writes the face as it is at a moment, or over a range, as meshes without targets.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::view::SpanArgs;
use crate::cli::input::{AxesArgs, Opened, open_session};
use crate::cli::motion::MixArgs;
use crate::cli::text::{ProgressLine, counted};
use smirk_base::file_kind;
use smirk_base::names::printable_path;
use smirk_base::progress::Progress;
use smirk_export::{MeshExport, MeshFormat, MeshSettings, NumberedPath, OutputPath, bytes_in_words};
use smirk_scene::Normals;

#[derive(Debug, Args)]
pub struct MeshArgs {
    /// Head or project to bake; without it, the bundled head
    file: Option<PathBuf>,
    /// File to write: .obj, .glb, .pc2 or .mdd; a sequence of .obj has # for the number of the frame, as in
    /// face.####.obj
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    axes: AxesArgs,
    /// Write the head upright, as it is shown, and not with the axes of its file
    #[arg(long)]
    as_shown: bool,
    #[command(flatten)]
    mix: MixArgs,
    #[command(flatten)]
    span: SpanArgs,
    /// Which meshes are written: all, or those of which something can be seen
    #[arg(long, value_enum, default_value_t)]
    meshes: MeshesArg,
    /// Where normals come from [default: as the project says, else automatically]
    #[arg(long, value_enum)]
    normals: Option<NormalsArg>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum MeshesArg {
    #[default]
    All,
    Visible,
}

/// [`Normals`] on the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum NormalsArg {
    Auto,
    Blended,
    Recomputed,
}

pub(super) fn run(args: &MeshArgs) -> anyhow::Result<()> {
    let output = OutputPath::new(&args.output);
    let Some(format) = MeshFormat::from_path(&args.output) else {
        let known = file_kind::in_words(&MeshFormat::ALL.iter().map(|format| format.extension()).collect::<Vec<_>>());
        usage!("-o {}: the name must end in {known}, which is what is written", printable_path(&args.output));
    };
    let is_range = match format {
        MeshFormat::Pc2 | MeshFormat::Mdd => true,
        MeshFormat::Obj | MeshFormat::Glb => args.span.names_frames() || NumberedPath::new(&args.output).has_number(),
    };
    if let Some(option) = args.mix.option_of_moment().filter(|_| is_range) {
        usage!("-o {}: frames are written: {option} means nothing for them", printable_path(&args.output));
    }
    if args.span.rate().is_some() && !is_range {
        usage!("-o {}: one moment is written: --fps means nothing for it", printable_path(&args.output));
    }
    let Opened { mut session, .. } = open_session(args.file.as_ref())?;
    args.axes.apply(&mut session)?;
    args.mix.apply(&mut session)?;
    let session = if args.as_shown { session.written_upright() } else { session };
    let settings = MeshSettings {
        format,
        normals: match args.normals {
            None => session.edits.look.normals,
            Some(NormalsArg::Auto) => Normals::Auto,
            Some(NormalsArg::Blended) => Normals::Authored,
            Some(NormalsArg::Recomputed) => Normals::Recomputed,
        },
        only_visible: args.meshes == MeshesArg::Visible,
        span: if is_range { Some(args.span.of_session(&session)?) } else { None },
    };
    let export = MeshExport::new(&session, settings, output)?;
    let (plan, progress) = (export.plan(), ProgressLine::new());
    let bytes = export.run(Progress::new(&|stage, _| progress.show_stage(stage)))?;
    let (frames, files, size) = (counted(plan.frames, "frame"), counted(plan.files, "file"), bytes_in_words(bytes));
    progress.end(&format!("{}: {frames} in {files}, {size}", printable_path(&args.output)));
    Ok(())
}
