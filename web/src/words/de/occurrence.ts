// German texts of the page of one occurrence.

import { plural } from '../plural.ts';
import type { Words } from '../words.ts';

export const occurrence: Words['occurrence'] = {
  title: 'Ein Auftreten',
  print: 'Drucken',
  alarmNow: 'Der Alarm jetzt',
  raised: 'Ausgelöst',
  stood: 'Stand an',
  standing: 'Steht an',
  takenBy: 'Übernommen von',
  nobody: 'niemandem',
  nobodyYet: 'noch niemandem',
  after: (duration: string, way: string) => `nach ${duration}${way === '' ? '' : `, ${way}`}`,
  byTry: (channel: string, attempt: number) => `${channel}, Versuch ${attempt}`,
  until: (time: string) => `bis ${time}`,
  goesOn: 'steht noch an',
  called: 'Gerufen',
  people: (count: number) => plural(count, 'Person', 'Personen'),
  attempts: (count: number) => plural(count, 'Versuch', 'Versuche'),
  whatHappened: 'Was geschah',
  whoWasCalled: 'Wer gerufen wurde',
  nobodyCalled: 'Niemand wurde gerufen.',
  notCalled: 'Warum die anderen nicht',
  takenBefore: 'der Alarm wurde vorher übernommen',
  notCalledMeans: 'Nach Dienstplan und Nummern von heute, zur Zeit des Alarms.',
  missing: {
    gone: 'Mehr ist nicht aufbewahrt: der Alarm wurde entfernt, oder seine Ereignisse sind zu alt.',
    older: 'Gezeigt sind die neuesten 1.000 Ereignisse; davor gab es weitere.',
  },
  notFound: 'Dieses Auftreten gibt es nicht, oder Sie dürfen es nicht sehen.',
  toHistory: 'Zum Verlauf',
  printed: (time: string) => `Gedruckt ${time}`,
};
