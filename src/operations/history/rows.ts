// The row sets that changes of histories write: occurrences, their texts and series, and the roll-ups.

import { addRows, deleteRows, insertRows, updateRows } from '../../store/row-batch.ts';

const id = { id: 'int' } as const;
const location = { station_id: 'int', data_server_id: 'int', tag_group_id: 'int' } as const;

/** The columns of a new occurrence. */
export const historyColumns = {
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
} as const;

export const historyRows = {
  insert: insertRows('alarm_histories', { ...historyColumns, event_id: 'int' }),
  leave: updateRows('alarm_histories', id, { event_id: 'int' }),
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
  /** To be given the count zero. */
  removeEmpty: deleteRows('history_counts', { ...bucket, ...location, entries: 'int' }),
  add: addRows('history_counts', { ...bucket, ...location }, { entries: 'sum', min_id: 'least', max_id: 'greatest' }),
};

const interventionKey = {
  level: 'int',
  part: 'int',
  part_id: 'int',
  step: 'int',
  user_id: 'int',
  station_id: 'int',
} as const;

export const interventionCountRows = {
  /** To be given the count zero. */
  removeEmpty: deleteRows('intervention_counts', { ...interventionKey, interventions: 'int' }),
  add: addRows('intervention_counts', interventionKey, {
    interventions: 'sum',
    reaction_ms: 'sum',
    finished: 'sum',
    intervention_ms: 'sum',
  }),
};
