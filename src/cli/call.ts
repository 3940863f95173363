// `tocsin call`: places one call, or sends one message, through a provider and prints each step as it comes. Who has a shell
// on the server may call any number.

import { notAccepted, type OpenProvider } from '../channels/channel.ts';
import { type Config, type Environment, readConfig } from '../config.ts';
import { terminalCaller } from '../domain/access/access.ts';
import { type CallMessage, type Delivery, isSpoken, type Progress } from '../domain/calls/delivery.ts';
import { chooseProvider } from '../domain/channels/choose-provider.ts';
import { isSimulated } from '../domain/channels/provider.ts';
import { englishReason } from '../domain/channels/words/catalogue.ts';
import { isEmergencyNumber } from '../domain/people/emergency-numbers.ts';
import type { User } from '../domain/people/entities.ts';
import { isTelephone, plainNumber } from '../domain/people/telephone-number.ts';
import { StartError } from '../errors.ts';
import { noteShellCall } from '../operations/calls/control/note-shell-call.ts';
import { listPeopleEntries } from '../operations/people/queries.ts';
import { listSealedProviders, type SealedProvider } from '../operations/providers/queries.ts';
import type { Store } from '../store/store.ts';
import { badUsage, readArguments } from './arguments.ts';
import { ShellConversation } from './shell-conversation.ts';
import { withProvider } from './shell-providers.ts';
import { withStore } from './with-store.ts';

export const callUsage = 'call --to WHOM --say TEXT [--provider NAME] [--language LANG]';

const acceptWithinMs = 10_000;

type Called = {
  readonly channel: string;
  readonly address: string;
  readonly userId: number;
  readonly firstName: string;
  readonly language: string;
};

export async function callFromShell(words: readonly string[], environment: Environment): Promise<void> {
  const { values } = readArguments(words, 0, callUsage, {
    to: { type: 'string' },
    say: { type: 'string' },
    provider: { type: 'string' },
    language: { type: 'string' },
  });
  const { to, say: text } = values;
  if (!to || !text) throw badUsage(`--${to ? 'say' : 'to'} is missing`, callUsage);
  const config = readConfig(environment);
  await withStore(environment, async (store) => {
    const all = await store.read(listSealedProviders, {});
    const named = all.find(({ provider }) => provider.name === values.provider);
    if (values.provider !== undefined && named === undefined)
      throw new StartError(`There is no provider "${values.provider}".${namesOf(all)}`, 'bad-usage');
    const found = await calledBy(store, to, named === undefined ? channelsOf(all) : [named.provider.channel]);
    if (isTelephone(found.channel) && isEmergencyNumber(plainNumber(found.address), []))
      throw new StartError(`${found.address} is an emergency number, which a program must not call.`, 'bad-usage');
    const called = { ...found, language: values.language ?? (found.language || config.language) };
    const carrier = named ?? firstFor(called, all, config);
    if (isSimulated(carrier.provider)) throw new StartError(onlySimulated, 'bad-usage');
    await place(store, config, carrier, called, text);
  });
}

const onlySimulated =
  'Phones are only simulated, and ring in a running server alone: set up a provider (docs/channels.md), or use POST /api/v1/call/test.';

async function place(
  store: Store,
  config: Config,
  carrier: SealedProvider,
  called: Called,
  text: string,
): Promise<void> {
  const begin = performance.now();
  const print = (step: string): void =>
    console.log(`${((performance.now() - begin) / 1000).toFixed(1).padStart(6)} s  ${step}`);
  const { provider } = carrier;
  const { channel, address, language } = called;
  print(`trying ${address} by ${provider.name} (${provider.kind})`);
  const conversations = new ShellConversation(text, language, (keys) => print(`key ${keys}`));
  const steps = new Set<string>();
  const report = ({ kind }: Progress): void => {
    if (!steps.has(kind)) print(stepTexts[kind]);
    steps.add(kind);
  };
  let ended: Delivery | undefined;
  // Told at once: closing the provider may wait for a peer that does not answer.
  const end = (delivery: Delivery): void => {
    if (ended !== undefined) return;
    ended = delivery;
    print(
      isReached(delivery, conversations, channel) ? `ended: ${outcomeOf(delivery)}` : `failed: ${outcomeOf(delivery)}`,
    );
  };
  await withProvider(carrier, { config, store, conversations }, async (open) =>
    end(await deliver(open, messageTo(called, text, provider.id), report)),
  ).catch((error: unknown) => end(failed(error instanceof Error ? error.message : 'the channel failed')));
  if (ended === undefined) return;
  const outcome = outcomeOf(ended);
  await store
    .write(noteShellCall, { providerId: provider.id, channel, address, text, outcome })
    .catch(() => console.error('It could not be written into the journal.'));
  if (!isReached(ended, conversations, channel)) process.exitCode = 1;
}

/** A telephone that was picked up without a key may have been an answering machine. */
function isReached(delivery: Delivery, { isHuman }: ShellConversation, channel: string): boolean {
  return delivery.kind === 'delivered' && (isHuman || !isSpoken(channel));
}

