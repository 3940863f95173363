// The English catalogue of the console.

import { actions, alarms, calling, mask, panel } from './alarms.ts';
import { calls } from './calls.ts';
import { banner, help, mark, screens, stale } from './frame.ts';
import { history } from './history.ts';
import { palette } from './palette.ts';
import { phones } from './phones.ts';
import { signIn } from './sign-in.ts';
import { system } from './system.ts';
import { timeline } from './timeline.ts';

export const en = {
  locale: 'en-GB',
  languageName: 'English',
  mark,
  screens,
  signIn,
  banner,
  stale,
  alarms,
  calling,
  actions,
  panel,
  timeline,
  mask,
  history,
  calls,
  system,
  phones,
  help,
  palette,
};
