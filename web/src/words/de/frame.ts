// German texts of marks, rail, banner, stale bar and help.

import type { MarkState } from '../../components/mark.tsx';
import { plural } from '../plural.ts';
import type { Words } from '../words.ts';

const stateWords = (state: number, masked: boolean): string => {
  if (masked) return 'ausgeblendet';
  return ['in Ruhe', 'aktiv, quittiert', 'behoben, nicht quittiert', 'aktiv, nicht quittiert'][state] ?? '';
};

export const mark: Words['mark'] = {
  priority: (priority: number) => `Priorität ${priority}`,
  system: 'Tocsin selbst',
  state: stateWords,
  label: ({ priority, state, masked, system }: MarkState) =>
    `${system ? 'System, Priorität' : 'Priorität'} ${priority}, ${stateWords(state, masked)}`,
};

export const screens: Words['screens'] = {
  alarms: 'Alarme',
  history: 'Verlauf',
  statistics: 'Statistik',
  onCall: 'Bereitschaft',
  calls: 'Anrufe',
  phones: 'Telefone',
  directory: 'Verzeichnis',
  system: 'System',
  more: 'Mehr',
  account: 'Konto',
  skip: 'Zur Liste springen',
};

export const unknownAddress = {
  title: 'Unter dieser Adresse ist nichts',
  means: (address: string) => `Keine Ansicht der Konsole heißt „${address}“.`,
  nearest: 'Vielleicht meinen Sie',
};

export const banner: Words['banner'] = {
  counts: (priority: string, unacknowledged: number, active: number) =>
    `${priority}: ${unacknowledged} nicht quittiert, ${active} aktiv`,
  newest: 'Neuester dringender',
  ago: (age: string) => `vor ${age}`,
  calm: (age: string) => `Keine Alarme. Die letzte Nachricht kam vor ${age}.`,
  noUrgent: (age: string) => `Nichts ist zu quittieren. Die letzte Nachricht kam vor ${age}.`,
  rate: '/10 min',
  normal: 'normal',
  flood: 'FLUT',
  onCall: 'Bereitschaft',
  nobody: 'niemand',
  locked: 'niemand wird gerufen',
  onDuty: (groups: string, until: string) =>
    `Sie haben Bereitschaft für ${groups}${until === '' ? '' : ` bis ${until}`}`,
  notOnDuty: 'Sie haben keine Bereitschaft',
  noGroups: 'noch keine Gruppen',
  more: (count: number) => `+${count}`,
  masked: (count: number) => plural(count, 'ausgeblendeter Alarm', 'ausgeblendete Alarme'),
  live: 'Live',
  noNews: 'Nichts Neues',
  connecting: 'Verbindet',
  soundOn: 'Ton ist an: für 10 Minuten stumm',
  soundOff: 'Ton ist aus, bis Sie klicken',
  fast: (by: string) => `Diese Uhr geht ${by} vor`,
  slow: (by: string) => `Diese Uhr geht ${by} nach`,
  wrongClockMeans: 'Das Alter der Alarme und das Ende von Ausblendungen werden nach der Uhr dieses Rechners berechnet.',
  trySounds: 'Töne ausprobieren',
  silencedFrom: [
    'alle Prioritäten',
    'Priorität 2 und darunter',
    'Priorität 3 und darunter',
    'Priorität 4 und darunter',
    'Tocsin selbst',
  ],
  silentUntil: (time: string) => `Stumm bis ${time}`,
  silenced: (what: string, time: string) =>
    `Stumm: ${what}, bis ${time}. Ein neuer Alarm der Priorität 1 ertönt. Drücken, um wieder zu hören.`,
};

export const stale: Words['stale'] = {
  title: (time: string) => `Nichts Neues seit ${time} — diese Liste kann falsch sein`,
  never: 'Noch keine Verbindung zum Server: nichts ist bekannt',
  heard: (duration: string) => `Der Server hat seit ${duration} nichts gesagt.`,
  retry: (seconds: number, attempt: number) => `Nächster Versuch in ${seconds} s, Versuch ${attempt}.`,
  trying: 'Versucht es jetzt.',
  calls: 'Alarme rufen auch ohne diesen Bildschirm an.',
  catchingUp: (time: string) => `Liest nach, was fehlt seit ${time}`,
  now: 'Jetzt versuchen',
  tab: '⚠ Nichts Neues',
  callInstead: 'Keine Verbindung. Drücken Sie stattdessen im Anruf die 1.',
  actionsOff: 'Nichts Neues vom Server',
};

export const help: Words['help'] = {
  title: 'Tasten',
  off: 'Tasten sind aus',
  on: 'Tasten sind an',
  rows: [
    ['j  k  ↓  ↑', 'bewegen'],
    ['Enter', 'öffnen'],
    ['x  Leertaste', 'wählen'],
    ['Umschalt ↓ ↑', 'Auswahl erweitern'],
    ['a', 'quittieren'],
    ['Shift a', 'mit Kommentar quittieren'],
    ['s', 'ausblenden'],
    ['c', 'kommentieren'],
    ['e', 'erklären, wer gerufen wird'],
    ['m', 'stumm'],
    ['1 … 9', 'Ansichten'],
    ['Ctrl K', 'suchen und handeln'],
    ['/', 'suchen'],
    ['g  a h t o c p s', 'zu einem Bildschirm'],
    ['Esc', 'schließen'],
    ['?', 'diese Hilfe'],
  ],
};
