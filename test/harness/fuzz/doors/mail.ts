// Mail servers whose answers have mistakes: SMTP while signing in and taking mails, IMAP while a mailbox is opened and read.

import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import type { Chance } from '../../chance.ts';
import { type Door, type DoorSite, groupOn, personOn, untilSent } from '../fuzz-site.ts';
import { mutated } from '../mutate.ts';

const atOnce = 8;
const people = 12;

type Answers = (line: string, isInMail: boolean) => string;

/** A server of lines: greets, and answers each line that comes. */
class LineServer {
  readonly #answers: Answers;
  readonly #greeting: string;
  readonly #chance: Chance;
  readonly #extra: readonly string[];
  port = 0;
  sent = 0;

  /** `extra`: lines that may come before any answer. */
  constructor(greeting: string, answers: Answers, chance: Chance, extra: readonly string[]) {
    this.#greeting = greeting;
    this.#answers = answers;
    this.#chance = chance;
    this.#extra = extra;
  }

  async start(site: DoorSite): Promise<void> {
    const server = createServer((socket) => this.#serve(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    site.t.after(() => void server.close());
    this.port = (server.address() as AddressInfo).port;
  }

  #serve(socket: Socket): void {
    let rest = '';
    let isInMail = false;
    socket.on('error', () => {});
    // Silence is another kind of mistake, and would take its time.
    socket.setTimeout(100, () => socket.destroy());
    this.#say(socket, this.#greeting);
    socket.on('data', (bytes) => {
      const lines = (rest + bytes.toString('latin1')).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (isInMail && line !== '.') continue;
        const answer = this.#answers(line, isInMail);
        isInMail = answer.startsWith('354');
        this.#say(socket, answer);
      }
    });
  }

  #say(socket: Socket, answer: string): void {
    const chance = this.#chance;
    for (let left = this.#extra.length === 0 ? 0 : chance.int(0, 6); left > 0; left -= 1)
      this.#send(socket, mutated(chance.pick(this.#extra), chance));
    this.#send(socket, chance.percent(70) ? Buffer.from(answer, 'latin1') : mutated(answer, chance));
    if (chance.percent(1)) socket.resetAndDestroy();
  }

  #send(socket: Socket, bytes: Buffer): void {
    socket.write(bytes);
    this.sent += 1;
  }
}

function smtpAnswer(line: string, isInMail: boolean): string {
  if (isInMail) return '250 2.0.0 Ok: queued as 4711\r\n';
  const verb = line.slice(0, 4).toUpperCase();
  if (verb === 'EHLO')
    return '250-mail.example\r\n250-SIZE 35882577\r\n250-AUTH PLAIN LOGIN\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n';
  if (verb === 'AUTH') return '235 2.7.0 Authentication successful\r\n';
  if (verb === 'DATA') return '354 End data with <CR><LF>.<CR><LF>\r\n';
  if (verb === 'QUIT') return '221 2.0.0 Bye\r\n';
  return '250 2.1.0 Ok\r\n';
}

const mail = [
  'From: "Ana" <ana@plant.example>',
  'To: <tocsin+4711@plant.example>',
  'Subject: =?utf-8?B?UmU6IEFsYXJt?=',
  'Message-ID: <1@plant.example>',
  'In-Reply-To: <4711@plant.example>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/alternative; boundary="x"',
  '',
  '--x\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\nMQ==',
  '--x\r\nContent-Type: text/html\r\n\r\n<p>1</p>\r\n--x--',
  '',
].join('\r\n');

const untagged: readonly string[] = [
  '* CAPABILITY IMAP4rev1 IDLE NAMESPACE ID UIDPLUS ENABLE CONDSTORE\r\n',
  '* FLAGS (\\Answered \\Flagged \\Deleted \\Seen \\Draft)\r\n',
  '* OK [PERMANENTFLAGS (\\Seen \\*)] Flags permitted.\r\n',
  '* OK [UIDVALIDITY 1763570000] UIDs valid\r\n* OK [UIDNEXT 5] Predicted next UID\r\n',
  '* 3 EXISTS\r\n* 1 RECENT\r\n',
  '* LIST (\\HasNoChildren) "." "INBOX"\r\n',
  '* NAMESPACE (("" ".")) NIL NIL\r\n',
  '* SEARCH 1 2 3\r\n',
  '* ESEARCH (TAG "A1") UID ALL 1:3\r\n',
  '* 2 EXPUNGE\r\n',
  '* VANISHED (EARLIER) 1:5,7\r\n',
  '* STATUS "INBOX" (MESSAGES 3 UIDNEXT 5)\r\n',
  '* ID ("name" "fuzz" "version" NIL)\r\n',
  '* ENABLED CONDSTORE\r\n',
  '* BYE going down\r\n',
  `* 1 FETCH (UID 1 FLAGS () BODY[]<0> {${mail.length}}\r\n${mail})\r\n`,
];

