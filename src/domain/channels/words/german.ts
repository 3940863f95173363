// The reasons of providers in German. Pure.

import type { ProviderReasonWords, TlsAdvice, UnservedBecause, WebhookAddressProblem } from './provider-reason.ts';

const pbxMeanings: Readonly<Record<number, string>> = {
  302: 'die Nummer ist umgeleitet, und Umleitungen wird nicht gefolgt',
  400: 'sie versteht den Anruf nicht',
  401: 'das Passwort ist falsch, oder das Konto gibt es nicht',
  403: 'das Konto darf diese Nummer nicht anrufen',
  404: 'diese Nummer gibt es nicht',
  406: 'sie will den Anruf so nicht',
  407: 'das Passwort ist falsch, oder das Konto gibt es nicht',
  408: 'sie hat niemanden rechtzeitig gefunden',
  410: 'die Nummer ist nicht mehr vergeben',
  415: 'sie nimmt keinen G.711-Ton an',
  421: 'sie verlangt eine Erweiterung von SIP, die hier nicht gesprochen wird',
  423: 'sie wird zu oft gefragt',
  480: 'die Nummer ist gerade nicht erreichbar',
  482: 'der Anruf lief im Kreis',
  483: 'der Anruf lief über zu viele Vermittlungen',
  484: 'die Nummer ist unvollständig',
  485: 'die Nummer ist nicht eindeutig',
  488: 'sie nimmt keinen G.711-Ton an, oder nur verschlüsselten',
  491: 'sie ist mit demselben Anruf beschäftigt',
  500: 'sie hat einen eigenen Fehler',
  501: 'das kann sie nicht',
  502: 'eine Vermittlung hinter ihr gab eine unbrauchbare Antwort',
  503: 'sie ist überlastet oder außer Betrieb',
  504: 'eine Vermittlung hinter ihr hat nicht rechtzeitig geantwortet',
  513: 'die Meldung ist ihr zu groß',
  604: 'die Nummer gibt es nirgends',
  606: 'das Telefon will den Anruf anders',
};

const receiverMeanings: Readonly<Record<number, string>> = {
  401: 'er nimmt die Signatur nicht an oder will einen anderen Nachweis',
  403: 'er nimmt die Signatur nicht an oder verbietet die Anfrage',
  404: 'unter dieser Adresse ist nichts',
  405: 'er nimmt kein POST an',
  410: 'die Adresse wird nicht mehr benutzt',
  413: 'die Nachricht ist ihm zu groß',
  429: 'er bekommt zu viele Anfragen',
  503: 'er ist überlastet oder außer Betrieb',
};

const tlsAdvice: Readonly<Record<TlsAdvice, string>> = {
  smtp: 'versuchen Sie die Sicherheit starttls',
  imap: 'versuchen Sie imapSecurity starttls',
  sip: 'versuchen Sie einen anderen Port, oder den Transport tcp oder udp',
};

const unserved: Readonly<Record<UnservedBecause, (channel: string) => string>> = {
  'not-set-up': (channel) => `kein Kanal „${channel}“ ist eingerichtet`,
  'switched-off': (channel) => `alle Anbieter des Kanals „${channel}“ sind abgeschaltet`,
  'not-served': (channel) => `kein Anbieter des Kanals „${channel}“ bedient diese Nummer`,
  down: (channel) => `kein Anbieter des Kanals „${channel}“ funktioniert`,
  limited: (channel) => `die Anbieter des Kanals „${channel}“ haben so viel befördert, wie sie an einem Tag dürfen`,
};

const allowedByPrivate = 'der Anbieter erlaubt es mit allowPrivate';

