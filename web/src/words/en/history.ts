// English texts of the history.

import { plural } from '../plural.ts';

export const history = {
  title: 'History',
  day: 'Last 24 h',
  week: '7 days',
  month: '30 days',
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