function imapAnswer(line: string, chance: Chance): string {
  const [tag = '', verb = '', first = ''] = line.split(' ');
  const command = (verb.toUpperCase() === 'UID' ? first : verb).toUpperCase();
  if (line.toUpperCase() === 'DONE') return '* OK still here\r\n';
  if (command === 'IDLE') return '+ idling\r\n* 4 EXISTS\r\n';
  if (command === 'SEARCH') return `* SEARCH 1 2 3\r\n${tag} OK Search completed\r\n`;
  if (command === 'FETCH') {
    const source = String(mutated(mail, chance));
    return `* 1 FETCH (UID 1 BODY[]<0> {${source.length}}\r\n${source})\r\n${tag} OK Fetch completed\r\n`;
  }
  const [, flags = '', , validity = '', exists = '', list = '', namespace = ''] = untagged;
  if (command === 'SELECT' || command === 'EXAMINE')
    return `${flags}${validity}${exists}${tag} OK [READ-WRITE] Select completed\r\n`;
  if (command === 'LIST') return `${list}${tag} OK List completed\r\n`;
  if (command === 'NAMESPACE') return `${namespace}${tag} OK Namespace completed\r\n`;
  if (command === 'CAPABILITY') return `${untagged[0]}${tag} OK Capability completed\r\n`;
  return `${tag} OK ${command} completed\r\n`;
}

/** A provider of mail whose servers make mistakes: one, and the other is a valid one or none. */
async function providerWith(site: DoorSite, settings: object): Promise<number> {
  return site.caller.create('/providers', {
    name: `Mail ${JSON.stringify(settings)}`.slice(0, 60),
    channel: 'email',
    kind: 'smtp',
    settings: { host: '127.0.0.1', security: 'none', user: 'tocsin', from: 'tocsin@plant.example', ...settings },
    secrets: { password: 'fuzz' },
  });
}

/** Tests the provider again and again, and lets people be called by it. */
async function useProvider(site: DoorSite, provider: number, count: number, server: LineServer): Promise<number> {
  const members = await Promise.all(
    Array.from({ length: people }, (_, n) =>
      personOn(site.caller, `mail ${provider} ${n}`, { channel: 'email', address: `p${n}@plant.example` }),
    ),
  );
  const group = await groupOn(site.caller, `Mail ${provider}`, members);
  await site.caller.alarms.raise(group, { path: `Mail/${provider}`, priority: 3 });
  await untilSent(
    count,
    atOnce,
    () => server.sent,
    () => site.caller.request('POST', `/providers/${provider}/test`),
  );
  await site.caller.ask('DELETE', `/providers/${provider}`);
  return server.sent;
}

export const smtp: Door = {
  name: 'SMTP, a hostile server',
  async run(site, chance, count) {
    const server = new LineServer('220 mail.example ESMTP\r\n', smtpAnswer, chance, []);
    await server.start(site);
    return useProvider(site, await providerWith(site, { port: server.port }), count, server);
  },
};

export const imap: Door = {
  name: 'IMAP, a hostile server',
  async run(site, chance, count) {
    const valid = { int: (low: number) => low, percent: (percent: number) => percent > 50, pick: chance.pick };
    const sending = new LineServer('220 mail.example ESMTP\r\n', smtpAnswer, valid, []);
    await sending.start(site);
    const greeting = '* OK [CAPABILITY IMAP4rev1 IDLE AUTH=PLAIN] ready\r\n';
    const reading = new LineServer(greeting, (line) => imapAnswer(line, chance), chance, untagged);
    await reading.start(site);
    const settings = { port: sending.port, imapHost: '127.0.0.1', imapPort: reading.port, imapSecurity: 'none' };
    return useProvider(site, await providerWith(site, settings), count, reading);
  },
};
