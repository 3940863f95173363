// The message catalogue in German. Pure.

import type { ItemKind, StationCount, Words } from './words.ts';

const greetings: Readonly<Record<ItemKind, string>> = {
  alarm: 'einem Alarm. Drücken Sie 1, um ihn',
  message: 'einer Nachricht. Drücken Sie 1, um sie',
  test: 'einem Test. Drücken Sie 1, um ihn',
};
const items: Readonly<Record<ItemKind, string>> = { alarm: 'Alarm', message: 'Nachricht', test: 'Test' };

function perStation(stations: readonly StationCount[]): string {
  const [only] = stations;
  if (stations.length < 2) return only === undefined ? '' : `, alle von ${only.station}`;
  return `: ${stations.map(({ station, count }) => `${count} von ${station}`).join(', ')}`;
}

export const german: Words = {
  greeting: (name, kind, site) =>
    `Guten Tag${name === '' ? '' : ` ${name}`}, hier ist ${site} mit ${greetings[kind]} zu hören.`,
  pressOne: 'Drücken Sie 1, um zu hören, worum es geht.',
  pin: 'Geben Sie Ihre PIN ein und enden Sie mit der Rautetaste.',
  wrongPin: 'Diese PIN ist falsch. Versuchen Sie es noch einmal.',
  locked: 'Diese PIN ist falsch. Auf Wiederhören.',
  bundle: (total, stations) => `Es sind ${total}${perStation(stations)}.`,
  nth: (n, total, kind) => `${items[kind]} ${n} von ${total}:`,
  menu: 'Drücken Sie 1, um ihn zu übernehmen, 2 gehört, aber weiter rufen, 3 ablehnen, 4 wiederholen, 5 nächster, 6 später anrufen.',
  allOfIt: 'Das ist der Anfang. Drücken Sie 4 für alles.',
  takeAllKey: 'Drücken Sie 9, um alle zu übernehmen.',
  newsMenu:
    'Drücken Sie 1, um zu bestätigen, dass Sie es gehört haben, 3 ablehnen, 4 wiederholen, 5 nächste, 6 später anrufen.',
  takeAll: (count, stations) =>
    `Sie übernehmen damit ${count === 1 ? 'einen Alarm' : `${count} Alarme`}${perStation(stations)}. Drücken Sie 1 zur Bestätigung, eine andere Taste führt zurück.`,
  notTaken: 'Es wurde nichts übernommen.',
  taken: (count) => `Sie haben ${count === 1 ? 'ihn' : `${count} Alarme`} übernommen. Danke.`,
  takenBy: (name) => `${name} hat ihn übernommen.`,
  takenByYou: 'Sie haben ihn schon übernommen.',
  othersTakenBy: (name, count) => `${name} hat ${count === 1 ? 'einen anderen' : `${count} andere`} übernommen.`,
  othersOver: (count) => `${count === 1 ? 'Ein anderer ist' : `${count} andere sind`} schon vorbei.`,
  somebodyElse: 'Jemand anderes',
  over: 'Es ist schon vorbei.',
  confirmed: 'Bestätigt. Danke.',
  thanks: 'Danke.',
  heard: (others) =>
    `Gehört.${others === 'nobody' ? ' Sonst wird jetzt niemand gerufen.' : ' Andere werden weiter gerufen.'}`,
  declined: (others) =>
    `Abgelehnt.${{ next: ' Der Nächste wird gerufen.', others: ' Andere werden gerufen.', nobody: ' Sonst wird jetzt niemand gerufen.' }[others]}`,
  later: 'Sie werden in fünf Minuten wieder angerufen.',
  notLater: (others) => `Sie werden dafür nicht mehr angerufen.${others === 'nobody' ? '' : ' Andere werden gerufen.'}`,
  onlyTest: 'Das war nur ein Test.',
  goodbye: 'Auf Wiederhören.',
  ofTotal: (n, total) => `${n} von ${total}:`,
  more: (count) => `und ${count} weitere`,
  moreCharacters: (count) => `... (${count} weitere Zeichen)`,
  replyToConfirm: (code) => `Antworten Sie ${code}, um zu bestätigen, dass Sie es gelesen haben.`,
  replyToTake: (code, alarms, isAll) => {
    if (isAll) return `Antworten Sie ${code}, um ${alarms === 1 ? 'ihn' : 'sie'} zu übernehmen.`;
    return `Antworten Sie ${code}, um ${alarms === 1 ? 'den Alarm' : `die ${alarms} Alarme`} oben zu übernehmen.`;
  },
  howToAnswer: 'Senden Sie 1 für übernehmen, 2 gehört, 3 ablehnen, und den Code der Nachricht.',
  sendCode: 'Senden Sie auch den Code der Nachricht, auf die Sie antworten.',
  nothingToAnswer: 'Es gibt nichts zu beantworten.',
  untaken: (text) => `Niemand hat das übernommen: ${text}`,
  back: (text) => `Wieder normal: ${text}`,
  acknowledged: (text) => `Quittiert: ${text}`,
  test: (text) => `Test: ${text}`,
  testCall: 'das ist ein Testanruf',
  drill: 'das ist eine Übung',
  number: (number) => `Nachricht ${number}`,
  onDuty: (text) => `Sie haben jetzt Bereitschaft: ${text}`,
  offDuty: (text) => `Sie haben keine Bereitschaft mehr: ${text}`,
  until: (time) => `bis ${time}`,
  withCode: (text, code) => `${text}\nDer Code ist ${code}.`,
  ringIn: (site) => `Hier ist ${site}. Geben Sie Ihre Benutzernummer ein und schließen Sie mit der Rautetaste ab.`,
  ringInRefused: 'Das ist nicht richtig.',
  nothingOpen: 'Für Sie ist nichts offen.',
  recording: (text) => `Aufnahme: ${text}`,
  verificationCode: (code) => `Ihr Code zur Bestätigung dieser Nummer: ${code}. Er gilt 15 Minuten.`,
  confirmAddress: 'Bestätigen Sie Ihre Adresse',
  tooManyCodes: 'Von Ihrer Adresse kamen zu viele falsche Codes. Antworten Sie über den Link oder am Telefon.',
  priority: (priority) => `Priorität ${priority}`,
  whatToDo: (instructions) => `Zu tun: ${instructions}`,
  takeIt: 'Übernehmen',
  heardIt: 'Gehört, weiter rufen',
  declineIt: 'Ablehnen',
  confirmIt: 'Bestätigen, dass ich es gelesen habe',
  answerHere: 'Hier antworten:',
  whatHappened: 'Was geschah:',
  replyToMail: (code, hasAlarms) =>
    hasAlarms
      ? `Antworten Sie auf diese Mail mit 1 für übernehmen, 2 gehört, 3 ablehnen (Code ${code}).`
      : `Antworten Sie auf diese Mail mit 1, um zu bestätigen, dass Sie es gelesen haben (Code ${code}).`,
  fileMissing: (name) => `Die Datei ${name} ist nicht angehängt: es gibt sie nicht.`,
  fileTooLarge: (name) => `Die Datei ${name} ist nicht angehängt: sie ist zu groß.`,
  notTakenYet: 'Noch hat ihn niemand übernommen.',
  wrongLink: 'Dieser Link ist falsch oder zu alt. Es wurde nichts geändert.',
  noLongerYours: 'Sie werden hier nicht mehr gerufen. Es wurde nichts geändert.',
  closePage: 'Sie können diese Seite schließen.',
};
