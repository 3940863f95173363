// Rows of the call history as one reader sees them: in their language, with the people and alarms that they may see.

import { sql } from 'kysely';
import { type Caller, seesStation } from '../../../domain/access/access.ts';
import type { CallHistory } from '../../../domain/calls/call-history.ts';
import { wordsIn } from '../../../domain/calls/words/catalogue.ts';
import { outcomeIn } from '../../../domain/calls/words/outcome-words.ts';
import { textFor } from '../../../domain/calls/words/stored-text.ts';
import { providerReasonIn } from '../../../domain/channels/words/catalogue.ts';
import { reasonIn } from '../../../domain/channels/words/provider-reason.ts';
import type { Language } from '../../../domain/language.ts';
import { referenceWords } from '../../../domain/people/reference-words.ts';
import { foreignId, type Visibility, visibilityOf } from '../../../domain/people/visibility.ts';
import { isOneOfIds, statement } from '../../../store/statement.ts';
import type { Instant, ReadTx } from '../../../store/store.ts';
import { seenAlarms } from '../../alarms/seen-alarms.ts';
import { readCallConfiguration } from '../../configuration/call-configuration.ts';
import { triesByProvider } from '../../providers/assign.ts';
import { triesOf } from '../engine/rows/attempt-rows.ts';
import { ReasonWording } from './say-reason.ts';

export type CallHistoryRow = {
  id: number;
  call_id: number;
  cause: string;
  alarm_id: number | null;
  priority: number;
  group_id: number | null;
  user_id: number;
  user_name: string;
  channel: string;
  address: string;
  attempt: number;
  status: number;
  created_at: number;
  started_at: number | null;
  provider_id: number | null;
  tried_providers: string;
  rang_at: number | null;
  answered_at: number | null;
  delivered_at: number | null;
  read_at: number | null;
  ack_at: number | null;
  ended_at: number | null;
  outcome: string | null;
  ended_by: string | null;
  acknowledged: string;
  reason: string | null;
  cancel_reason: string | null;
  detail: string;
  tries: string;
  announced_causes: string | null;
  alarm_station: number | null;
};

type Reader = { readonly caller: Pick<Caller, 'stationIds'>; readonly language: Language; readonly now: Instant };

/** Shows nothing of people and alarms of other stations but that they were called. */
export async function shownHistories(
  tx: ReadTx,
  rows: readonly CallHistoryRow[],
  { caller, language, now }: Reader,
): Promise<readonly CallHistory[]> {
  if (rows.length === 0) return [];
  const { snapshot, providers, policy } = await readCallConfiguration(tx);
  const visibility = visibilityOf(caller, snapshot);
  const wording = new ReasonWording({ language, timeZone: policy.timeZone, now, snapshot, visibility });
  // Providers serve all stations: who is bound to some of them does not learn their names.
  const names = new Map((visibility.isWhole ? providers : []).map(({ id, name }) => [id, name]));
  const causes = await causesSeen(tx, rows, caller);
  const former = await formerCauses(tx, rows);
  const alarms = new Map([...causes].flatMap(([id, { alarm_id }]) => (alarm_id === null ? [] : [[id, alarm_id]])));
  const items = rows.map((row) => ({ row, item: historyOf(row, alarms) }));
  const reader = { words: wordsIn(language), language, timeZone: policy.timeZone };
  const named = items.flatMap(({ item }) => item.acknowledged.map(([alarmId]) => alarmId));
  const seen = visibility.isWhole ? new Set(named) : await seenAlarms(tx, named, caller);
  return items.map(({ row, item }) => ({
    ...item,
    ...aboutOf(row, { causes, former }, reader),
    provider: names.get(row.provider_id ?? 0),
    providers: visibility.isWhole ? providersOf(row, names, language) : [],
    acknowledged: item.acknowledged.filter(([alarmId]) => seen.has(alarmId)),
    ...(seesActor(row.ended_by, visibility) ? {} : { endedBy: undefined }),
    ...(visibility.seesPerson(row.user_id)
      ? {}
      : { userId: foreignId, user: referenceWords[language].anotherStation, address: '' }),
    ...(visibility.isWhole || seesStation(caller, Number(row.alarm_station ?? 0))
      ? {}
      : { alarmId: undefined, priority: undefined }),
    reason: row.reason === null ? undefined : wording.wordedStored(row.reason),
    ...detailOf(row, wording, language),
  }));
}

