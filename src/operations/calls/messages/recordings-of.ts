// Finds the recordings of causes: the sound or file of a message, and the file that the definition of an alarm names.

import type { ActionList } from '../../../domain/alarms/alarm.ts';
import type { AlarmDefinition } from '../../../domain/alarms/definition.ts';
import type { Recording } from '../../../domain/calls/words/recorded-text.ts';
import { isOneOfIds, statement } from '../../../store/statement.ts';
import type { ReadTx } from '../../../store/store.ts';

/** The columns of a cause that decide which recording is played for it. */
export type RecordedCause = {
  readonly kind: string;
  readonly list: string;
  readonly alarm_id: number | null;
  readonly message_id: number | null;
};

/** Whether the files exist and can be played is found out when they are. */
export async function recordingsOf<C extends RecordedCause>(
  tx: ReadTx,
  causes: readonly C[],
): Promise<ReadonlyMap<C, Recording>> {
  const messages = await messagesOf(tx, causes);
  const definitions = await definitionsOf(tx, causes);
  return new Map(
    causes.flatMap((cause) => {
      const sound = messages.get(cause.message_id ?? 0);
      const file = fileOf(definitions.get(cause.alarm_id ?? 0), cause.list);
      const recording = sound ?? (file === '' ? undefined : ({ kind: 'media', name: file } as const));
      return recording === undefined ? [] : [[cause, recording] as const];
    }),
  );
}

function fileOf(definition: AlarmDefinition | undefined, list: string): string {
  return definition?.[list as ActionList]?.vocalMessageFile ?? '';
}

async function messagesOf(tx: ReadTx, causes: readonly RecordedCause[]): Promise<ReadonlyMap<number, Recording>> {
  const ids = causes.flatMap(({ message_id }) => message_id ?? []);
  if (ids.length === 0) return new Map();
  const rows = await tx.all(selectMessages, { ids: JSON.stringify(ids) });
  return new Map(
    rows.flatMap(({ id, file, has_audio }): readonly (readonly [number, Recording])[] => {
      if (has_audio !== 0) return [[id, { kind: 'message', messageId: id }]];
      return file === '' ? [] : [[id, { kind: 'media', name: file }]];
    }),
  );
}

async function definitionsOf(
  tx: ReadTx,
  causes: readonly RecordedCause[],
): Promise<ReadonlyMap<number, AlarmDefinition>> {
  const ids = causes.flatMap(({ kind, alarm_id }) => (kind === 'alarm' ? (alarm_id ?? []) : []));
  if (ids.length === 0) return new Map();
  const rows = await tx.all(selectDefinitions, { ids: JSON.stringify([...new Set(ids)]) });
  return new Map(rows.map(({ id, definition }) => [id, JSON.parse(definition) as AlarmDefinition]));
}

const selectMessages = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_messages')
    .select((eb) => [
      'id',
      'file',
      eb.case().when('audio', '=', '').then(eb.lit(0)).else(eb.lit(1)).end().as('has_audio'),
    ])
    .where(isOneOfIds('id', args.ids, kind)),
);

const selectDefinitions = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('alarms')
    .select(['id', 'definition'])
    .where(isOneOfIds('id', args.ids, kind)),
);
