// English texts of marks, rail, banner, stale bar and help.

import type { MarkState } from '../../components/mark.tsx';
import { plural } from '../plural.ts';

const stateWords = (state: number, masked: boolean): string => {
  if (masked) return 'masked';
  return ['at rest', 'active, acknowledged', 'cleared, not acknowledged', 'active, not acknowledged'][state] ?? '';
};

export const mark = {
  priority: (priority: number) => `Priority ${priority}`,
  system: 'Tocsin itself',
  state: stateWords,
  label: ({ priority, state, masked, system }: MarkState) =>
    `${system ? 'System, priority' : 'Priority'} ${priority}, ${stateWords(state, masked)}`,
};

export const screens = {
  alarms: 'Alarms',
  history: 'History',
  statistics: 'Statistics',
  onCall: 'On call',
  calls: 'Calls',
  phones: 'Phones',
  directory: 'Directory',
  system: 'System',
  more: 'More',
  account: 'Account',
  skip: 'Skip to the list',
};

export const unknownAddress = {
  title: 'There is nothing at this address',
  means: (address: string) => `No screen of the console is called ${address}.`,
  nearest: 'You may mean',
};

export const banner = {
  counts: (priority: string, unacknowledged: number, active: number) =>
    `${priority}: ${unacknowledged} not acknowledged, ${active} active`,
  newest: 'Newest urgent',
  ago: (age: string) => `${age} ago`,
  calm: (age: string) => `No alarms. The last news came ${age} ago.`,
  noUrgent: (age: string) => `Nothing waits to be acknowledged. The last news came ${age} ago.`,
  rate: '/10 min',
  normal: 'normal',
  flood: 'FLOOD',
  onCall: 'On call',
  nobody: 'nobody',
  locked: 'nobody is called',
  onDuty: (groups: string, until: string) => `You are on call for ${groups}${until === '' ? '' : ` until ${until}`}`,
  notOnDuty: 'You are not on call',
  noGroups: 'no groups yet',
  more: (count: number) => `+${count}`,
  masked: (count: number) => `${plural(count, 'masked alarm', 'masked alarms')}`,
  live: 'Live',
  noNews: 'No news',
  connecting: 'Connecting',
  soundOn: 'Sound is on: silence for 10 minutes',
  soundOff: 'Sound is off until you click',
  fast: (by: string) => `This clock is ${by} fast`,
  slow: (by: string) => `This clock is ${by} slow`,
  wrongClockMeans: 'Ages and the ends of masks are reckoned by the clock of this machine.',
  trySounds: 'Try the sounds',
  /** By the rank of the most urgent one that is silenced. */
  silencedFrom: [
    'all priorities',
    'priority 2 and below',
    'priority 3 and below',
    'priority 4 and below',
    'Tocsin itself',
  ],
  silentUntil: (time: string) => `Silent until ${time}`,
  silenced: (what: string, time: string) =>
    `Silenced: ${what}, until ${time}. A new priority 1 alarm sounds. Press to hear again.`,
};

export const stale = {
  title: (time: string) => `No news since ${time} — this list may be wrong`,
  never: 'No connection to the server yet: nothing is known',
  heard: (duration: string) => `The server has not been heard for ${duration}.`,
  retry: (seconds: number, attempt: number) => `Trying again in ${seconds} s, try ${attempt}.`,
  trying: 'Trying now.',
  calls: 'Alarms still call people without this screen.',
  catchingUp: (time: string) => `Reading what was missed since ${time}`,
  now: 'Try now',
  tab: '⚠ No news',
  callInstead: 'No connection. Press 1 in the call instead.',
  actionsOff: 'No news from the server',
};

export const help = {
  title: 'Keys',
  off: 'Keys are off',
  on: 'Keys are on',
  rows: [
    ['j  k  ↓  ↑', 'move'],
    ['Enter', 'open'],
    ['x  Space', 'select'],
    ['Shift ↓ ↑', 'extend the selection'],
    ['a', 'acknowledge'],
    ['Shift a', 'acknowledge with a comment'],
    ['s', 'mask'],
    ['c', 'comment'],
    ['e', 'explain who is called'],
    ['m', 'silence'],
    ['1 … 9', 'views'],
    ['Ctrl K', 'find and do'],
    ['/', 'search'],
    ['g  a h t o c p s', 'go to a screen'],
    ['Esc', 'close'],
    ['?', 'this help'],
  ],
};
