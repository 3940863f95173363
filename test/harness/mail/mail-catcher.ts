// A mail server under the control of a test: keeps what it is given, and refuses what the test wants.

import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Site } from '../site/site.ts';
import { until } from '../until.ts';

export type CaughtMail = {
  readonly to: readonly string[];
  readonly source: string;
  readonly mail: Email;
};

/** A refusal, by the command that gets it: `550 5.1.1 no such user`. */
export type Refusals = {
  greeting?: string | undefined;
  mail?: string | undefined;
  rcpt?: string | undefined;
  data?: string | undefined;
};

export type MailCatcher = {
  readonly port: number;
  readonly mails: CaughtMail[];
  /** Every recipient that was named to it, also of mails that never came. */
  readonly recipients: string[];
  readonly refusals: Refusals;
  /** Settings of a provider that sends through it. */
  readonly settings: { readonly host: string; readonly port: number; readonly security: 'none'; readonly from: string };
  stop(): Promise<void>;
  /** The most sessions that were held at the same time. */
  mostHeld(): number;
  /** Whether a held session was cut. */
  isCut(): boolean;
  /** Takes what is held. */
  letGo(): void;
};

export const mailAccount = { user: 'tocsin', password: 'right-password-1' };

/** A session whose recipient or mail has no response yet. */
type HeldSession = { readonly session: string; readonly done: () => void; isCut: boolean };

type CatcherOptions = {
  /** Unless it is open it takes mail only from who signs in. */
  readonly isOpen?: boolean;
  /** `hold`: mails get no response until the test lets go; `hold-recipient`: recipients do not; `silent`: nobody is greeted. */
  readonly behaviour?: 'take' | 'hold' | 'hold-recipient' | 'silent';
  /** The largest mail that it takes, in bytes, as its greeting says. */
  readonly size?: number;
};

export async function startMailCatcher(t: TestContext, options: CatcherOptions = {}): Promise<MailCatcher> {
  const held: HeldSession[] = [];
  let mostHeld = 0;
  const hold = (session: string, done: () => void): void => {
    held.push({ session, done, isCut: false });
    mostHeld = Math.max(mostHeld, held.filter(({ isCut }) => !isCut).length);
  };
  const mails: CaughtMail[] = [];
  const recipients: string[] = [];
  const refusals: Refusals = {};
  const server = new SMTPServer({
    authOptional: options.isOpen ?? true,
    disabledCommands: ['STARTTLS'],
    // Looking up the name of the client takes longer than the mail.
    disableReverseLookup: true,
    logger: false,
    ...(options.size === undefined ? {} : { size: options.size }),
    closeTimeout: 100,
    onConnect: (_session, done) =>
      options.behaviour === 'silent' ? undefined : done(refusal(refusals.greeting) ?? undefined),
    onClose(session) {
      for (const one of held.filter(({ session: id }) => id === session.id)) one.isCut = true;
    },
    onAuth: ({ username, password }, _session, done) =>
      username === mailAccount.user && password === mailAccount.password
        ? done(null, { user: username })
        : done(refusal('535 5.7.8 wrong')),
    onMailFrom: (_address, _session, done) => done(refusal(refusals.mail)),
    onRcptTo({ address }, session, done) {
      recipients.push(address);
      if (options.behaviour === 'hold-recipient') return hold(session.id, () => done(null));
      done(refusal(refusals.rcpt));
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', async () => {
        const error = refusal(refusals.data);
        if (error !== null) return done(error);
        const source = Buffer.concat(parts);
        const to = session.envelope.rcptTo.map(({ address }) => address);
        mails.push({ to, source: source.toString('latin1'), mail: await PostalMime.parse(source) });
        if (options.behaviour !== 'hold') return done(null);
        hold(session.id, () => done(null));
      });
    },
  });
  // A sender that is killed resets its connection.
  server.on('error', () => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.server.address() as AddressInfo;
  let isStopped = false;
  const stop = async (): Promise<void> => {
    if (isStopped) return;
    isStopped = true;
    await new Promise<void>((closed) => server.close(closed));
  };
  t.after(stop);
  const settings = { host: '127.0.0.1', port, security: 'none', from: 'tocsin@plant.example' } as const;
  return {
    port,
    mails,
    recipients,
    refusals,
    settings,
    stop,
    mostHeld: () => mostHeld,
    isCut: () => held.some(({ isCut }) => isCut),
    letGo() {
      for (const one of held.splice(0)) one.done();
    },
  };
}

function refusal(answer: string | undefined): (Error & { responseCode: number }) | null {
  if (answer === undefined) return null;
  const [, code = '550', text = ''] = /^(\d{3}) (.*)$/.exec(answer) ?? [];
  return Object.assign(new Error(text), { responseCode: Number(code) });
}

/** Returns the first link of a mail. */
export function linkIn({ mail }: CaughtMail): string {
  return /https?:\/\/\S+\/answer\/\S+/.exec(mail.text ?? '')?.[0] ?? '';
}

/** Waits for the mail with this number, from 0 on. */
export async function mailTo({ mails }: MailCatcher, index = 0): Promise<CaughtMail> {
  const mail = await until(
    async () => mails[index],
    (found) => found !== undefined,
  );
  assert.ok(mail);
  return mail;
}

/** Makes a provider that sends through the catcher; returns its id. */
export function mailProvider(
  site: Site,
  catcher: MailCatcher,
  more: { readonly settings?: object; readonly secrets?: object; readonly name?: string; readonly order?: number } = {},
): Promise<number> {
  const { settings, ...rest } = more;
  const all = { ...catcher.settings, ...settings };
  return site.create('/providers', { name: 'Mail', channel: 'email', kind: 'smtp', settings: all, ...rest });
}

/** Makes Ana, who is reached by mail alone, and the group that calls her. */
export async function anaByMail(site: Site, more: object = {}) {
  const numbers = [{ channel: 'email', address: 'ana@plant.example' }];
  const ana = await site.person('ana', { firstName: 'Ana', numbers, ...more });
  return { ana, group: await site.group('Pumps', [await site.team('Night', [ana])]) };
}
