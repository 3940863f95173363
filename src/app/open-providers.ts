// Opens the providers of this node with the channels of every kind, and encrypts secrets again after a change of the key.

import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { AttemptTokens } from '../access/attempt-tokens.ts';
import { keyInFolder, SecretBox } from '../access/secret-box.ts';
import { compareTypedPin } from '../access/typed-pin.ts';
import type { OpenKind } from '../channels/channel.ts';
import { SmtpProvider } from '../channels/mail/smtp-provider.ts';
import { Simulator } from '../channels/simulator/simulator.ts';
import type { VoicePorts } from '../channels/voice/connect-talk.ts';
import type { Conversations } from '../channels/voice/conversations.ts';
import { type StartVoiceWorker, VoiceThread, voiceWorkersOf } from '../channels/voice/thread/voice-thread.ts';
import { WebhookProvider } from '../channels/webhook/webhook-provider.ts';
import { storedConversations } from '../dispatch/channels/conversations.ts';
import { type PoolParts, ProviderPool } from '../dispatch/channels/provider-pool.ts';
import { simulatedPhones } from '../dispatch/channels/simulated-phones.ts';
import { type StoredMailParts, storedMail } from '../dispatch/channels/stored-mail.ts';
import { storedRecordings } from '../dispatch/channels/stored-recordings.ts';
import { simulatorProviders } from '../domain/channels/kinds/simulator.ts';
import { smtpProviders } from '../domain/channels/kinds/smtp.ts';
import { webhookProviders } from '../domain/channels/kinds/webhook.ts';
import { readSettings } from '../domain/channels/settings.ts';
import { englishReason } from '../domain/channels/words/catalogue.ts';
import { replaceSecrets } from '../operations/providers/change-provider.ts';
import { noteTrouble } from '../operations/providers/provider-alarms.ts';
import { listSealedProviders } from '../operations/providers/queries.ts';
import { seedSimulator } from '../operations/providers/seed.ts';
import { reportTelephonyEnded } from '../operations/system/node-alarms.ts';
import type { NodeContext } from './part-context.ts';

/** Beside the main file, with the same extension: .ts in a checkout, .js in a bundle. */
const voiceWorker = import.meta.url.endsWith('.ts')
  ? new URL('../voice-worker.ts', import.meta.url)
  : new URL('./voice-worker.js', import.meta.url);

/** How providers are opened, by the name of their kind. */
export type Openers = Readonly<Record<string, OpenKind>>;

export function openSecretBox({ config }: Pick<NodeContext, 'config'>): SecretBox {
  const { key, oldKeys } = config.secrets;
  return new SecretBox(() => key ?? keyInFolder(config.dataDir), oldKeys);
}

export async function openProviders(
  context: NodeContext,
  box: SecretBox,
  tokens: AttemptTokens,
  others: Openers,
  startVoiceWorker?: StartVoiceWorker,
): Promise<{ readonly pool: ProviderPool; readonly nodeName: string }> {
  const { store, feed, nodeId, config, onTrouble } = context;
  const nodeName = config.nodeName;
  await store.write(seedSimulator, {});
  await encryptAgain(context, box);
  const pool = await ProviderPool.open({
    store,
    feed,
    nodeId,
    nodeName,
    hasSimulator: config.calling.hasSimulator,
    openers: {
      ...openersOf(context, {
        mail: { tokens, work: context.work, ...mailLog(context) },
        telephony: telephonyOf(context),
        startVoiceWorker,
      }),
      ...others,
    },
    unseal: (secrets) => unseal(secrets, box),
    ...healthLog(context),
    onTrouble,
  });
  return { pool, nodeName };
}

/** Each change is one line, however often a provider is tried. */
function healthLog({ log }: NodeContext): Pick<PoolParts, 'onHealth' | 'onRefusal' | 'onUnopened'> {
  return {
    onHealth: ({ provider, state, reason }) =>
      state === 'down'
        ? log.warn({ provider, reason: englishReason(reason) }, 'a provider is down')
        : log.info({ provider }, 'a provider can be used'),
    onRefusal: ({ provider, reason }) =>
      log.warn({ provider, reason: englishReason(reason) }, 'a provider refuses messages'),
    onUnopened: ({ provider, reason }) =>
      log.warn({ provider, reason: englishReason(reason) }, 'this node cannot open a provider'),
  };
}

function mailLog({ log }: NodeContext): Omit<MailParts, 'tokens' | 'work'> {
  return {
    onIgnored: (ignored) => log.info(ignored, 'a mail is no answer'),
    onMailbox: ({ provider, problem }) =>
      problem === undefined
        ? log.info({ provider }, 'the mailbox of a provider is read')
        : log.warn({ provider, reason: englishReason(problem) }, 'the mailbox of a provider is not read'),
  };
}

