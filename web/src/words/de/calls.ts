// German texts of the calls.

import { plural } from '../plural.ts';
import type { Words } from '../words.ts';

export const calls: Words['calls'] = {
  title: 'Anrufe',
  underWay: (calling: number, waiting: number) => `${calling} laufen · ${plural(waiting, 'wartet', 'warten')}`,
  none: 'Niemand wird angerufen.',
  somebody: 'Jemanden anrufen',
  whom: 'Wen',
  text: 'Text',
  notAll: 'Nicht alle konnten gerufen werden: jemand hat keine brauchbare Nummer, oder niemand hat Dienst.',
  round: (round: number) => `Runde ${round}`,
  more: (count: number) => `${count} weitere`,
  relief: 'Ablösung',
  tryOf: (attempt: string) => `Versuch ${attempt.replace('/', ' von ')}`,
  acknowledgeFor: 'Quittieren für…',
  step: {
    calling: 'wird angerufen',
    retrying: 'wird wieder angerufen',
    callBack: 'will später angerufen werden',
    gathering: 'bekommt bald einen Text',
    reached: 'erreicht, noch nicht übernommen',
    lineInUse: 'die Leitung ist belegt',
    limited: 'eine Grenze ist erreicht',
    channelDown: 'der Kanal ist gestört',
    throttled: 'wurde zu oft gerufen',
    heard: 'hat es gehört',
    failed: 'nicht erreicht',
    notified: 'wurde benachrichtigt',
    ended: 'beendet',
  },
  tried: 'Was versucht wurde',
  columns: {
    time: 'Zeit',
    person: 'Person',
    channel: 'Kanal',
    number: 'Nummer',
    attempt: 'Versuch',
    outcome: 'Ausgang',
    detail: 'Einzelheit',
    took: 'Dauer',
  },
  outcome: {
    underWay: 'läuft',
    taken: 'quittiert',
    reached: 'erreicht',
    delivered: 'zugestellt',
    unanswered: 'nicht abgehoben',
    failed: 'fehlgeschlagen',
  },
};
