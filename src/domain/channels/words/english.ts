// The reasons of providers in English. Pure.

import type { ProviderReasonWords, TlsAdvice, UnservedBecause, WebhookAddressProblem } from './provider-reason.ts';

/** The meaning of the final answers of a PBX that are no fault of the person's telephone. */
const pbxMeanings: Readonly<Record<number, string>> = {
  302: 'the number is forwarded, and forwards are not followed',
  400: 'it does not understand the call',
  401: 'the password is wrong, or the account does not exist',
  403: 'the account may not call this number',
  404: 'there is no such number',
  406: 'it does not want the call in this way',
  407: 'the password is wrong, or the account does not exist',
  408: 'it found nobody in time',
  410: 'the number is no longer in use',
  415: 'it takes no G.711 audio',
  421: 'it demands an extension of SIP that is not spoken here',
  423: 'it is asked too often',
  480: 'the number cannot be reached just now',
  482: 'the call went in a circle',
  483: 'the call went through too many exchanges',
  484: 'the number is incomplete',
  485: 'the number is not unique',
  488: 'it takes no G.711 audio, or only encrypted audio',
  491: 'it is busy with the same call',
  500: 'it has an error of its own',
  501: 'it cannot do this',
  502: 'an exchange behind it gave an answer that cannot be used',
  503: 'it is overloaded or out of service',
  504: 'an exchange behind it did not answer in time',
  513: 'the message is too large for it',
  604: 'the number exists nowhere',
  606: 'the telephone wants the call in another way',
};

const receiverMeanings: Readonly<Record<number, string>> = {
  401: 'it does not accept the signature or wants another proof',
  403: 'it does not accept the signature or forbids the request',
  404: 'there is nothing at this address',
  405: 'it takes no POST',
  410: 'the address is no longer in use',
  413: 'the message is too large for it',
  429: 'it gets too many requests',
  503: 'it is overloaded or out of service',
};

const tlsAdvice: Readonly<Record<TlsAdvice, string>> = {
  smtp: 'try the security starttls',
  imap: 'try the imapSecurity starttls',
  sip: 'try another port, or the transport tcp or udp',
};

const unserved: Readonly<Record<UnservedBecause, (channel: string) => string>> = {
  'not-set-up': (channel) => `no channel "${channel}" is set up`,
  'switched-off': (channel) => `all providers of the channel "${channel}" are switched off`,
  'not-served': (channel) => `no provider of the channel "${channel}" serves this number`,
  down: (channel) => `no provider of the channel "${channel}" works`,
  limited: (channel) => `the providers of the channel "${channel}" have carried as much as they may in a day`,
};

const allowedByPrivate = 'the provider allows it with allowPrivate';

/** They follow "the address". */
const addressProblems: Readonly<Record<WebhookAddressProblem, (port: number, most: number) => string>> = {
  'too-long': (_, most) => `is a URL with more than ${most} characters`,
  'no-url': () => 'must be a URL such as https://example.org/hook',
  'plain-http': () => 'must begin with https://: plain HTTP is not allowed, unless the provider has allowHttp',
  scheme: () => 'must begin with https://',
  credentials: () => 'must not contain a name or password',
  fragment: () => 'must not contain a fragment (#)',
  private: () => `is an address of a private network: ${allowedByPrivate}`,
  host: () => 'is on a host that the provider does not allow: its setting hosts names others',
  port: (port) => `has the port ${port}: the provider allows it with ports`,
};

export function addressProblemInEnglish(problem: WebhookAddressProblem, port: number, most: number): string {
  return addressProblems[problem](port, most);
}

/** What a foreign machine said, if anything. */
function quoted(said: string, before = ': '): string {
  return said === '' ? '' : `${before}"${said}"`;
}

function meaning(known: string | undefined, said: string): string {
  return known === undefined ? quoted(said) : `: ${known}`;
}

