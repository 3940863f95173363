// Reads the details of a mail that its message lacks: priority, place and instructions of each item, and the files that alarms and messages name.

import { type AnnouncedItem, alarmIdsOf, isAlarmItem } from '../../../domain/calls/announced.ts';
import { isOneOfIds, statement } from '../../../store/statement.ts';
import type { Query, ReadTx } from '../../../store/store.ts';
import { findAlarmRecords } from '../../alarms/queries.ts';
import type { AlarmRecord } from '../../alarms/record.ts';
import { findMedia, loadContent } from '../../media/queries.ts';

type MailDetails = {
  readonly items: readonly {
    readonly priority: number;
    readonly place: string;
    readonly instructions: string;
    /** The entry of the history of alarms; undefined for what is no alarm. */
    readonly occurrenceId: number | undefined;
  }[];
  readonly files: readonly { readonly name: string; readonly type: string; readonly bytes: Uint8Array }[];
  readonly missingFiles: readonly string[];
  readonly tooLargeFiles: readonly string[];
};

type Wanted = { readonly items: readonly AnnouncedItem[]; readonly mostBytes: number };

export const getMailDetails: Query<Wanted, MailDetails> = {
  name: 'get-mail-details',
  async run(tx, { items, mostBytes }) {
    const causes = await tx.all(selectCauses, { ids: JSON.stringify(items.flatMap(causeIdOf)) });
    const alarmIds = [...alarmIdsOf(items), ...causes.flatMap(({ alarm_id }) => alarm_id ?? [])];
    const alarms = new Map((await findAlarmRecords(tx, alarmIds)).map((alarm) => [alarm.id, alarm]));
    const stations = await stationNames(tx, [...alarms.values()]);
    const found = items.map((item) => {
      const cause = isAlarmItem(item) ? undefined : causes.find(({ id }) => id === item.causeId);
      const alarm = alarms.get(isAlarmItem(item) ? item.alarmId : (cause?.alarm_id ?? 0));
      const file = isAlarmItem(item) ? alarm?.definition.alarm.attachedFile : fileOf(cause, alarm);
      const instructions = isAlarmItem(item) ? (alarm?.definition.instructions ?? '') : '';
      const occurrenceId = isAlarmItem(item) ? alarm?.occurrenceId : (cause?.history_id ?? undefined);
      const place = placeOf(alarm, stations);
      return { file: file ?? '', priority: alarm?.priority ?? 0, place, instructions, occurrenceId };
    });
    const names = [...new Set(found.map(({ file }) => file).filter((name) => name !== ''))];
    const read = await readFiles(tx, names, mostBytes);
    return { items: found.map(({ file: _, ...item }) => item), ...read };
  },
};

function causeIdOf(item: AnnouncedItem): readonly number[] {
  return isAlarmItem(item) ? [] : [item.causeId];
}

type CauseRow = { readonly kind: string; readonly list: string; readonly file: string | null };

/** A return to normal and an acknowledgement have files of their own; a message has its own. */
function fileOf(cause: CauseRow | undefined, alarm: AlarmRecord | undefined): string | undefined {
  if (cause === undefined || cause.kind !== 'alarm') return cause?.file ?? undefined;
  return cause.list === 'reset' || cause.list === 'ack' ? alarm?.definition[cause.list].attachedFile : undefined;
}

/** The station, and the zone in it if the alarm has one. */
function placeOf(alarm: AlarmRecord | undefined, stations: ReadonlyMap<number, string>): string {
  if (alarm === undefined) return '';
  const { location } = alarm.definition;
  const zone = typeof location === 'object' && location !== null && 'zone' in location ? location.zone : '';
  const parts = [stations.get(alarm.stationId) ?? '', typeof zone === 'string' ? zone : ''];
  return parts.filter((part) => part !== '').join(' ');
}

async function stationNames(tx: ReadTx, alarms: readonly AlarmRecord[]): Promise<ReadonlyMap<number, string>> {
  const ids = JSON.stringify([...new Set(alarms.map(({ stationId }) => stationId))]);
  return new Map((await tx.all(selectStations, { ids })).map(({ id, name }) => [id, name]));
}

/** Reads the files in their order, as long as there is room; a name that nobody stored is missing. */
async function readFiles(tx: ReadTx, names: readonly string[], mostBytes: number) {
  const files: { name: string; type: string; bytes: Uint8Array }[] = [];
  const [missingFiles, tooLargeFiles]: [string[], string[]] = [[], []];
  let room = mostBytes;
  for (const name of names) {
    const described = await findMedia(tx, name);
    const hasRoom = described !== undefined && described.size <= room;
    const content = hasRoom ? await loadContent(tx, name) : undefined;
    if (content === undefined) {
      (described === undefined ? missingFiles : tooLargeFiles).push(name);
      continue;
    }
    files.push({ name, ...content });
    room -= content.bytes.length;
  }
  return { files, missingFiles, tooLargeFiles };
}

const selectCauses = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('call_causes')
    .leftJoin('call_messages', 'call_messages.id', 'call_causes.message_id')
    .select(['call_causes.id', 'kind', 'list', 'alarm_id', 'history_id', 'call_messages.file'])
    .where(isOneOfIds('call_causes.id', args.ids, kind)),
);

const selectStations = statement((db, args: { ids: string }, kind) =>
  db
    .selectFrom('stations')
    .select(['id', 'name'])
    .where(isOneOfIds('id', args.ids, kind)),
);
