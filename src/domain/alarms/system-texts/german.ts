// The texts of system alarms in German. Pure.

import { channelName } from '../../channels/channel-names.ts';
import { printTime } from '../../time-range.ts';
import { becauseIn, linesOf, type RoundedTime, type SystemTextParameters, type SystemTextWords } from './texts.ts';

const more = 'Es gibt mehr von dieser Art.';
const units: Readonly<Record<RoundedTime['unit'], string>> = {
  d: 'Tagen',
  h: 'Stunden',
  min: 'Minuten',
  s: 'Sekunden',
};

function setAside(what: string): string {
  return `${what}, wegen eines Fehlers in Tocsin, den sein Protokoll beschreibt. Es wird jede Minute wieder versucht; alles andere geht weiter.`;
}

function calledName({ kind, id, name }: SystemTextParameters['set-aside-call']): string {
  if (kind === 'last-resort') return 'der letzten Instanz';
  if (kind === 'number') return 'einer Nummer';
  if (kind === 'group') return name === '' ? `der Rufgruppe ${id}` : `der Rufgruppe „${name}“`;
  return name === '' ? `des Benutzers ${id}` : `des Benutzers ${id} „${name}“`;
}

function aboutAlarm({ alarmId, alarm }: { readonly alarmId: number; readonly alarm: string }): string {
  return `Alarm ${alarmId}, „${alarm}“`;
}

function calendarOf({ scheduleId, schedule }: { readonly scheduleId: number; readonly schedule: string }): string {
  return `Der Feiertagskalender des Zeitplans ${scheduleId}, „${schedule}“,`;
}

function rounded({ amount, unit }: RoundedTime): string {
  return amount === 1 ? 'einer Sekunde' : `${amount} ${units[unit]}`;
}

function scriptsOf({ node, scripts }: SystemTextParameters['scripts-differ']['nodes'][number]): string {
  if (scripts === null) return `${node} hat keinen Ordner mit Skripten`;
  return `${node} hat ${scripts.map(([id, pattern]) => (pattern === null ? id : `${id} (${pattern})`)).join(', ') || 'keine'}`;
}

const noWay: Readonly<Record<SystemTextParameters['no-way']['why'], string>> = {
  'not-set-up': 'der Kanal ist nicht eingerichtet',
  'switched-off': 'alle Anbieter des Kanals sind abgeschaltet',
  'not-served': 'kein Anbieter des Kanals bedient die Nummer',
  down: 'kein Anbieter des Kanals funktioniert',
  limited: 'die Anbieter des Kanals haben für heute alles befördert, was sie dürfen',
};

const works: { readonly [K in SystemTextParameters['work-given-up']['kind']]: (id: number) => string } = {
  acknowledgement: () => 'viele Auftreten quittieren',
  alarm: (id) => `was für Alarm ${id} fällig ist`,
  audit: () => 'nach Rufen sehen, um die sich nichts kümmert',
  calendar: (id) => `den Feiertagskalender des Dienstplans ${id} lesen`,
  cause: (id) => `jemanden rufen (Ruf ${id})`,
  demo: () => 'die Demo-Anlage bewegen',
  'hand-over': () => 'Personen mitteilen, dass ihr Dienst beginnt oder endet',
  mail: () => 'eine Mail lesen',
  move: () => 'viele Messstellen ändern, die zu einem anderen Datenserver umziehen oder dessen neuen Namen annehmen',
  purge: () => 'entfernen, was älter ist, als es aufbewahrt wird',
  seal: () => 'das Audit-Protokoll versiegeln',
  source: () => 'nach Quellen sehen, die schweigen',
};