export const english: ProviderReasonWords = {
  said: ({ text }) => quoted(text, ''),
  'name-unknown': ({ host }) => `the name ${host} is not known`,
  'name-not-looked-up': ({ host }) => `the name ${host} cannot be looked up now`,
  'address-not-here': ({ address }) => `this machine has no address ${address}`,
  'nothing-listens': ({ place }) => `nothing listens on ${place}`,
  'no-way-there': ({ place }) => `there is no way through the network to ${place}`,
  'connection-closed': ({ place }) => `${place} closed the connection`,
  'certificate-expired': ({ place }) => `the certificate of ${place} has expired`,
  'certificate-of-another': ({ place }) => `the certificate of ${place} was made for another name`,
  'certificate-untrusted': ({ place }) =>
    `the certificate of ${place} is not trusted: name the file of its authority in NODE_EXTRA_CA_CERTS and restart`,
  'no-tls': ({ place, advice }) => `${place} does not speak TLS: ${tlsAdvice[advice]}`,
  'no-response': ({ place }) => `no response from ${place}`,
  'mail-no-sign-in': ({ place }) => `the mail server ${place} offers no way to sign in that is known here`,
  'mail-password': ({ status }) => `the mail server refused the password (${status})`,
  'mail-wants-password': () => 'the mail server wants a name and a password (530)',
  'mail-no-starttls': ({ place, status }) =>
    `the mail server ${place} does not offer STARTTLS (${status}): try the security tls`,
  'mail-too-large': () => 'the mail is larger than the mail server takes',
  'mail-sender-refused': ({ said }) => `the mail server refuses the sender${quoted(said)}`,
  'mail-answered': ({ said }) => `the mail server answered${quoted(said, ' ')}`,
  'mail-silent': ({ place }) => `the mail server ${place} does not answer`,
  'mail-address-wrong': () => 'this is not a mail address',
  'mail-taken': ({ said }) => `the mail server took it${quoted(said)}`,
  'mail-bounced': ({ status }) => `a mail server reported that it was not delivered (${status})`,
  'imap-password': ({ place }) => `the IMAP server ${place} refused the name or password of the mailbox`,
  'imap-no-mailbox': ({ mailbox }) => `the account has no mailbox "${mailbox}"`,
  'imap-silent': ({ place }) => `the IMAP server ${place} does not answer as it should`,
  'replies-unread': ({ why }, say) => `replies are not read: ${say(why)}`,
  'pbx-answered': ({ status, said }) => `the PBX answered ${status}${meaning(pbxMeanings[status], said)}`,
  'pbx-unreached': ({ why }, say) => `the PBX cannot be reached: ${say(why)}`,
  'pbx-rang-nobody': () => 'the PBX took the call and did not ring the number',
  'no-sound-port': ({ from, to }) => `no port from ${from} to ${to} is free for the sound of the call`,
  'no-account-password': ({ user }) => `the account ${user} cannot be registered without a password`,
  'account-refused': ({ user, status, said }) =>
    `the PBX does not register the account ${user}: ${status}${quoted(said, ' ')}`,
  'no-session-description': () => 'the telephone answered, but its answer has no session description',
  'session-description': ({ said }) =>
    `the telephone answered, but its session description cannot be used${quoted(said)}`,
  mute: ({ why }, say) => `nothing can be said: ${say(why)}`,
  'conversation-failed': ({ said }) => `the conversation failed${quoted(said)}`,
  answered: ({ failures }, say) => ['answered', ...failures.map(say)].join('; '),
  'answered-without-pin': ({ failures }, say) =>
    ['answered, and no right PIN was entered', ...failures.map(say)].join('; '),
  vanished: () => 'the other side vanished in the call: no sound came any more',
  busy: () => 'busy',
  rejected: () => 'rejected',
  'no-answer': () => 'no answer',
  'wrong-pin': () => 'wrong PIN three times',
  'hung-up-without-key': () => 'answered, and hung up without a key',
  'no-key': () => 'somebody or something answered and pressed no key',
  machine: () => 'an answering machine took the call',
  'nobody-answered': ({ seconds }) => `nobody answered within ${seconds} s`,
  'code-read-out': () => 'read out on the telephone',
  'rang-in': () => 'rang in',
  'telephony-restarts': () => 'the telephone part of this server has ended by a fault and is started again',
  'ring-in-closed': ({ why }, say) => `nobody can ring in: ${say(why)}`,
  'ring-in-needs-port': () => 'it needs register, or listenPort with udp or tcp',
  'port-unusable': ({ port, said }) => `the port ${port} cannot be used${quoted(said)}`,
  'recording-not-played': ({ name, said }) =>
    `the recording ${name === '' ? 'of the message' : name} was not played${quoted(said)}`,
  'voices-silent': ({ voices }, say) =>
    voices.map(({ voice, why }) => `the voice ${voice} does not speak: ${say(why)}`).join('; '),
  'program-silent': ({ program }) => `${program} is silent`,
  'program-output': ({ program, said }) => `the output of ${program} cannot be used${quoted(said)}`,
  'program-not-started': ({ program, said }) => `${program} cannot be started${quoted(said)}`,
  'program-slow': ({ program, seconds }) => `${program} took longer than ${seconds} s`,
  'program-wrote-too-much': ({ program, bytes }) => `${program} wrote more than ${bytes} bytes`,
  'program-ended': ({ program, end, said }) => `${program} ended with ${end}${quoted(said)}`,
  'program-missing': ({ program, looked }) =>
    `${program} is not installed${looked.length === 0 ? `: apt install ${program}` : `; looked for ${looked.join(', ')}`}`,
  'receiver-answered': ({ status }) => {
    const redirects = status >= 300 && status < 400;
    return `the receiver answered ${status}${meaning(redirects ? 'it redirects, which is not followed' : receiverMeanings[status], '')}`;
  },
  'receiver-took': ({ status }) => `the receiver answered ${status}`,
  'receiver-unreached': ({ why }, say) => `the receiver was not reached: ${say(why)}`,
  'outside-late': () => 'no answer in time',
  'outside-host-unknown': () => 'the name of the host is not known',
  'outside-host-not-looked-up': () => 'the name of the host cannot be looked up now',
  'outside-nothing-there': () => 'nothing listens there',
  'outside-cut': () => 'the connection was cut',
  'outside-unreachable': () => 'cannot be reached',
  'outside-only-https': () => 'only https is asked',
  'outside-credentials': () => 'the address must not hold a name or password',
  'outside-private': () => 'the address is an address of a private network',
  'outside-private-webhook': () => `the address is an address of a private network: ${allowedByPrivate}`,
  'outside-certificate': ({ said }) => `its certificate is not accepted (${said})`,
  'outside-status': ({ status }) => `the answer was ${status}`,
  'outside-large': ({ bytes }) => `the answer has more than ${bytes} bytes`,
  'webhook-address': ({ problem, port, most }) => `the address ${addressProblemInEnglish(problem, port, most)}`,
  unserved: ({ why, channel }) => unserved[why](channel),
  'not-accepted': () => 'the provider does not answer',
  'store-away': () => 'the database could not be reached',
  'internal-fault': () => 'internal fault',
  'own-fault': () => 'a fault in Tocsin',
  cancelled: () => 'cancelled',
  'unknown-end': () => 'nobody knows what became of it',
  'server-ended': () => 'Tocsin ended unexpectedly during this call, several times',
  'switched-off': () => 'it is switched off',
  'simulation-off': () => 'simulated phones are switched off on this server',
  'provider-unknown': () => 'this node does not know the provider',
  unusable: () => 'it cannot be used',
  'kind-unknown': ({ kind }) => `this version has no kind ${kind}`,
  'secret-missing': ({ name }) => `the secret "${name}" is missing, with which messages are signed`,
  'secret-of-another-key': ({ name }) =>
    `the secret "${name}" was encrypted with another key: enter it again, or give this server that key`,
  'secret-damaged': ({ name }) => `the secret "${name}" is damaged: enter it again`,
  'secret-short': ({ name, least }) => `the secret "${name}" has less than ${least} characters`,
  'no-codes': ({ channel }) => `no provider of the channel ${channel} sends codes`,
  'channel-failed': () => 'the channel failed',
  'simulator-dead': () => 'the simulated provider is switched to "dead"',
  'simulator-dead-check': () => 'its fault "dead" is switched on',
  'no-such-number': () => 'there is no such number',
  shown: () => 'shown on the simulated phone',
  claimed: () => 'the provider said so',
};