/** What a running server is told of telephone calls. */
type Telephony = {
  /** What is wrong with a provider that calls people all the same. */
  readonly note: VoicePorts['note'];
  /** The thread of the calls has ended by a fault. */
  readonly onEnded: (error: unknown) => void;
  readonly onTrouble: (error: unknown) => void;
};

function telephonyOf({ store, config, log, onTrouble }: NodeContext): Telephony {
  return {
    note: (providerId, trouble, problem) =>
      void store.write(noteTrouble, { providerId, trouble, problem }).catch(onTrouble),
    onEnded(err) {
      log.error({ err }, 'telephony has ended by a fault and was started again; its calls were cut off');
      store.write(reportTelephonyEnded, { nodeName: config.nodeName }).catch(onTrouble);
    },
    onTrouble: (error) => log.warn({ err: error }, 'trouble with a telephone call'),
  };
}

type OpenerContext = Pick<NodeContext, 'store' | 'feed' | 'clock' | 'config' | 'onTrouble'>;

/** The parts of a running server that mails use: the signer of links, and the log of mails that are no answers. */
type MailParts = Pick<StoredMailParts, 'onIgnored' | 'onMailbox' | 'work'> & { readonly tokens: AttemptTokens };

const silentMail = { onIgnored: () => {}, onMailbox: () => {}, work: undefined };

type OpenerOptions = {
  /** Without it mails have no link, and replies to them are not recognised. */
  readonly mail?: MailParts;
  /** A command that opens providers does not say what a running server can do. */
  readonly telephony?: Telephony;
  /** Starts the thread of telephone calls, for tests that bring a bundle of it or run it in their own thread. */
  readonly startVoiceWorker?: StartVoiceWorker | undefined;
  /** The conversations of telephone calls, if they are not rows of the store. */
  readonly conversations?: Conversations;
  /** The folder of spoken texts, if it is not in the data folder. */
  readonly speechDir?: string;
};

/** Returns how providers of each kind are opened; a command opens them without a running server. */
export function openersOf(
  { store, feed, clock, config, onTrouble }: OpenerContext,
  options: OpenerOptions = {},
): Openers {
  const phones = simulatedPhones(store, feed, clock);
  const comparePin = (attemptId: number, keys: string) => compareTypedPin(store, attemptId, keys);
  const conversations = options.conversations ?? storedConversations(store, feed, clock, comparePin);
  const { command, voices, decoder } = config.speech;
  const cacheDir = options.speechDir ?? join(config.dataDir, 'speech');
  const telephone = new VoiceThread({
    startWorker: options.startVoiceWorker ?? voiceWorkersOf(voiceWorker),
    data: { speech: { command, voices, cacheDir }, decoder },
    conversations,
    recordings: storedRecordings(store),
    ...(options.telephony ?? { onEnded: onTrouble, onTrouble }),
  });
  const mailParts = options.mail ?? { tokens: new AttemptTokens(randomBytes(32)), ...silentMail };
  const publicUrl = options.mail === undefined ? undefined : config.publicUrl;
  const pagesAt = publicUrl && `${publicUrl.replace(/\/+$/, '')}${config.basePath}`;
  const mail = { store, clock, pagesAt, ...mailParts, onTrouble };
  return {
    simulator: ({ settings }) =>
      new Simulator(phones, clock, readSettings(simulatorProviders.fields, settings).values, onTrouble),
    sip: (provider, secrets) => telephone.open(provider, secrets),
    smtp: ({ id, settings }, secrets) =>
      new SmtpProvider(readSettings(smtpProviders.fields, settings).values, secrets, storedMail(id, mail), clock),
    webhook: ({ settings }, secrets) =>
      new WebhookProvider(readSettings(webhookProviders.fields, settings).values, secrets, clock),
  };
}

export function unseal(secrets: string, box: SecretBox): Readonly<Record<string, string>> {
  const entries = Object.entries(JSON.parse(secrets) as Record<string, string>);
  return Object.fromEntries(entries.map(([name, sealed]) => [name, box.open(sealed, name)]));
}

/** Secrets made with an old key are stored anew with the present one, so that the old key can be taken away. */
async function encryptAgain({ store, log }: NodeContext, box: SecretBox): Promise<void> {
  for (const { provider, secrets } of await store.read(listSealedProviders, {})) {
    const entries = Object.entries(JSON.parse(secrets) as Record<string, string>);
    if (entries.every(([, sealed]) => box.isCurrent(sealed))) continue;
    try {
      const anew = entries.map(([name, sealed]) => [name, box.seal(box.open(sealed, name), name)]);
      const changed = { id: provider.id, before: secrets, secrets: JSON.stringify(Object.fromEntries(anew)) };
      await store.write(replaceSecrets, changed);
    } catch (error) {
      log.warn({ provider: provider.name, reason: String(error) }, 'the secrets of a provider cannot be read');
    }
  }
}
