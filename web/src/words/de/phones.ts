// German texts of the simulated phones.

import type { Words } from '../words.ts';

export const phones: Words['phones'] = {
  title: 'Telefone',
  simulatorOn: 'SIMULATOR AN',
  means: 'Nummern, die kein anderer Kanal bedient, klingeln hier. Nichts verlässt diese Maschine.',
  none: 'Noch hat kein Telefon geklingelt.',
  ringing: 'KLINGELT',
  inCall: 'IM GESPRÄCH',
  inTheCall: 'im Gespräch',
  calling: 'Tocsin ruft an',
  letRing: 'Auflegen',
  answer: 'Abheben',
  hangUp: 'Auflegen',
  onDuty: (groups: string) => `Dienst für ${groups}`,
  offDuty: 'kein Dienst',
  replyAs: (name: string) => `Antworten als ${name}…`,
  send: 'Senden',
  keys: {
    '1': 'nehmen',
    '2': 'gehört',
    '3': 'ablehnen',
    '4': 'nochmal',
    '5': 'weiter',
    '6': 'später',
    '9': 'alle',
    '0': 'Hilfe',
  },
};