const addressProblems: Readonly<Record<WebhookAddressProblem, (port: number, most: number) => string>> = {
  'too-long': (_, most) => `ist eine URL mit mehr als ${most} Zeichen`,
  'no-url': () => 'muss eine URL wie https://example.org/hook sein',
  'plain-http': () =>
    'muss mit https:// beginnen: unverschlüsseltes HTTP ist nicht erlaubt, außer der Anbieter hat allowHttp',
  scheme: () => 'muss mit https:// beginnen',
  credentials: () => 'darf weder Namen noch Passwort enthalten',
  fragment: () => 'darf kein Fragment (#) enthalten',
  private: () => `ist eine Adresse eines privaten Netzes: ${allowedByPrivate}`,
  host: () => 'liegt auf einem Rechner, den der Anbieter nicht erlaubt: seine Einstellung hosts nennt andere',
  port: (port) => `hat den Port ${port}: der Anbieter erlaubt ihn mit ports`,
};

/** What a foreign machine said, if anything. */
function quoted(said: string, before = ': '): string {
  return said === '' ? '' : `${before}„${said}“`;
}

function meaning(known: string | undefined, said: string): string {
  return known === undefined ? quoted(said) : `: ${known}`;
}

export const german: ProviderReasonWords = {
  said: ({ text }) => quoted(text, ''),
  'name-unknown': ({ host }) => `der Name ${host} ist unbekannt`,
  'name-not-looked-up': ({ host }) => `der Name ${host} kann zurzeit nicht nachgeschlagen werden`,
  'address-not-here': ({ address }) => `dieser Rechner hat keine Adresse ${address}`,
  'nothing-listens': ({ place }) => `auf ${place} antwortet kein Dienst`,
  'no-way-there': ({ place }) => `kein Weg durch das Netz führt zu ${place}`,
  'connection-closed': ({ place }) => `${place} hat die Verbindung geschlossen`,
  'certificate-expired': ({ place }) => `das Zertifikat von ${place} ist abgelaufen`,
  'certificate-of-another': ({ place }) => `das Zertifikat von ${place} gilt für einen anderen Namen`,
  'certificate-untrusted': ({ place }) =>
    `dem Zertifikat von ${place} wird nicht vertraut: nennen Sie die Datei seiner Stelle in NODE_EXTRA_CA_CERTS und starten Sie neu`,
  'no-tls': ({ place, advice }) => `${place} spricht kein TLS: ${tlsAdvice[advice]}`,
  'no-response': ({ place }) => `keine Antwort von ${place}`,
  'mail-no-sign-in': ({ place }) => `der Mailserver ${place} bietet keine Anmeldung an, die hier bekannt ist`,
  'mail-password': ({ status }) => `der Mailserver hat das Passwort abgelehnt (${status})`,
  'mail-wants-password': () => 'der Mailserver will einen Namen und ein Passwort (530)',
  'mail-no-starttls': ({ place, status }) =>
    `der Mailserver ${place} bietet kein STARTTLS an (${status}): versuchen Sie die Sicherheit tls`,
  'mail-too-large': () => 'die Mail ist größer, als der Mailserver annimmt',
  'mail-sender-refused': ({ said }) => `der Mailserver lehnt den Absender ab${quoted(said)}`,
  'mail-answered': ({ said }) => `der Mailserver hat geantwortet${quoted(said)}`,
  'mail-silent': ({ place }) => `der Mailserver ${place} antwortet nicht`,
  'mail-address-wrong': () => 'das ist keine Mailadresse',
  'mail-taken': ({ said }) => `der Mailserver hat sie angenommen${quoted(said)}`,
  'mail-bounced': ({ status }) => `ein Mailserver hat gemeldet, dass sie nicht zugestellt wurde (${status})`,
  'imap-password': ({ place }) => `der IMAP-Server ${place} hat Namen oder Passwort des Postfachs abgelehnt`,
  'imap-no-mailbox': ({ mailbox }) => `das Konto hat kein Postfach „${mailbox}“`,
  'imap-silent': ({ place }) => `der IMAP-Server ${place} antwortet nicht, wie er sollte`,
  'replies-unread': ({ why }, say) => `Antworten werden nicht gelesen: ${say(why)}`,
  'pbx-answered': ({ status, said }) =>
    `die Telefonanlage hat mit ${status} geantwortet${meaning(pbxMeanings[status], said)}`,
  'pbx-unreached': ({ why }, say) => `die Telefonanlage ist nicht erreichbar: ${say(why)}`,
  'pbx-rang-nobody': () => 'die Telefonanlage hat den Anruf angenommen und die Nummer nicht klingeln lassen',
  'no-sound-port': ({ from, to }) => `kein Port von ${from} bis ${to} ist frei für den Ton des Anrufs`,
  'no-account-password': ({ user }) => `das Konto ${user} kann ohne Passwort nicht angemeldet werden`,
  'account-refused': ({ user, status, said }) =>
    `die Telefonanlage meldet das Konto ${user} nicht an: ${status}${quoted(said, ' ')}`,
  'no-session-description': () => 'das Telefon hat geantwortet, aber ohne Sitzungsbeschreibung',
  'session-description': ({ said }) =>
    `das Telefon hat geantwortet, aber seine Sitzungsbeschreibung ist unbrauchbar${quoted(said)}`,
  mute: ({ why }, say) => `nichts kann gesprochen werden: ${say(why)}`,
  'conversation-failed': ({ said }) => `das Gespräch ist gescheitert${quoted(said)}`,
  answered: ({ failures }, say) => ['wurde angenommen', ...failures.map(say)].join('; '),
  'answered-without-pin': ({ failures }, say) =>
    ['wurde angenommen, ohne richtige PIN', ...failures.map(say)].join('; '),
  vanished: () => 'die Gegenstelle ist im Gespräch verschwunden: es kam kein Ton mehr',
  busy: () => 'die Leitung war besetzt',
  rejected: () => 'wurde abgelehnt',
  'no-answer': () => 'wurde nicht angenommen',
  'wrong-pin': () => 'dreimal wurde eine falsche PIN eingegeben',
  'hung-up-without-key': () => 'wurde angenommen und ohne Taste aufgelegt',
  'no-key': () => 'jemand oder etwas hat angenommen und keine Taste gedrückt',
  machine: () => 'ein Anrufbeantworter hat den Anruf angenommen',
  'nobody-answered': ({ seconds }) => `in ${seconds} s hat niemand angenommen`,
  'code-read-out': () => 'am Telefon vorgelesen',
  'rang-in': () => 'hat angerufen',
  'telephony-restarts': () => 'die Telefonie dieses Servers hat durch einen Fehler geendet und startet neu',
  'ring-in-closed': ({ why }, say) => `niemand kann anrufen: ${say(why)}`,
  'ring-in-needs-port': () => 'es braucht register, oder listenPort mit udp oder tcp',
  'port-unusable': ({ port, said }) => `der Port ${port} ist nicht benutzbar${quoted(said)}`,
  'recording-not-played': ({ name, said }) =>
    `die Aufnahme ${name === '' ? 'der Nachricht' : name} wurde nicht abgespielt${quoted(said)}`,
  'voices-silent': ({ voices }, say) =>
    voices.map(({ voice, why }) => `die Stimme ${voice} spricht nicht: ${say(why)}`).join('; '),
  'program-silent': ({ program }) => `${program} bleibt stumm`,
  'program-output': ({ program, said }) => `die Ausgabe von ${program} ist unbrauchbar${quoted(said)}`,
  'program-not-started': ({ program, said }) => `${program} lässt sich nicht starten${quoted(said)}`,
  'program-slow': ({ program, seconds }) => `${program} hat länger als ${seconds} s gebraucht`,
  'program-wrote-too-much': ({ program, bytes }) => `${program} hat mehr als ${bytes} Bytes geschrieben`,
  'program-ended': ({ program, end, said }) => `${program} hat mit ${end} geendet${quoted(said)}`,
  'program-missing': ({ program, looked }) =>
    `${program} ist nicht installiert${looked.length === 0 ? `: apt install ${program}` : `; gesucht: ${looked.join(', ')}`}`,
  'receiver-answered': ({ status }) => {
    const redirects = status >= 300 && status < 400;
    return `der Empfänger hat mit ${status} geantwortet${meaning(redirects ? 'er leitet weiter, was nicht befolgt wird' : receiverMeanings[status], '')}`;
  },
  'receiver-took': ({ status }) => `der Empfänger hat mit ${status} geantwortet`,
  'receiver-unreached': ({ why }, say) => `der Empfänger wurde nicht erreicht: ${say(why)}`,
  'outside-late': () => 'keine rechtzeitige Antwort',
  'outside-host-unknown': () => 'der Name des Rechners ist unbekannt',
  'outside-host-not-looked-up': () => 'der Name des Rechners kann zurzeit nicht nachgeschlagen werden',
  'outside-nothing-there': () => 'dort antwortet kein Dienst',
  'outside-cut': () => 'die Verbindung wurde getrennt',
  'outside-unreachable': () => 'nicht erreichbar',
  'outside-only-https': () => 'nur https wird angefragt',
  'outside-credentials': () => 'die Adresse darf weder Namen noch Passwort enthalten',
  'outside-private': () => 'die Adresse gehört zu einem privaten Netz',
  'outside-private-webhook': () => `die Adresse gehört zu einem privaten Netz: ${allowedByPrivate}`,
  'outside-certificate': ({ said }) => `ihr Zertifikat wird nicht angenommen (${said})`,
  'outside-status': ({ status }) => `die Antwort war ${status}`,
  'outside-large': ({ bytes }) => `die Antwort hat mehr als ${bytes} Bytes`,
  'webhook-address': ({ problem, port, most }) => `die Adresse ${addressProblems[problem](port, most)}`,
  unserved: ({ why, channel }) => unserved[why](channel),
  'not-accepted': () => 'der Anbieter antwortet nicht',
  'store-away': () => 'die Datenbank war nicht erreichbar',
  'internal-fault': () => 'interner Fehler',
  'own-fault': () => 'ein Fehler in Tocsin',
  cancelled: () => 'abgebrochen',
  'unknown-end': () => 'niemand weiß, was daraus geworden ist',
  'server-ended': () => 'Tocsin hat während dieses Anrufs mehrmals unerwartet geendet',
  'switched-off': () => 'er ist abgeschaltet',
  'simulation-off': () => 'simulierte Telefone sind auf diesem Server abgeschaltet',
  'provider-unknown': () => 'dieser Knoten kennt den Anbieter nicht',
  unusable: () => 'er ist nicht benutzbar',
  'kind-unknown': ({ kind }) => `diese Version hat keine Art ${kind}`,
  'secret-missing': ({ name }) => `das Geheimnis „${name}“, mit dem Nachrichten signiert werden, fehlt`,
  'secret-of-another-key': ({ name }) =>
    `das Geheimnis „${name}“ wurde mit einem anderen Schlüssel verschlüsselt: geben Sie es neu ein, oder geben Sie diesem Server den Schlüssel`,
  'secret-damaged': ({ name }) => `das Geheimnis „${name}“ ist beschädigt: geben Sie es neu ein`,
  'secret-short': ({ name, least }) => `das Geheimnis „${name}“ hat weniger als ${least} Zeichen`,
  'no-codes': ({ channel }) => `kein Anbieter des Kanals ${channel} sendet Codes`,
  'channel-failed': () => 'der Kanal ist gescheitert',
  'simulator-dead': () => 'der simulierte Anbieter steht auf „dead“',
  'simulator-dead-check': () => 'seine Störung „dead“ ist eingeschaltet',
  'no-such-number': () => 'diese Nummer gibt es nicht',
  shown: () => 'auf dem simulierten Telefon gezeigt',
  claimed: () => 'der Anbieter hat es gesagt',
};
