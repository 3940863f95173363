// Composes the messages of attempts that start now: in the language and zone of each person, with the alarms as they are.

import { announcedItem } from '../../../domain/calls/announced.ts';
import type { CallPolicy } from '../../../domain/calls/call.ts';
import { type CallMessage, isShort, isSpoken, type Unserved } from '../../../domain/calls/delivery.ts';
import { joinTexts } from '../../../domain/calls/message-text.ts';
import { howToReply } from '../../../domain/calls/replies/text-reply.ts';
import { wordsIn } from '../../../domain/calls/words/catalogue.ts';
import type { Recording } from '../../../domain/calls/words/recorded-text.ts';
import { shortMessage } from '../../../domain/calls/words/sms.ts';
import { mark, type Reader, textFor } from '../../../domain/calls/words/stored-text.ts';
import { languageOf, type OwnTexts, ownTexts } from '../../../domain/calls/words/wording.ts';
import type { StationCount } from '../../../domain/calls/words/words.ts';
import type { Person } from '../../../domain/people/person.ts';
import { isOneOfIds, statement } from '../../../store/statement.ts';
import type { ReadTx } from '../../../store/store.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { noOpenCauses, type OpenCause, type OpenCausesOf } from '../announced.ts';
import { type RecordedCause, recordingsOf } from './recordings-of.ts';

type StartedAttempt = {
  readonly id: number;
  readonly user_id: number;
  readonly channel: string;
  readonly address: string;
  readonly priority: number;
  readonly reply_code: string;
  readonly cause: string;
  readonly state: string;
  readonly provider_id: number | null;
  readonly unserved: Unserved | undefined;
  readonly provider_ref: string | null;
};

type Composed<R> = {
  readonly row: R;
  readonly message: Omit<CallMessage, 'hasNextProvider'>;
  /** The causes that the message names, of all that are open: a short text may not have room for each. */
  readonly named: OpenCausesOf;
};

/** The columns of a cause that a telephone reads. */
type SpokenCause = Pick<OpenCause, 'kind' | 'alarm_id' | 'list' | 'is_transitory' | 'text' | 'short_text'> & {
  /** Whether the last resort is told of it, because nobody else has taken it. */
  readonly isUntaken?: boolean;
};
type AnsweredCause = SpokenCause & RecordedCause;

/** `open` holds what is open by id of an attempt, as many causes as a message names at most. */
export async function composeMessages<R extends StartedAttempt>(
  tx: ReadTx,
  rows: readonly R[],
  open: ReadonlyMap<number, OpenCausesOf>,
): Promise<readonly Composed<R>[]> {
  const { snapshot, policy } = await readCallConfiguration(tx);
  const back = await alarmsBack(
    tx,
    [...open.values()].flatMap(({ causes }) => causes),
  );
  const stations = await stationNames(tx, [...open.values()]);
  return rows.map((row) => {
    const person = snapshot.people.get(row.user_id);
    const all = open.get(row.id) ?? noOpenCauses;
    const language = languageOf(person, policy.wording);
    const own = ownTexts(language, policy.wording);
    const { text, named } = writtenText(row, all, { ...readerOf(person, policy), own }, back);
    const causes = all.causes.slice(0, named);
    return {
      row,
      named: { ...all, causes },
      message: {
        attemptId: row.id,
        userId: row.user_id,
        firstName: person?.firstName ?? '',
        language,
        siteName: policy.wording.siteName,
        opening: own.opening,
        closing: own.closing,
        channel: row.channel,
        address: row.address,
        priority: row.priority,
        text,
        texts: causes.map((cause) => spokenText(cause, readerOf(person, policy), back)),
        items: causes.map(announcedItem),
        total: all.ids.length,
        stations: all.ids.length > 1 ? countsByStation(all, stations) : [],
        replyCode: row.reply_code,
        isTest: row.cause === 'test',
        isNews: isNews(all.causes),
        isUnsure: row.state === 'started',
        providerId: row.provider_id ?? undefined,
        unserved: row.unserved,
        providerRef: row.provider_ref ?? undefined,
      },
    };
  });
}

/** Returns the texts of causes as they are now: alarms may have returned since they were announced. */
export async function composeTexts(
  tx: ReadTx,
  userId: number,
  causes: readonly SpokenCause[],
): Promise<readonly string[]> {
  const { snapshot, policy } = await readCallConfiguration(tx);
  const reader = readerOf(snapshot.people.get(userId), policy);
  const back = await alarmsBack(tx, causes);
  return causes.map((cause) => spokenText(cause, reader, back));
}

/** The text or recording that a telephone says for one cause. */
export type Spoken = { readonly text: string; readonly recording: Recording | null };

/**
 * Returns what is said now, to a person who has just answered: alarms may have returned since it rang, and a recording of
 * the alarm would not say that.
 */
