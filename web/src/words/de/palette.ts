// German texts of the command palette.

import type { Words } from '../words.ts';

export const palette: Words['palette'] = {
  title: 'Suchen und handeln',
  hint: 'Alarme, Orte, Aktionen',
  sections: { alarms: 'Alarme', do: 'Tun', goTo: 'Gehe zu' },
  now: 'jetzt',
  earlier: (times: number) => (times === 1 ? 'einmal in der Historie' : `${times}-mal in der Historie`),
  acknowledge: (alarm: string) => `„${alarm}“ quittieren`,
  mask: (alarm: string) => `„${alarm}“ ausblenden für…`,
  explain: (alarm: string) => `Wer für „${alarm}“ gerufen wird, und warum`,
  call: (alarm: string) => `Jemanden wegen „${alarm}“ anrufen`,
  person: 'Einsätze',
  group: 'Bereitschaft',
  media: 'Datei',
  nothing: 'Nichts enthält diese Wörter.',
};
