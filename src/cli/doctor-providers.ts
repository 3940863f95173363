// The checks of `tocsin doctor` on the providers: secrets, speech, and whether each can be used, as its test button checks it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandSpeech } from '../channels/voice/speech.ts';
import { ProcessPool } from '../channels/voice/speech-process.ts';
import type { Config } from '../config.ts';
import { kindNamed } from '../domain/channels/kinds/catalogue.ts';
import { isSimulated } from '../domain/channels/provider.ts';
import type { SealedProvider } from '../operations/providers/queries.ts';
import { type Finding, ok, problem, reasonOf, warning } from './doctor-finding.ts';
import { noStore, shellSecretBox, withProvider } from './shell-providers.ts';

const timeoutMs = 10_000;

export async function* checkProviders(config: Config, all: readonly SealedProvider[]): AsyncGenerator<Finding> {
  const real = all.filter(({ provider }) => !isSimulated(provider));
  const used = real.filter(({ provider }) => provider.isEnabled);
  if (used.length === 0) yield withoutProviders(config);
  if (used.some(({ provider }) => kindNamed(provider.kind)?.capabilities.isSpoken)) yield* checkSpeech(config);
  for (const sealed of real) yield await checkProvider(config, sealed);
}

function withoutProviders({ calling: { hasSimulator } }: Config): Finding {
  return warning(
    hasSimulator
      ? 'Phones are only simulated, and nobody is called for real: set up a provider, see docs/channels.md.'
      : 'No provider is set up, and simulated phones are switched off: nobody can be called, see docs/channels.md.',
  );
}

async function checkProvider(config: Config, sealed: SealedProvider): Promise<Finding> {
  const { name, kind, isEnabled, node } = sealed.provider;
  const what = `The provider "${name}" (${kind})`;
  const unreadable = unreadableSecrets(config, sealed);
  if (unreadable !== undefined) return problem(`${what} ${unreadable}`);
  if (!isEnabled) return ok(`${what} is switched off.`);
  if (node !== undefined && node !== config.nodeName)
    return ok(`${what} is used on the node ${node} alone: check it there.`);
  try {
    const unread = await withProvider(sealed, { config, store: noStore }, async (open) => {
      await open.check(AbortSignal.timeout(timeoutMs));
      return open.checkReplies?.(AbortSignal.timeout(timeoutMs)).then(() => undefined, reasonOf);
    });
    return unread === undefined ? ok(`${what} can be used.`) : problem(`${what} sends, but ${unread}.`);
  } catch (error) {
    return problem(`${what} cannot be used: ${reasonOf(error)}.`);
  }
}

/** Names the secrets to enter again, as after a restore without the key. */
function unreadableSecrets(config: Config, { secrets }: SealedProvider): string | undefined {
  const entries = Object.entries(JSON.parse(secrets) as Record<string, string>);
  const box = shellSecretBox(config);
  const failures = entries.flatMap(([name, sealed]) => {
    try {
      box.open(sealed, name);
      return [];
    } catch (error) {
      return [{ name, reason: reasonOf(error) }];
    }
  });
  if (failures.length === 0) return undefined;
  const names = failures.map(({ name }) => `"${name}"`).join(', ');
  return `has secrets that cannot be read: enter ${names} again, or bring back the key they were encrypted with (${failures[0]?.reason}).`;
}

/** Lets the program say a word by each voice. */
async function* checkSpeech({ speech: { command, voices } }: Config): AsyncGenerator<Finding> {
  const cacheDir = mkdtempSync(join(tmpdir(), 'tocsin-speech-'));
  const speech = new CommandSpeech({ command, voices, cacheDir }, new ProcessPool(1), () => {});
  try {
    const missing = await speech.check(AbortSignal.timeout(timeoutMs));
    if (missing !== undefined) throw new Error(missing);
    yield ok(`${command[0]} speaks (${[...voices.keys()].join(', ')}).`);
  } catch (error) {
    yield problem(
      `Telephone calls would be silent: ${reasonOf(error)}. Install it, for example with "apt-get install espeak-ng", or name another program with TOCSIN_SPEECH_COMMAND.`,
    );
  } finally {
    rmSync(cacheDir, { recursive: true, force: true });
  }
}
