// German texts of the sign-in.

import type { Words } from '../words.ts';

export const signIn: Words['signIn'] = {
  title: 'Anmelden',
  name: 'Name',
  password: 'Passwort',
  show: 'Passwort zeigen',
  hide: 'Passwort verbergen',
  shared: 'Gemeinsamer Bildschirm der Leitwarte',
  sharedMeans: 'bleibt angemeldet',
  action: 'Anmelden',
  wait: (seconds: number) => `${seconds} s warten`,
  firstStart: 'Erster Start? Der Name ist',
  firstStartPassword: '. Das Passwort wurde einmal dort ausgegeben, wo der Server gestartet wurde. Verloren:',
  promise: ['Ein Alarm erreicht jemanden, der ihn übernimmt.', 'Oder alle sehen, dass er es nicht tat.'],
  ready: 'Server ist bereit',
  notReady: (what: string) => `Der Server ist nicht bereit: ${what}`,
  noServer: 'Der Server antwortet nicht',
  encrypted: 'Verschlüsselt',
  notEncrypted: 'Nicht verschlüsselt',
  theme: 'Farben',
  light: 'Hell',
  dark: 'Dunkel',
  highContrast: 'Hoher Kontrast',
  ended: 'Ihre Sitzung ist beendet',
  endedMeans: 'Melden Sie sich wieder an: der Bildschirm und Ihr Text sind noch da.',
  endsSoon: (time: string) => `Ihre Sitzung endet ${time}. Melden Sie sich in einem ruhigen Moment neu an.`,
  notSignedOut:
    'Der Server weiß noch nichts von der Abmeldung: Sie wird ihm gesendet, bis er antwortet. Lassen Sie diese Seite offen.',
  signOut: 'Abmelden',
};
