// The row sets that changes of alarms write: one statement per table, however many alarms change.

import { actionLists, callTypes, isViewOnly } from '../../domain/alarms/actions.ts';
import type { AlarmDefinition } from '../../domain/alarms/definition.ts';
import { deleteRows, insertRows, updateRows } from '../../store/row-batch.ts';
import { type AlarmRow, alarmColumns } from './record.ts';

type Column = keyof AlarmRow;

const identity = ['id', 'station_id', 'data_server_id', 'path', 'created_at'] as const satisfies readonly Column[];

const defined = ['tag_group_id', 'priority', 'definition'] as const satisfies readonly Column[];

/**
 * Columns that the list indexes cover; when one is set, SQLite removes the alarm from the indexes and inserts it again.
 */
const listed = ['state', 'next_due', 'mask_until'] as const satisfies readonly Column[];

/** Columns that every further occurrence changes. */
const ofOccurrence = [
  'raised_at',
  'chatter_until',
  'source_time',
  'reported_at',
  'last_change',
  'occurrence_id',
  'occurrences',
  'active_ms',
  'noted_raise',
  'longest_gap',
  'unacknowledged_since',
  'last_event_id',
] as const satisfies readonly Column[];

const life = without(alarmColumns, [...identity, ...defined, 'name']);
const unlisted = without(life, listed);

const id = { id: 'int' } as const;

export const alarmRows = {
  insert: insertRows('alarms', alarmColumns),
  updateLife: updateRows('alarms', id, life),
  /** For an alarm that stays in its lists. */
  updateUnlisted: updateRows('alarms', id, unlisted),
  /**
   * For an alarm of which nothing else changed: PostgreSQL does some work for each column sent, even if its value stays
   * the same.
   */
  updateOccurrence: updateRows('alarms', id, only(life, ofOccurrence)),
  updateDefinition: updateRows('alarms', id, only(alarmColumns, defined)),
  setDue: updateRows('alarms', id, { next_due: 'int' }),
  rename: updateRows('alarms', id, { name: 'text' }),
  move: updateRows('alarms', id, { station_id: 'int', data_server_id: 'int' }),
  remove: deleteRows('alarms', id),
};

/** The updates of an alarm's life, in the order in which they are written. */
export const lifeUpdates = ['updateLife', 'updateUnlisted', 'updateOccurrence'] as const;

const listedColumns = new Set<Column>(listed);
const furtherColumns = new Set(Object.keys(without(unlisted, ofOccurrence)) as Column[]);

/** Returns the update with the fewest columns that covers all changed ones. */
export function lifeUpdateFor(changed: readonly Column[]): (typeof lifeUpdates)[number] {
  if (changed.some((column) => listedColumns.has(column))) return 'updateLife';
  return changed.some((column) => furtherColumns.has(column)) ? 'updateUnlisted' : 'updateOccurrence';
}

function only<C extends object, const K extends keyof C>(columns: C, names: readonly K[]): Pick<C, K> {
  return Object.fromEntries(names.map((name) => [name, columns[name]])) as Pick<C, K>;
}

function without<C extends object, const K extends keyof C>(columns: C, names: readonly K[]): Omit<C, K> {
  const rest = Object.entries(columns).filter(([name]) => !names.includes(name as K));
  return Object.fromEntries(rest) as Omit<C, K>;
}

export const alarmWordRows = {
  insert: insertRows('alarm_words', { word: 'text', alarm_id: 'int' }),
  remove: deleteRows('alarm_words', { word: 'text', alarm_id: 'int' }),
};

export const alarmActionRows = {
  insert: insertRows('alarm_actions', { alarm_id: 'int', list: 'text', place: 'int', type: 'text', target_id: 'int' }),
  remove: deleteRows('alarm_actions', { alarm_id: 'int' }),
};

/**
 * Returns the rows that index an alarm by the groups and users of its actions; view-only actions are marked as such.
 */
export function actionRows({ id, definition }: { id: number; definition: AlarmDefinition }) {
  return actionLists.flatMap((list) =>
    definition[list].actions.flatMap((action, index) =>
      callTypes.has(action.type)
        ? [
            {
              alarm_id: id,
              list: isViewOnly(action) ? `${list}-sees` : list,
              place: index,
              type: action.type,
              target_id: action.id,
            },
          ]
        : [],
    ),
  );
}
