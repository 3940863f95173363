// `tocsin doctor`: checks the settings, machine, database and network, recommends fixes, and changes nothing.

import { type Config, type Environment, printSettings, readConfig } from '../config.ts';
import { ConfigError } from '../config-values.ts';
import { readArguments } from './arguments.ts';
import { checkDatabase } from './doctor-database.ts';
import { type Finding, lineOf, ok, problem } from './doctor-finding.ts';
import { checkClock, checkDataFolder, checkRuntime } from './doctor-machine.ts';
import { checkPort, checkTls } from './doctor-network.ts';

export async function doctor(words: readonly string[], environment: Environment): Promise<void> {
  readArguments(words, 0, 'doctor', {});
  const given = printSettings(environment);
  const shown = given.length === 0 ? ['all as by default'] : given;
  console.log(`Settings:\n${shown.map((line) => `  ${line}`).join('\n')}\n`);
  let problems = 0;
  for await (const finding of examine(environment)) {
    console.log(lineOf(finding));
    if (finding.level === 'problem') problems++;
  }
  if (problems === 0) return;
  console.log(`\n${problems === 1 ? 'One problem' : `${problems} problems`} found.`);
  process.exitCode = 1;
}

/** Runs the checks one after another and yields each finding at once, so that a slow check is visible. */
async function* examine(environment: Environment): AsyncGenerator<Finding> {
  yield* checkRuntime();
  const config = settingsIn(environment);
  if (config instanceof ConfigError) {
    for (const mistake of config.mistakes) yield problem(`${mistake}.`);
    return;
  }
  yield ok('The settings are valid.');
  yield* checkClock(config.timeZone);
  yield* checkDataFolder(config.dataDir);
  yield* checkDatabase(config);
  yield* checkTls(config.tls);
  yield* checkPort(config);
}

function settingsIn(environment: Environment): Config | ConfigError {
  try {
    return readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}