export async function composeSpoken(
  tx: ReadTx,
  userId: number,
  causes: readonly (AnsweredCause | undefined)[],
): Promise<readonly (Spoken | undefined)[]> {
  const { snapshot, policy } = await readCallConfiguration(tx);
  const reader = readerOf(snapshot.people.get(userId), policy);
  const there = causes.flatMap((cause) => cause ?? []);
  const back = await alarmsBack(tx, there);
  const recordings = await recordingsOf(tx, there);
  return causes.map((cause) => {
    if (cause === undefined) return undefined;
    const recording = isBack(cause, back) ? null : (recordings.get(cause) ?? null);
    return { text: spokenText(cause, reader, back), recording };
  });
}

function readerOf(person: Person | undefined, { timeZone, wording }: CallPolicy): Reader {
  const language = languageOf(person, wording);
  return { words: wordsIn(language), language, timeZone: person?.timeZone || timeZone };
}

/** Returns the text in the words of the reader; that of an alarm which has returned to normal says so. */
function textOf(cause: SpokenCause, text: string, reader: Reader, back: Back): string {
  const untaken = cause.isUntaken ? mark.untaken : '';
  return textFor(`${untaken}${isBack(cause, back) ? mark.back : ''}${text}`, reader);
}

function isBack({ alarm_id, list, is_transitory }: SpokenCause, back: Back): boolean {
  return list === 'alarm' && is_transitory === 0 && back.has(alarm_id ?? 0);
}

/** Returns the text for a channel that is read, and how many of the causes it names; a telephone shows the same text. */
function writtenText(
  { channel, reply_code }: StartedAttempt,
  { causes, ids: { length: total } }: OpenCausesOf,
  reader: Reader & { readonly own: OwnTexts },
  back: Back,
): { readonly text: string; readonly named: number } {
  const { words, own } = reader;
  if (isSpoken(channel) || !isShort(channel)) {
    const texts = causes.map((cause) => spokenText(cause, reader, back));
    const joined = joinTexts(texts, total, words);
    const parts = isSpoken(channel) ? [joined] : [own.opening, joined, own.closing];
    return { text: parts.filter((part) => part !== '').join('\n'), named: causes.length };
  }
  const items = causes.map(announcedItem);
  const isPager = channel === 'pager';
  const texts = causes.map((cause) =>
    textOf(isPager ? { ...cause, isUntaken: false } : cause, shortTextOf(cause, channel), reader, back),
  );
  if (isPager) return shortMessage(texts, total, words, () => '');
  const reply = (named: number): string =>
    isNews(causes) ? '' : howToReply(reply_code, items.slice(0, named), total, words);
  return shortMessage(texts, total, words, reply, own);
}

/** Nobody answers a notice to a number. */
function isNews(causes: readonly OpenCause[]): boolean {
  return causes.every(({ target_kind }) => target_kind === 'number');
}

/** The number of a message is all that a pager shows; a text message has room for both. */
function shortTextOf(cause: OpenCause, channel: string): string {
  const { kind, text, short_text } = cause;
  if (kind === 'alarm' || kind === 'followUp' || channel === 'pager') return short_text;
  const code = codeOf(cause);
  return code === undefined ? text : `${code}: ${text}`;
}

/** Returns the text with the number of the message, if it has both. */
function spokenText(cause: SpokenCause, reader: Reader, back: Back): string {
  const text = textOf(cause, cause.text, reader, back);
  const code = codeOf(cause);
  return code === undefined ? text : reader.words.withCode(text, code);
}

/** Returns the number of a message that has a text as well. */
function codeOf({ kind, text, short_text }: SpokenCause): string | undefined {
  const hasCode = kind === 'message' && short_text !== text && text !== mark.number(Number(short_text));
  return hasCode ? short_text : undefined;
}

/** The ids of alarms that have returned to normal. */
type Back = ReadonlySet<number>;

async function alarmsBack(tx: ReadTx, causes: readonly SpokenCause[]): Promise<Back> {
  const ids = causes.flatMap(({ alarm_id }) => alarm_id ?? []);
  if (ids.length === 0) return new Set();
  return new Set((await tx.all(selectBack, { ids: JSON.stringify([...new Set(ids)]) })).map(({ id }) => id));
}

/** Returns the names of the stations that have causes. */
export async function stationNames(
  tx: ReadTx,
  open: readonly Pick<OpenCausesOf, 'stations'>[],
): Promise<ReadonlyMap<number, string>> {
  const ids = new Set(open.flatMap(({ stations }) => [...stations.keys()]));
  if (ids.size === 0) return new Map();
  const rows = await tx.all(selectStations, { ids: JSON.stringify([...ids]) });
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Returns how many causes each station has, the station with most first. */
export function countsByStation(
  { stations }: Pick<OpenCausesOf, 'stations'>,
  names: ReadonlyMap<number, string>,
): readonly StationCount[] {
  return [...stations]
    .map(([id, count]) => ({ station: names.get(id) ?? '', count }))
    .toSorted((one, other) => other.count - one.count || one.station.localeCompare(other.station));
}

const selectBack = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('alarms')
    .select('id')
    .where(isOneOfIds('id', args.ids, kind))
    .where('state', 'in', [0, 2]),
);

const selectStations = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('stations')
    .select(['id', 'name'])
    .where(isOneOfIds('id', args.ids, kind)),
);