/** Every provider that was asked, in order, where there were several; the last one has the outcome of the attempt. */
function providersOf(
  row: CallHistoryRow,
  names: ReadonlyMap<number, string>,
  language: Language,
): CallHistory['providers'] {
  const tried = triesByProvider(row);
  const isLastTried = row.provider_id === null || tried.some(({ id }) => id === row.provider_id);
  const last = isLastTried ? [] : [{ name: names.get(row.provider_id ?? 0), outcome: row.outcome ?? undefined }];
  if (tried.length + last.length < 2) return [];
  return [
    ...tried.map(({ id, outcome, reason }) => ({
      name: names.get(id),
      outcome,
      detail: reason === undefined ? undefined : toldIn(language, outcome ?? '', reason),
    })),
    ...last.map((one) => ({ ...one, detail: undefined })),
  ];
}

/** What a provider said; rows of earlier versions hold a sentence. */
function toldIn(language: Language, outcome: string, stored: string): string {
  const told = reasonIn(stored);
  return told === undefined ? outcomeIn(language, outcome, stored) : providerReasonIn(language, told);
}

/** What happened, and before that why the attempt is made. */
function detailOf(
  { reason, cancel_reason, ended_at, outcome, detail }: CallHistoryRow,
  wording: ReasonWording,
  language: Language,
): Pick<CallHistory, 'detail' | 'detailCode'> {
  const isStopped = cancel_reason !== null && (outcome === 'cancelled' || ended_at === null);
  const said = isStopped ? cancel_reason : detail === '' ? reason : null;
  if (said !== null) {
    const worded = wording.wordedStored(said);
    return { detail: worded.reason, detailCode: worded.reasonCode };
  }
  const told = reasonIn(detail);
  if (told !== undefined) return { detail: providerReasonIn(language, told), detailCode: told.code };
  return { detail: outcomeIn(language, outcome ?? 'sent', wording.withNames(detail)), detailCode: undefined };
}

/** By id of a cause: the alarm it is about. */
type Alarms = ReadonlyMap<number, number>;

type SeenCause = {
  readonly kind: string;
  readonly alarm_id: number | null;
  readonly history_id: number | null;
  readonly text: string;
};

/** The causes that attempts name, by id, without those of stations that the caller does not see. */
async function causesSeen(
  tx: ReadTx,
  rows: readonly CallHistoryRow[],
  caller: Pick<Caller, 'stationIds'>,
): Promise<ReadonlyMap<number, SeenCause>> {
  const ids = new Set(rows.flatMap((row) => [...causesOf(row), ...announcedBy(row)]));
  if (ids.size === 0) return new Map();
  const causes = await tx.all(selectCauses, { ids: JSON.stringify([...ids]) });
  return new Map(
    causes.filter(({ station_id }) => seesStation(caller, station_id)).map((cause) => [cause.id, cause] as const),
  );
}

const selectCauses = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_causes')
    .select(['id', 'kind', 'alarm_id', 'history_id', 'station_id', 'text'])
    .where(isOneOfIds('id', args.ids, kind)),
);

type FormerCause = NonNullable<(typeof selectFormerCauses)['types']>['row'];

/** The causes as they were before their alarms came again while people were called for them. */
function formerCauses(tx: ReadTx, rows: readonly CallHistoryRow[]): Promise<readonly FormerCause[]> {
  const times = rows.map(({ created_at }) => created_at);
  const alarmIds = JSON.stringify([...new Set(rows.flatMap(({ alarm_id }) => alarm_id ?? []))]);
  return tx.all(selectFormerCauses, { alarmIds, from: Math.min(...times), to: Math.max(...times) });
}