function outcomeOf(delivery: Delivery): string {
  return englishReason(delivery.kind === 'delivered' ? delivery.detail : delivery.reason);
}

const stepTexts: Readonly<Record<Progress['kind'], string>> = {
  accepted: 'the provider has taken it',
  ringing: 'ringing',
  answered: 'answered',
  delivered: 'delivered',
  read: 'read',
};

/** Ctrl-C hangs up. */
async function deliver(
  open: OpenProvider,
  message: CallMessage,
  report: (progress: Progress) => void,
): Promise<Delivery> {
  const controller = new AbortController();
  const hangUp = (): void => controller.abort();
  process.once('SIGINT', hangUp);
  const late = setTimeout(() => controller.abort(notAccepted), acceptWithinMs);
  const noted = (progress: Progress): void => {
    clearTimeout(late);
    report(progress);
  };
  try {
    const delivery = await open.deliver(message, noted, controller.signal);
    const isSaid = delivery.kind === 'failed' && delivery.outcome !== 'cancelled';
    return controller.signal.reason === notAccepted && !isSaid ? failed(notAccepted.message) : delivery;
  } finally {
    clearTimeout(late);
    process.off('SIGINT', hangUp);
  }
}

function failed(reason: string): Delivery {
  return { kind: 'failed', retry: 'later', outcome: 'failed', reason };
}

/** It belongs to no attempt; the negative number keeps receivers that know earlier ones from ignoring it. */
function messageTo(
  { channel, address, userId, firstName, language }: Called,
  text: string,
  providerId: number,
): CallMessage {
  return {
    attemptId: -Math.floor(Date.now() / 1000),
    userId,
    firstName,
    language,
    siteName: '',
    opening: '',
    closing: '',
    channel,
    address,
    priority: 3,
    text,
    texts: [text],
    items: [{ causeId: 0, isTest: true }],
    total: 1,
    stations: [],
    replyCode: '',
    isNews: false,
    isTest: true,
    isUnsure: false,
    hasNextProvider: false,
    providerId,
    providerRef: undefined,
  };
}

function channelsOf(all: readonly SealedProvider[]): readonly string[] {
  return all
    .filter(({ provider }) => provider.isEnabled && !isSimulated(provider))
    .map(({ provider }) => provider.channel);
}

/** Reads whom to call: a URL, an e-mail address, a telephone number, or the name of a user. */
async function calledBy(store: Store, to: string, channels: readonly string[]): Promise<Called> {
  const at = (channel: string, address: string): Called => ({
    channel,
    address,
    userId: 0,
    firstName: '',
    language: '',
  });
  if (/^https?:\/\//i.test(to)) return at('webhook', to);
  if (to.includes('@')) return at('email', to);
  if (/^[+*#\d][\d\s().*#-]*$/.test(to)) {
    const digits = to.replace(/[\s().-]/g, '');
    // A provider for texts that was named gets a text.
    return at(channels.length === 1 && channels[0] === 'sms' ? 'sms' : 'voice', digits);
  }
  return numberOfUser(store, to, channels);
}

async function numberOfUser(store: Store, name: string, channels: readonly string[]): Promise<Called> {
  const page = { kind: 'user', caller: terminalCaller, stationId: undefined, search: name, order: 'asc' } as const;
  const { items } = await store.read(listPeopleEntries, { ...page, limit: 1_000, offset: 0 });
  const user = (items as readonly User[]).find((one) => one.name === name);
  if (user === undefined)
    throw new StartError(
      `"${name}" is no telephone number, e-mail address or URL, and no user has this name.`,
      'bad-usage',
    );
  const number = user.numbers.find(({ channel, valid }) => valid && channels.includes(channel));
  if (number === undefined)
    throw new StartError(`The user ${name} has no number of a channel that has a provider.`, 'bad-usage');
  const { id: userId, firstName, language } = user;
  return { channel: number.channel, address: number.address, userId, firstName, language };
}

/** The provider that a call of the server would try first. */
function firstFor(called: Called, all: readonly SealedProvider[], config: Config): SealedProvider {
  const providers = all.map(({ provider }) => provider);
  const { nodeName } = config;
  const choice = chooseProvider({ ...called, priority: 1 }, [], {
    providers,
    uses: new Map(),
    hasSimulator: false,
    nodeName,
    goneNodes: new Set(),
    now: Date.now(),
  });
  const carrier = choice.kind === 'use' ? all.find(({ provider }) => provider === choice.provider) : undefined;
  if (carrier !== undefined) return carrier;
  if (choice.kind === 'wait')
    throw new StartError(
      `The providers of the channel ${called.channel} belong to other nodes: name one.`,
      'bad-usage',
    );
  if (channelsOf(all).length === 0) throw new StartError(onlySimulated, 'bad-usage');
  throw new StartError(
    `No provider serves ${called.address} on the channel ${called.channel}.${namesOf(all)}`,
    'bad-usage',
  );
}

function namesOf(all: readonly SealedProvider[]): string {
  const names = all.filter(({ provider }) => !isSimulated(provider)).map(({ provider }) => provider.name);
  return names.length === 0 ? '' : ` There are: ${names.join(', ')}.`;
}
