// German texts of the first start and of the demo plant.

import type { Words } from '../words.ts';

export const firstStart: Words['firstStart'] = {
  title: 'Noch klingelt nichts. Soll es?',
  intro:
    'Eine Demoanlage zeigt den ganzen Weg in weniger als einer Minute: Ein Alarm kommt, neben diesem Text klingelt ein Telefon, Sie drücken die 1, und der Alarm gehört Ihnen. Nichts verlässt diesen Rechner.',
  introWithoutPhones:
    'Eine Demoanlage zeigt den ganzen Weg in weniger als einer Minute: Ein Alarm kommt, jemand wird angerufen, und Sie sehen, wer und warum. Nichts verlässt diesen Rechner.',
  ownTitle: 'Noch klingelt nichts.',
  ownIntro:
    'Senden Sie den ersten Alarm mit einer einzigen Anfrage, oder bitten Sie einen Administrator um die Demoanlage.',
  start: 'Demoanlage starten',
  making: 'Die Anlage entsteht…',
  startMeans: '4 Stationen, 96 Messstellen, 8 Personen in 5 Gruppen mit Dienstplan. Mit einem Klick wieder entfernt.',
  see: 'Sehen, wie ein Alarm jemanden anruft',
  seeMeans:
    'In zehn Sekunden läuft Lift station 4 über. Sehen Sie die Liste, und wer als Nächstes angerufen wird und warum.',
  answer: 'Anas Telefon abnehmen und die 1 drücken',
  answerMeans:
    'Der Anruf wird Ihnen vorgelesen. Die 1 übernimmt den Alarm: Alle anderen Anrufe dafür enden binnen zwei Sekunden.',
  calls: 'Den Anruf unter Anrufe sehen',
  callsMeans: 'Telefone werden hier nicht simuliert, darum klingelt nichts. Anrufe zeigt, wer wie erreicht würde.',
  openCalls: 'Anrufe öffnen',
  about: (seconds: number) => `etwa ${seconds} s`,
  inSeconds: (seconds: number) => `in ${seconds} s`,
  now: 'jetzt',
  done: 'erledigt',
  took: (seconds: number) => `Es hat ${seconds} s gedauert. Behalten Sie die Anlage, oder entfernen Sie sie.`,
  keep: 'Anlage behalten',
  remove: 'Entfernen',
  removing: 'Wird entfernt…',
  phoneSoon: 'Anas Telefon, in wenigen Sekunden',
  phoneText: 'Wet well level very high',
  phoneFacts: 'Lift station 4 · 2.64 m',
  phoneName: 'Anas Telefon',
  own: 'Oder beginnen Sie mit Ihrer eigenen Anlage',
  begin: 'Beginnen Sie mit Ihrer eigenen Anlage',
  send: 'Einen Alarm senden',
  sendMeans: 'Eine Anfrage mit curl, OPC oder einem Skript.',
  people: 'Personen anlegen',
  peopleMeans: 'Namen, Nummern, wer wann Dienst hat.',
  key: 'Einen Schlüssel erstellen',
  keyMeans: 'Für jede Maschine, die Alarme sendet.',
  keyMade: 'Der Schlüssel steht in der Zeile darunter. Er endet in einem Tag.',
  copy: 'Zeile kopieren',
  copied: 'Kopiert',
  strip: 'Dies ist eine Demoanlage.',
  stripMeans: 'Ihre Alarme, Personen und Historie sind erfunden.',
  removePlant: 'Demoanlage entfernen',
  removeQuestion:
    'Ihre Stationen, Messstellen, Personen, Gruppen, Historien und Anrufe verschwinden; laufende Anrufe enden. Was bleibt, ist das Protokoll.',
};
