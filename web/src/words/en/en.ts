// The English catalogue of the console.

import { actions, alarms, calling, mask, panel } from './alarms.ts';
import { calls } from './calls.ts';
import { firstStart } from './first-start.ts';
import { banner, help, mark, screens, stale, unknownAddress } from './frame.ts';
import { history, month } from './history.ts';
import { lists, screenFailed, trouble } from './lists.ts';
import { occurrence } from './occurrence.ts';
import { contact, onCall } from './on-call.ts';
import { palette } from './palette.ts';
import { period } from './period.ts';
import { phones } from './phones.ts';
import { signIn } from './sign-in.ts';
import { statistics } from './statistics.ts';
import { system } from './system.ts';
import { timeline } from './timeline.ts';

export const en = {
  locale: 'en-GB',
  languageName: 'English',
  mark,
  screens,
  unknownAddress,
  signIn,
  firstStart,
  banner,
  stale,
  lists,
  screenFailed,
  trouble,
  alarms,
  calling,
  actions,
  panel,
  timeline,
  mask,
  history,
  month,
  occurrence,
  period,
  statistics,
  onCall,
  contact,
  calls,
  system,
  phones,
  help,
  palette,
};