const selectFormerCauses = statement((db, args: { alarmIds: string; from: Instant; to: Instant }, kind) =>
  db
    .selectFrom('call_causes')
    .select(['alarm_id', 'call_id', 'history_id', 'text', 'created_at', 'ended_at'])
    .where(isOneOfIds('alarm_id', args.alarmIds, kind))
    .where('ended_by', '=', sql.lit('raised-again'))
    .where('created_at', '<=', args.to)
    .where('ended_at', '>', args.from)
    .where('call_id', 'is not', null)
    .orderBy('id'),
);

type About = { readonly causes: ReadonlyMap<number, SeenCause>; readonly former: readonly FormerCause[] };

/** The most urgent alarm of the attempt, in its occurrence. Texts of what is no alarm may name what the reader does not see. */
function aboutOf(
  row: CallHistoryRow,
  { causes, former }: About,
  reader: Parameters<typeof textFor>[1],
): Pick<CallHistory, 'text' | 'occurrenceId'> {
  const found = [...causesOf(row), ...announcedBy(row)].flatMap((id) => causes.get(id) ?? []);
  const present = found.find(({ kind, alarm_id }) => kind === 'alarm' && alarm_id === row.alarm_id);
  const before = former.find(
    ({ alarm_id, call_id, created_at, ended_at }) =>
      alarm_id === row.alarm_id &&
      call_id === row.call_id &&
      created_at <= row.created_at &&
      row.created_at < (ended_at ?? 0),
  );
  const ofAlarm = present === undefined ? undefined : (before ?? present);
  return {
    text: ofAlarm === undefined ? undefined : textFor(ofAlarm.text, reader),
    occurrenceId: ofAlarm?.history_id ?? undefined,
  };
}

function causesOf(row: CallHistoryRow): readonly number[] {
  return triesOf(row).map(({ causeId }) => causeId);
}

function announcedBy({ announced_causes }: CallHistoryRow): readonly number[] {
  return announced_causes === null ? [] : (JSON.parse(announced_causes) as readonly number[]);
}

/** Whether the actor is no user, or one whom the caller sees. */
function seesActor(actor: string | null, visibility: Visibility): boolean {
  const [, id] = /^user:(\d+)$/.exec(actor ?? '') ?? [];
  return id === undefined || visibility.seesPerson(Number(id));
}

function idsOf(causeIds: readonly number[], alarms: Alarms): readonly number[] {
  return [...new Set(causeIds.flatMap((id) => alarms.get(id) ?? []))].toSorted((a, b) => a - b);
}

/** Without what is worded for the reader. */
function historyOf(
  row: CallHistoryRow,
  alarms: Alarms,
): Omit<CallHistory, 'text' | 'occurrenceId' | 'reason' | 'detail' | 'detailCode'> {
  const isOfEarlierVersion = row.tries === '[]' && row.announced_causes === null;
  return {
    id: row.id,
    callId: row.call_id,
    cause: row.cause,
    alarmId: row.alarm_id ?? undefined,
    alarmIds: isOfEarlierVersion ? undefined : idsOf([...causesOf(row), ...announcedBy(row)], alarms),
    announcedAlarmIds: row.announced_causes === null ? undefined : idsOf(announcedBy(row), alarms),
    priority: row.alarm_id === null ? undefined : row.priority,
    callGroupId: row.group_id ?? undefined,
    userId: row.user_id,
    user: row.user_name,
    channel: row.channel,
    address: row.address,
    attempt: row.attempt,
    status: Number(row.status),
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    rangAt: row.rang_at ?? undefined,
    answeredAt: row.answered_at ?? undefined,
    provider: undefined,
    providers: [],
    deliveredAt: row.delivered_at ?? undefined,
    readAt: row.read_at ?? undefined,
    ackAt: row.ack_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    outcome: row.outcome ?? undefined,
    endedBy: row.ended_by ?? undefined,
    acknowledged: JSON.parse(row.acknowledged),
  };
}
