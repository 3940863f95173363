// An alarm as stored: the columns of its row, and the mapping between the row and the alarm that the domain decides on.

import type { AlarmLife, AlarmState } from '../../domain/alarms/alarm.ts';
import { type AlarmDefinition, rulesOf, sharedDefinition } from '../../domain/alarms/definition.ts';
import { nextDueOf as nextDueOfLife } from '../../domain/alarms/transition.ts';
import {
  type EntityOf,
  entityColumns,
  flag,
  int,
  oneOf,
  optionalInt,
  optionalText,
  type RowOf,
  text,
} from '../../store/entity-columns.ts';

/** The columns of an alarm that are shown to callers, apart from its life and definition. Times are milliseconds since 1970. */
const shownFields = {
  id: int('id'),
  stationId: int('station_id'),
  dataServerId: int('data_server_id'),
  tagGroupId: optionalInt('tag_group_id'),
  path: text('path'),
  name: text('name'),
  priority: int('priority'),
  value: text('value'),
  createdAt: int('created_at'),
  ackTime: optionalInt('ack_time'),
  ackUser: text('ack_user'),
  ackUserId: optionalInt('ack_user_id'),
  resetTime: optionalInt('reset_time'),
  comment: text('comment'),
  occurrenceId: optionalInt('occurrence_id'),
  occurrences: int('occurrences'),
} as const;

/** Further fields, needed to change an alarm. */
const keptFields = {
  /** The words of its texts as domain/search.ts splits them. */
  words: text('words'),
  seriesId: optionalInt('series_id'),
  textId: optionalInt('text_id'),
  /** The total active time of its ended occurrences. */
  activeMs: int('active_ms'),
  /** From the series row: an approximate last raise time, and an upper bound on the gap between raises. */
  notedRaise: int('noted_raise'),
  longestGap: int('longest_gap'),
  /** The tag group of the newest occurrence; the alarm may have moved since. */
  occurrenceGroupId: optionalInt('occurrence_group_id'),
  /** The station and the data server of the newest occurrence, if the alarm has moved to another since. */
  occurrenceStationId: optionalInt('occurrence_station_id'),
  occurrenceServerId: optionalInt('occurrence_server_id'),
  /** No unacknowledged occurrence is older than this; undefined when there is none. */
  unacknowledgedSince: optionalInt('unacknowledged_since'),
  lastEventId: optionalInt('last_event_id'),
  /** What its events call it; undefined if none has shown it as it is now. */
  descriptionId: optionalInt('description_id'),
  /** The newest event of gathered news, when it was told, and when the news that has come since is due. */
  newsEventId: optionalInt('news_event_id'),
  newsAt: optionalInt('news_at'),
  newsDue: optionalInt('news_due'),
  /** The first acknowledgement of the newest occurrence, as its history has it; set once an acknowledgement expired. */
  firstAckTime: optionalInt('first_ack_time'),
  firstAckUserId: optionalInt('first_ack_user_id'),
} as const;

const lifeFields = {
  state: oneOf<AlarmState>()(int('state')),
  isLatched: flag('is_latched'),
  pendingSince: optionalInt('pending_since'),
  chatterUntil: optionalInt('chatter_until'),
  returnSince: optionalInt('return_since'),
  ackUntil: optionalInt('ack_until'),
  raisedAt: optionalInt('raised_at'),
  sourceTime: optionalInt('source_time'),
  reportedAt: optionalInt('reported_at'),
  lastChange: int('last_change'),
} as const;

/** Columns that the domain has in another form. */
const derivedFields = {
  maskUntil: optionalInt('mask_until'),
  maskReason: optionalText('mask_reason'),
  maskBy: optionalText('mask_by'),
  /** The time at which a delay, a mask or an acknowledgement ends next, or at which gathered news is due. */
  nextDue: optionalInt('next_due'),
} as const;

/** JSON of AlarmDefinition. */
const definitionField = { definition: text('definition') } as const;