export const german: SystemTextWords = {
  'attempt-failed': ({ userId, name }) =>
    `Ein Anruf bei ${name === '' ? `Benutzer ${userId}` : name} war wegen eines Fehlers in Tocsin nicht möglich, den sein Protokoll beschreibt. Die nächste Nummer oder Person wird gerufen.`,
  'attempt-given-up': ({ userId, name }) =>
    `Tocsin ist jedes Mal unerwartet beendet worden, als es ${name === '' ? `Benutzer ${userId}` : name} wegen eines Alarms rief, und hat diesen Ruf aufgegeben. Die nächste Nummer oder Person wird gerufen. Mehr sagen das Protokoll und die Seite System.`,
  auditor: ({ count, kinds }) =>
    `Die Überwachung hat ${count === 1 ? 'einen Ruf' : `${count} Rufe`} gefunden, um die sich nichts kümmerte, und sie wieder in Gang gesetzt (${kinds.map((one) => `${one.kind} ${one.count}`).join(', ')}).`,
  'backup-old': ({ goodAt, folder, stuckSince, problem }) => {
    const failed = problem === '' ? '' : ` Der letzte Versuch ist gescheitert: ${problem}.`;
    const why = stuckSince === null ? failed : ` Die am ${printTime(stuckSince)} begonnene ist nicht zu Ende.`;
    return `Seit ${printTime(goodAt)} gibt es keine gute Sicherung in ${folder}.${why}`;
  },
  'bad-number': ({ name, channel }) =>
    `Eine Nummer von ${name} (${channelName('de', channel)}) gibt es nicht: Berichtigen Sie sie im Verzeichnis.`,
  budget: ({ cost, budgetDay }) =>
    `Anrufe und Nachrichten haben heute ${cost} von ${budgetDay} gekostet. Ist das Budget verbraucht, wird nur noch für Alarme der Priorität 1 gerufen.`,
  'called-in-vain': (called) =>
    `Das Rufen ${calledName(called)} war vergeblich: niemand hat übernommen, wofür gerufen wurde.`,
  'cannot-be-used': ({ actor, ...growing }) =>
    `Ein Teil dessen, was ${actor} sendet, ist nicht verwendbar; womöglich werden andere gerufen, als gewünscht ist.\n${linesOf(growing, (line) => `${aboutAlarm(line)}: ${line.sentence}.`, more)}`,
  'channel-down': ({ channel, ...because }) =>
    `Niemand ist über ${channelName('de', channel)} erreichbar: ${becauseIn('de', because)}.`,
  chattering: ({ actor, ...growing }) =>
    `${actor} sendet mehr, als von einer Quelle gespeichert wird; was darüber hinausgeht, wird zusammengefasst.\n${linesOf(
      growing,
      (line) =>
        `${aboutAlarm(line)}: Er ist in einer Minute mehr als 60-mal aufgetreten; seine Rückkehr zum Normalzustand zählt, wenn sie 10 s gedauert hat.`,
      more,
    )}`,
  clock: ({ direction, seconds }) =>
    `Die Uhr wurde um ${seconds} s ${direction === 'forward' ? 'vorgestellt' : 'zurückgestellt'}. Verzögerungen, Pausen und andere Wartezeiten dauern so lange wie zuvor; Schichten, Unterdrückungen und andere Tageszeiten folgen der Uhr.`,
  command: ({ scriptId, alarmId, alarm, detail }) => `Skript ${scriptId} für Alarm ${alarmId}, „${alarm}“: ${detail}.`,
  'disk-low': ({ node, percent }) =>
    `Der Datenträger mit den Daten von ${node} ist zu ${percent} % voll. Ist er ganz voll, kann kein Alarm mehr angenommen werden: Schaffen Sie Platz.`,
  'duty-locked': (called) => `Der Dienst ${calledName(called)} ist gesperrt: niemand wird gerufen.`,
  'events-delayed': ({ node, seconds }) =>
    `Auf dem Knoten ${node} sind Änderungen der letzten ${seconds} s gespeichert, aber nicht weitergegeben: Konsolen zeigen einen alten Stand, und eine Quittierung beendet dort keinen Anruf. Prüfen Sie seine Verbindung zur Datenbank.`,
  'few-descriptors': ({ node, open, limit }) =>
    `Auf ${node} sind ${open} von ${limit} Dateideskriptoren belegt. Ist keiner mehr frei, kann sich kein Client mehr verbinden: Finden Sie heraus, wer so viele Verbindungen offen hält, oder erhöhen Sie die Grenze (ulimit -n).`,
  'holidays-left-out': ({ count, first, ...calendar }) =>
    `${calendarOf(calendar)} wurde ohne ${count} seiner Termine gelesen: ${first}${count > 1 ? `, und ${count - 1} weitere` : ''}. Die übrigen gelten.`,
  'holidays-unread': ({ problem, ...calendar }) =>
    `${calendarOf(calendar)} ist nicht lesbar: ${problem}. Die zuvor gelesenen Tage gelten weiter.`,
  'intake-refused': ({ actor, name, route, reason, code, address }) =>
    `Alarme von ${actor}, „${name}“, werden bei ${route} abgewiesen: ${reason} (${code}; von ${address}). Was gesendet wurde, ist aufbewahrt: siehe /api/v1/intake/refusals.`,
  'key-expiring': ({ keyId, name, days }) =>
    `Der API-Schlüssel ${keyId}, „${name}“, endet in ${days === 1 ? 'einem Tag' : `${days} Tagen`}: Wer ihn benutzt, braucht einen neuen.`,
  'no-free-line': ({ channel }) =>
    `Anrufe warten länger als eine Minute auf eine freie Leitung des Kanals „${channel}“; inzwischen werden die anderen Nummern und die nächste Stufe gerufen.`,
  'nobody-on-call': (called) => `Für das Rufen ${calledName(called)} hat niemand Dienst.`,
  'no-attempts': () =>
    'Zurzeit kann niemand gerufen werden, wegen eines Fehlers in Tocsin, den sein Protokoll beschreibt. Es wird alle paar Sekunden wieder versucht.',
  'no-way': ({ channel, why }) =>
    why === 'not-served'
      ? `Jemand war über ${channelName('de', channel)} nicht erreichbar: ${noWay[why]}.`
      : `Niemand ist über ${channelName('de', channel)} erreichbar: ${noWay[why]}.`,
  'not-served': ({ channel, ...because }) =>
    `Jemand war über ${channelName('de', channel)} nicht erreichbar: ${becauseIn('de', because)}.`,
  'provider-down': ({ provider, ...because }) =>
    `Der Anbieter ${provider} ist ausgefallen: ${becauseIn('de', because)}.`,
  'provider-mailbox': ({ provider, ...because }) =>
    `Antworten auf Mails des Anbieters ${provider} werden nicht gelesen: ${becauseIn('de', because)}.`,
  'provider-refused': ({ provider, isSpoken, ...because }) =>
    `Der Anbieter ${provider} weist ${isSpoken ? 'Anrufe' : 'Nachrichten'} ab: ${becauseIn('de', because)}.`,
  'provider-ring-in': ({ provider, ...because }) =>
    `Niemand kann über den Anbieter ${provider} anrufen: ${becauseIn('de', because)}.`,
  'provider-voice': ({ provider, ...because }) =>
    `Anrufe über den Anbieter ${provider} werden von einer anderen Stimme gesprochen: ${becauseIn('de', because)}.`,
  'providers-unopened': ({ node, providers }) =>
    `Der Server ${node} kann diese Anbieter nicht nutzen: ${providers.join(', ')}. Andere Server übernehmen ihre Anrufe. Meist hat er einen anderen Schlüssel für die Geheimnisse: Geben Sie allen Servern denselben TOCSIN_SECRETS_KEY. Die Seite System nennt den Grund.`,
  'purge-waits': ({ clock, days }) =>
    `Alte Einträge werden vorerst nicht gelöscht: Die Uhr zeigt ${printTime(clock)}, ${days} Tage später als beim letzten Löschen. Geht die Uhr falsch, stellen Sie sie richtig, und nichts geht verloren. War der Server so lange aus, ist alles in Ordnung: In einem Tag beginnt er, je Tag die Einträge einer Woche zu löschen.`,
  'refusal-not-kept': (growing) =>
    linesOf(
      growing,
      ({ caller, route, code }) =>
        `Eine Anfrage von ${caller} an ${route} wurde abgewiesen (${code}) und konnte nicht aufbewahrt werden; das Protokoll des Servers sagt, warum.`,
      more,
    ),
  'scripts-differ': ({ nodes }) =>
    `Die Knoten haben nicht dieselben Skripte: ${nodes.map(scriptsOf).join('; ')}. Ein Befehl läuft auf einem Knoten, der sein Skript hat, und nicht, solange dieser Knoten fehlt: Geben Sie allen Knoten dasselbe TOCSIN_SCRIPTS_DIR.`,
  'set-aside-acknowledgement': () =>
    setAside('Die Quittierung vieler Auftreten kann nicht bei allen eingetragen werden'),
  'set-aside-alarm': ({ alarmId }) => setAside(`Was für Alarm ${alarmId} fällig ist, kann nicht getan werden`),
  'set-aside-call': (called) => setAside(`Das Rufen ${calledName(called)} kann nicht weitergehen`),
  'set-aside-move': () =>
    setAside(
      'Viele Messstellen, die zu einem anderen Datenserver umziehen oder dessen neuen Namen annehmen, können nicht alle geändert werden',
    ),
  'source-silent': ({ kind, id, name, silentFor, usually }) =>
    `Von ${kind === 'key' ? 'API-Schlüssel' : 'Datenserver'} ${id}, „${name}“, kommt seit ${rounded(silentFor)} nichts; sonst kommt etwas in Abständen von ${rounded(usually)}. Seine Alarme kommen womöglich nicht an: Prüfen Sie die Quelle und den Weg von dort.`,
  'store-damaged': () =>
    'Die Datenbank von Tocsin ist beschädigt, und es werden keine Alarme mehr angenommen: Halten Sie Tocsin an, holen Sie mit „tocsin rescue FILE“ heraus, was lesbar ist, und stellen Sie das oder eine Sicherung wieder her.',
  'tags-not-moved': ({ count, from, to, toName, paths }) =>
    `${count} Messstellen des Datenservers ${from} bleiben, wo sie sind, weil der Datenserver ${to}, „${toName}“, Messstellen mit demselben Pfad hat: ${paths.map((path) => `„${path}“`).join(', ')}${count > paths.length ? ' und andere' : ''}.`,
  'telephony-ended': ({ node }) =>
    `Ein Fehler in Tocsin, den sein Protokoll beschreibt, hat die Telefonate auf ${node} unterbrochen. Die Telefonie wurde neu gestartet, und die Personen werden noch einmal angerufen.`,
  'work-given-up': ({ kind, id }) =>
    `Tocsin ist jedes Mal unerwartet beendet worden, als es dabei war: ${works[kind](id)}. Es wird nicht mehr getan, bis ein Administrator es freigibt. Mehr sagen das Protokoll und die Seite System.`,
};
