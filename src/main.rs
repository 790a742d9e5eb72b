//! Reads the command line, runs, prints errors as one line.

use std::process::ExitCode;

use clap::Parser;
use smirk::cli::{Cli, CliCommand, inspect, render};

fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = match &cli.command {
        Some(CliCommand::Render(args)) => render::run(args),
        Some(CliCommand::Inspect(args)) => inspect::run(args),
        None => smirk::app::run(cli.viewer),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("smirk: {}", format!("{error:#}").replace('\n', " "));
            ExitCode::FAILURE
        }
    }
}
