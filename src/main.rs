//! Reads the command line, runs, prints errors as one line.

use std::process::ExitCode;

use clap::Parser;
use smirk::cli::{Cli, CliCommand, bench, convert, inspect, render, sheet};
use smirk::logging;

fn main() -> ExitCode {
    logging::start();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        // Help and version, on standard output.
        Err(answer) if !answer.use_stderr() => answer.exit(),
        Err(error) => {
            let text = error.to_string();
            let what: Vec<_> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
            eprintln!("smirk: {} (see smirk --help)", what.join(" ").trim_start_matches("error: "));
            return ExitCode::from(2);
        }
    };
    let outcome = match &cli.command {
        Some(CliCommand::Render(args)) => render::run(args),
        Some(CliCommand::Sheet(args)) => sheet::run(args),
        Some(CliCommand::Inspect(args)) => inspect::run(args),
        Some(CliCommand::Convert(args)) => convert::run(args),
        Some(CliCommand::Bench(args)) => bench::run(args),
        None => smirk::window::run(cli.viewer),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("smirk: {}", format!("{error:#}").replace('\n', " "));
            ExitCode::FAILURE
        }
    }
}