const shown = entityColumns(shownFields);
const kept = entityColumns({ ...shownFields, ...keptFields });
const life = entityColumns(lifeFields);
const derived = entityColumns(derivedFields);

/** The columns to read of an alarm that is shown, and of one that is changed. */
export const shownColumns = { ...shown.types, ...life.types, ...derived.types, definition: 'text' } as const;
export const alarmColumns = { ...shownColumns, ...kept.types } as const;

/** The columns of a row without its definition, whose text is made only when it is written. */
type StateRow = RowOf<typeof shownFields & typeof keptFields & typeof lifeFields & typeof derivedFields>;
type ShownRow = RowOf<typeof shownFields & typeof lifeFields & typeof derivedFields & typeof definitionField>;
export type AlarmRow = StateRow & RowOf<typeof definitionField>;

type Assembled = {
  readonly definition: AlarmDefinition;
  readonly life: AlarmLife;
  readonly dataServerName: string;
  /** Whether it is an alarm of Tocsin itself. */
  readonly isSystem: boolean;
};

/** An alarm for reading: identity, definition, state and what people added. */
export type StoredAlarm = EntityOf<typeof shownFields> & Assembled;

/** An alarm with the further fields needed to change it. */
export type AlarmRecord = StoredAlarm & EntityOf<typeof keptFields>;

type WithServer = { readonly data_server_name: string; readonly is_system: number };

export function storedAlarmOf(row: ShownRow & WithServer): StoredAlarm {
  return { ...shown.fromRow(row), ...assembled(row) };
}

export function recordOf(row: AlarmRow & WithServer): AlarmRecord {
  return { ...kept.fromRow(row), ...assembled(row) };
}

function assembled(row: ShownRow & WithServer): Assembled {
  const definition = sharedDefinition(JSON.parse(row.definition));
  const { maskUntil: until, maskReason: reason = '', maskBy: by = '' } = derived.fromRow(row);
  return {
    definition,
    life: {
      ...life.fromRow(row),
      rules: rulesOf(definition),
      mask: until === undefined ? undefined : { until, reason, by },
    },
    dataServerName: row.data_server_name,
    isSystem: row.is_system === 1,
  };
}

/** Returns the row of an alarm without its definition. */
export function stateRowOf(alarm: AlarmRecord): StateRow {
  const { mask } = alarm.life;
  return {
    ...kept.toRow(alarm),
    ...life.toRow(alarm.life),
    ...derived.toRow({
      maskUntil: mask?.until,
      maskReason: mask?.reason,
      maskBy: mask?.by,
      nextDue: nextDueOf(alarm),
    }),
  };
}

/**
 * Returns when something is due for the alarm: its life, or news that are to be told. `lead`: what our clock is ahead of that of the
 * database when a mask ends; what is stored may be earlier.
 */
export function nextDueOf(
  { life: ofAlarm, newsDue }: Pick<AlarmRecord, 'life' | 'newsDue'>,
  lead = 0,
): number | undefined {
  return earlier(nextDueOfLife(ofAlarm, lead), newsDue);
}

function earlier(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined || other === undefined ? (one ?? other) : Math.min(one, other);
}

/** The fields of an alarm that has never been raised; a source or a person gives the others. */
export const neverRaised = {
  words: '',
  ackTime: undefined,
  ackUser: '',
  ackUserId: undefined,
  resetTime: undefined,
  comment: '',
  occurrenceId: undefined,
  occurrences: 0,
  seriesId: undefined,
  textId: undefined,
  activeMs: 0,
  notedRaise: 0,
  longestGap: 0,
  occurrenceGroupId: undefined,
  occurrenceStationId: undefined,
  occurrenceServerId: undefined,
  unacknowledgedSince: undefined,
  lastEventId: undefined,
  descriptionId: undefined,
  newsEventId: undefined,
  newsAt: undefined,
  newsDue: undefined,
  firstAckTime: undefined,
  firstAckUserId: undefined,
} as const;
