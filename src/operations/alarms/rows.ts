// The row sets that changes of alarms write: one statement per table, however many alarms change.

import { actionLists, callTypes, isViewOnly } from '../../domain/alarms/actions.ts';
import type { AlarmDefinition } from '../../domain/alarms/definition.ts';
import { addRows, deleteRows, insertRows, updateRows } from '../../store/row-batch.ts';

/**
 * Columns that the list indexes cover; when one is set, SQLite removes the alarm from the indexes and inserts it again.
 */
const listed = { state: 'int', next_due: 'int', mask_until: 'int' } as const;

/** Columns that every further occurrence changes. */
const occurrence = {
  raised_at: 'int',
  source_time: 'int',
  last_change: 'int',
  occurrence_id: 'int',
  occurrences: 'int',
  active_ms: 'int',
  noted_raise: 'int',
  longest_gap: 'int',
  unacknowledged_since: 'int',
  last_event_id: 'int',
} as const;

const unlisted = {
  ...occurrence,
  is_latched: 'int',
  pending_since: 'int',
  mask_reason: 'text',
  mask_by: 'text',
  ack_time: 'int',
  ack_user: 'text',
  ack_user_id: 'int',
  reset_time: 'int',
  comment: 'text',
  series_id: 'int',
  text_id: 'int',
  occurrence_group_id: 'int',
  value: 'text',
  words: 'text',
} as const;

const life = { ...listed, ...unlisted } as const;

const definition = { tag_group_id: 'int', priority: 'int', definition: 'text' } as const;

const identity = {
  id: 'int',
  station_id: 'int',
  data_server_id: 'int',
  path: 'text',
  name: 'text',
  created_at: 'int',
} as const;

const id = { id: 'int' } as const;
const location = { station_id: 'int', data_server_id: 'int', tag_group_id: 'int' } as const;

export const alarmRows = {
  insert: insertRows('alarms', { ...identity, ...definition, ...life }),
  updateLife: updateRows('alarms', id, life),
  /** For an alarm that stays in its lists. */
  updateUnlisted: updateRows('alarms', id, unlisted),
  /**
   * For an alarm of which nothing else changed: PostgreSQL does some work for each column sent, even if its value stays
   * the same.
   */
  updateOccurrence: updateRows('alarms', id, occurrence),
  updateDefinition: updateRows('alarms', id, definition),
  rename: updateRows('alarms', id, { name: 'text' }),
  remove: deleteRows('alarms', id),
};

export const alarmWordRows = {
  insert: insertRows('alarm_words', { word: 'text', alarm_id: 'int' }),
  remove: deleteRows('alarm_words', { word: 'text', alarm_id: 'int' }),
};

export const alarmActionRows = {
  insert: insertRows('alarm_actions', { alarm_id: 'int', list: 'text', place: 'int', type: 'text', target_id: 'int' }),
  remove: deleteRows('alarm_actions', { alarm_id: 'int' }),
};

export const historyRows = {
  insert: insertRows('alarm_histories', {
    ...id,
    alarm_id: 'int',
    ...location,
    series_id: 'int',
    text_id: 'int',
    nth: 'int',
    active_before: 'int',
    priority: 'int',
    code: 'int',
    raised_at: 'int',
    reset_at: 'int',
    comment: 'text',
  }),
  close: updateRows('alarm_histories', id, { reset_at: 'int' }),
  acknowledge: updateRows('alarm_histories', id, {
    ack_at: 'int',
    ack_user_id: 'int',
    ack_user: 'text',
    comment: 'text',
  }),
  comment: updateRows('alarm_histories', id, { comment: 'text' }),
  remove: deleteRows('alarm_histories', id),
};

export const historyTextRows = {
  insert: insertRows('history_texts', {
    ...id,
    alarm_id: 'int',
    tag_name: 'text',
    message: 'text',
    last_entry_id: 'int',
  }),
  end: updateRows('history_texts', id, { last_entry_id: 'int' }),
  insertWords: insertRows('history_text_words', { word: 'text', text_id: 'int' }),
};

export const commentWordRows = {
  insert: insertRows('history_comment_words', { word: 'text', history_id: 'int' }),
  removeAll: deleteRows('history_comment_words', { history_id: 'int' }),
};

export const historySeriesRows = {
  insert: insertRows('history_series', {
    ...id,
    alarm_id: 'int',
    ...location,
    first_raised: 'int',
    noted_raise: 'int',
    longest_gap: 'int',
  }),
  note: updateRows('history_series', id, { noted_raise: 'int', longest_gap: 'int' }),
  end: updateRows('history_series', id, { ended_at: 'int' }),
};

/** The columns that name a time bucket. */
const bucket = { level: 'int', step: 'int' } as const;

export const historyCountRows = {
  add: addRows('history_counts', { ...bucket, ...location }, { entries: 'sum', min_id: 'least', max_id: 'greatest' }),
};

export const interventionCountRows = {
  add: addRows(
    'intervention_counts',
    { level: 'int', part: 'int', part_id: 'int', step: 'int', user_id: 'int', station_id: 'int' },
    { interventions: 'sum', reaction_ms: 'sum', finished: 'sum', intervention_ms: 'sum' },
  ),
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
