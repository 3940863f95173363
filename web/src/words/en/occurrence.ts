// English texts of the page of one occurrence.

import { plural } from '../plural.ts';

export const occurrence = {
  title: 'One occurrence',
  print: 'Print',
  alarmNow: 'The alarm now',
  raised: 'Raised',
  stood: 'Stood',
  standing: 'Standing',
  takenBy: 'Taken by',
  nobody: 'nobody',
  nobodyYet: 'nobody yet',
  after: (duration: string, way: string) => `after ${duration}${way === '' ? '' : `, ${way}`}`,
  byTry: (channel: string, attempt: number) => `${channel}, try ${attempt}`,
  until: (time: string) => `until ${time}`,
  goesOn: 'goes on',
  called: 'Called',
  people: (count: number) => plural(count, 'person', 'people'),
  attempts: (count: number) => plural(count, 'attempt', 'attempts'),
  whatHappened: 'What happened',
  whoWasCalled: 'Who was called',
  nobodyCalled: 'Nobody was called.',
  notCalled: 'Why not the others',
  takenBefore: 'it was taken before their turn',
  notCalledMeans: 'By the plan and the numbers as they are now, at the time of the alarm.',
  missing: {
    gone: 'More is not kept of it: the alarm was removed, or its events are too old.',
    older: 'The newest 1,000 events are shown; there were more before them.',
  },
  notFound: 'There is no such occurrence, or you may not see it.',
  toHistory: 'To the history',
  printed: (time: string) => `Printed ${time}`,
};
