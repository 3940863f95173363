// English texts of the history, and of the last 30 days of an alarm.

import { plural } from '../plural.ts';

export const history = {
  title: 'History',
  server: 'Data server',
  tagGroup: 'Tag group',
  group: 'Group called',
  alarm: 'Alarm',
  export: (count: number) => `Export ${plural(count, 'row', 'rows')}`,
  none: 'No alarm was raised in this period.',
  goesOn: 'goes on',
  columns: {
    raised: 'Raised',
    message: 'Message',
    stood: 'Stood',
    reaction: 'Reaction',
    intervention: 'Intervention',
    takenBy: 'Taken by',
    comment: 'Comment',
  },
};

export const month = {
  title: 'Last 30 days',
  today: 'today',
  before: (count: number) => (count === 0 ? 'never before' : `${plural(count, 'time', 'times')} before`),
  stood: (duration: string) => `stood ${duration} on average`,
  taken: (duration: string) => `taken in ${duration}`,
  takenBy: (name: string, duration: string) => `${name} after ${duration}`,
  notTaken: 'not acknowledged',
  all: 'Open in the history',
};
