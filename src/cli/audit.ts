// `tocsin audit verify` and `tocsin audit export`: checks the audit trail and writes it as lines of JSON.

import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type Environment, readConfig } from '../config.ts';
import { readNewestSeal } from '../dispatch/audit/newest-seal-file.ts';
import type { AuditRow } from '../domain/audit/entry.ts';
import type { Seal } from '../domain/audit/seal.ts';
import { type Finding, findingText, type KnownSeal, TrailVerifier } from '../domain/audit/verify.ts';
import { printTime } from '../domain/time-range.ts';
import { StartError } from '../errors.ts';
import { sha256 } from '../operations/audit/append.ts';
import { readEntries, readSeals, readSegment, readUnsealed } from '../operations/audit/read.ts';
import type { Query, Store } from '../store/store.ts';
import { parseDateTime } from '../wire/date-time.ts';
import { badUsage, readArguments } from './arguments.ts';
import { number, showProgress } from './progress.ts';
import { withStore } from './with-store.ts';

export const verifyUsage = 'audit verify';
export const exportUsage = 'audit export [--file FILE] [--from TIME] [--to TIME]';
/** Few enough that a page of the longest entries fits in memory. */
const pageSize = 100;

/** Counts of the rows and segments verified so far, and the newest seal among them. */
type Seen = { sealed: number; unsealed: number; segments: number; trimmed: number; newest: Seal | undefined };
type Verified = { readonly finding: Finding | undefined; readonly seen: Readonly<Seen> };

export async function verifyAudit(words: readonly string[], environment: Environment): Promise<void> {
  readArguments(words, 0, verifyUsage, {});
  const known = readNewestSeal(readConfig(environment).dataDir);
  await withStore(environment, async (store) => {
    const { finding, seen } = await verifyTrail(store, known).catch(withoutTables);
    if (finding !== undefined)
      throw new StartError(`${findingText(finding)}\nBefore that: ${summaryOf(seen)}`, 'data-unusable');
    console.log(`The audit trail is as it was written: ${summaryOf(seen)}`);
  });
}

/** Verifies the whole trail up to the first finding. */
export async function verifyTrail(store: Store, known?: KnownSeal): Promise<Verified> {
  const seen: Seen = { sealed: 0, unsealed: 0, segments: 0, trimmed: 0, newest: undefined };
  const verifier = new TrailVerifier(sha256, known);
  const progress = showProgress('Verifying');
  try {
    for (;;) {
      const next = await store.read(readSegment, { afterSealId: seen.newest?.id ?? 0 });
      const { segment, trimming, missingSealId, chain } = next;
      const finding = segment ? verifier.segment(segment, trimming) : verifier.end(trimming, missingSealId, chain);
      if (finding !== undefined) return { finding, seen };
      if (segment === undefined) break;
      seen.newest = segment.seal;
      seen.segments++;
      seen.sealed += segment.rows.length;
      if (segment.rows.length === 0) seen.trimmed++;
      progress.add(segment.rows.length);
    }
    for await (const row of pages(store, readUnsealed, {})) {
      const finding = verifier.unsealed(row);
      if (finding !== undefined) return { finding, seen };
      seen.unsealed++;
    }
    return { finding: undefined, seen };
  } finally {
    progress.end();
  }
}

/** Only the tables of the trail are read here. */
function withoutTables(error: unknown): never {
  const text = error instanceof Error ? error.message : '';
  if (!/no such (?:table|column)|does not exist/.test(text)) throw error;
  throw new StartError('The tables of the audit trail were removed or changed.', 'data-unusable', error);
}

function summaryOf({ sealed, unsealed, segments, trimmed, newest }: Seen): string {
  const trimmedText = trimmed === 0 ? '' : `, ${number(trimmed)} of them trimmed`;
  const lastText = newest === undefined ? 'no seal' : `the last seal ${newest.id} is ${newest.hash}`;
  return `${number(sealed)} rows in ${number(segments)} sealed segments${trimmedText}, ${number(unsealed)} rows not sealed yet, ${lastText}.`;
}

export async function exportAudit(words: readonly string[], environment: Environment): Promise<void> {
  const { values } = readArguments(words, 0, exportUsage, {
    file: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
  });
  const { timeZone } = readConfig(environment);
  const period = {
    from: instantFrom(values.from, timeZone) ?? 0,
    to: instantFrom(values.to, timeZone) ?? Number.MAX_SAFE_INTEGER,
  };
  if (period.from > period.to) throw badUsage(`--from ${values.from} is later than --to ${values.to}`, exportUsage);
  await withStore(environment, async (store) => {
    const out = values.file === undefined ? process.stdout : await newFile(values.file);
    const progress = showProgress('Exporting');
    for await (const row of pages(store, readEntries, period)) {
      await writeLine(out, { entry: printRow(row) });
      progress.add(1);
    }
    for await (const seal of pages(store, readSeals, period)) await writeLine(out, { seal: printSeal(seal) });
    progress.end();
    if (out === process.stdout) return;
    out.end();
    await finished(out);
  });
}

function instantFrom(text: string | undefined, timeZone: string): number | undefined {
  if (text === undefined) return undefined;
  const instant = parseDateTime(text, timeZone);
  if (instant === undefined) throw badUsage(`"${text}" is no time such as 2026-11-15T13:00:00`, exportUsage);
  return instant;
}

type Paged<A> = A & { afterId: number; limit: number };

async function* pages<A, R extends { readonly id: number }>(
  store: Store,
  query: Query<Paged<A>, readonly R[]>,
  args: A,
): AsyncGenerator<R> {
  for (let afterId = 0; ; ) {
    const page = await store.read(query, { ...args, afterId, limit: pageSize });
    yield* page;
    if (page.length < pageSize) return;
    afterId = page.at(-1)?.id ?? afterId;
  }
}

/** Never replaces a file; readable by its owner only, because it holds numbers of people. */
async function newFile(file: string): Promise<Writable> {
  const out = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  try {
    await once(out, 'open');
    return out;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new StartError(`${file} cannot be written (${code}).`, 'cannot-write', error);
  }
}

async function writeLine(out: Writable, value: object): Promise<void> {
  if (!out.write(`${JSON.stringify(value)}\n`)) await once(out, 'drain');
}

/** `before` and `after` as objects: printed again without spaces they are the text that the hash covers. */
function printRow({ at, before, after, ...row }: AuditRow): object {
  return { ...row, time: printTime(at), at, before: parsed(before), after: parsed(after) };
}

/** A text that is not JSON was tampered with, and is printed as it is. */
function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

function printSeal({ from, to, sealedAt, ...seal }: Seal): object {
  return { ...seal, from, to, sealedAt, sealedTime: printTime(sealedAt) };
}
