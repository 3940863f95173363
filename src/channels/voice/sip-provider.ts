// Telephone calls by SIP: rings a person through a trunk, leads the conversation, and releases calls of a lost process.

import {
  type AccountOptions,
  type Credentials,
  type Ended,
  type HangUpReason,
  type MediaSession,
  NoFreePort,
  type Trunk,
  type UserAgent,
} from '@tocsin/sip';
import type { CallMessage, CodeMessage, Delivery } from '../../domain/calls/delivery.ts';
import { spokenDigits } from '../../domain/calls/words/spoken-form.ts';
import { type SipSettings, sipProviders } from '../../domain/channels/kinds/sip.ts';
import type { Provider } from '../../domain/channels/provider.ts';
import { readSettings } from '../../domain/channels/settings.ts';
import { providerReasonIn } from '../../domain/channels/words/catalogue.ts';
import { type ProviderReason, storedReason } from '../../domain/channels/words/provider-reason.ts';
import { AppError } from '../../errors.ts';
import { callEnded, notAccepted, type OpenProvider, type Report } from '../channel.ts';
import { isOfNetwork, type Reached } from '../network-problem.ts';
import { cancelled, type Failed, failedBy, internalFault } from '../verdicts.ts';
import { acceptAnswer, followAnswers } from './accept-answer.ts';
import { connectTalk, endOnFault, type VoicePorts } from './connect-talk.ts';
import { LostCalls, refOf } from './lost-calls.ts';
import { outcomeOf, outcomeOfTalk, unreached, unreachedReason, unspeakable } from './outcomes.ts';
import { NoVoice } from './speech.ts';
import { TrunkAgent } from './trunk-agent.ts';
import { TrunkRegistration } from './trunk-registration.ts';
import { voiceStages } from './voice-stages.ts';

const takenElsewhere = { sip: 200, text: 'Call completed elsewhere' };
const notAcceptable = { sip: 488, text: 'Not acceptable here' };
/** How long closing waits for peers to confirm that calls have ended. */
const longestGoodbyeMs = 2_000;
/** As the user agent says it. */
const silence = 'no response';
/** How often a code is read out. */
const codeReadings = 2;

/** A call under way, before and after it is answered. */
type Line = {
  readonly media: MediaSession;
  readonly call: ReturnType<UserAgent['invite']>;
  readonly end: Promise<Ended>;
  /** Whether the call has ended by an error of this server. */
  hasFault(): boolean;
};

export class SipProvider implements OpenProvider {
  #settings: SipSettings;
  #credentials: Credentials | undefined;
  readonly #ports: VoicePorts;
  readonly #providerId: number;
  readonly #agents: TrunkAgent;
  /** Calls whose peers have not confirmed their end. */
  readonly #goodbyes = new Set<Promise<void>>();
  readonly #registration: TrunkRegistration;
  readonly #lostCalls: LostCalls;
  /** What was noted last of the voices, since the provider was opened or saved. */
  #voiceProblem: { readonly noted: string | undefined } | undefined;

  constructor(providerId: number, settings: SipSettings, password: string | undefined, ports: VoicePorts) {
    this.#settings = settings;
    this.#credentials = credentialsOf(settings, password);
    this.#ports = ports;
    this.#providerId = providerId;
    this.#agents = new TrunkAgent({
      ...{ providerId, ports },
      settings: () => this.#settings,
      trunk: () => this.#trunk(),
      isRegistered: () => this.#registration.isRegistering,
    });
    this.#registration = new TrunkRegistration({
      agent: () => this.#agent,
      account: () => this.#account(),
      onTrouble: ports.onTrouble,
    });
    this.#lostCalls = new LostCalls(
      () => this.#agent,
      () => ({ trunk: this.#trunk(), ...this.#withCredentials() }),
      () => this.#settings.listenAddress,
    );
  }

  get #agent(): Promise<UserAgent> {
    return this.#agents.current;
  }

  /** For calls from now on; those under way go on as they began. */
  change({ settings }: Provider, { password }: Readonly<Record<string, string>>): void {
    const before = JSON.stringify(this.#account());
    this.#settings = readSettings(sipProviders.fields, settings).values;
    this.#credentials = credentialsOf(this.#settings, password);
    this.#voiceProblem = undefined;
    const hasOtherAgent = this.#agents.followSettings();
    if (hasOtherAgent || before !== JSON.stringify(this.#account())) this.#registration.follow();
  }

  async deliver(message: CallMessage, report: Report, signal: AbortSignal): Promise<Delivery> {
    const before = await this.#ports.conversations.begin(message);
    if (before !== undefined) return outcomeOfTalk(before.isLockedOut ? 'locked-out' : 'hung-up', before, []);
    if (signal.aborted) return cancelled;
    const mute = await this.#ports.speech.check(signal).then(() => undefined, speechFailure);
    if (signal.aborted) return cancelled;
    if (mute?.fault !== undefined) return mute;
    const line = await this.#dial(message).catch((error: unknown) => this.#unreached(error));
    if ('kind' in line) return line;
    const { call } = line;
    const abort = (): void => this.#hangUp(line, signal.reason === callEnded ? takenElsewhere : undefined);
    signal.addEventListener('abort', abort, { once: true });
    call.once('trying', () => report({ kind: 'accepted', ref: refOf(call.save()) }));
    call.once('ringing', () => {
      report({ kind: 'accepted', ref: refOf(call.save()) });
      report({ kind: 'ringing' });
    });
    try {
      const failed = await Promise.race([this.#answeredOrFailed(line), aborted(signal)]);
      if (failed === 'aborted') return signal.reason === notAccepted ? unreached(silence, this.#pbx) : cancelled;
      if (failed !== undefined) return failed;
      report({ kind: 'accepted', ref: refOf(call.save()) });
      report({ kind: 'answered', ref: refOf(call.save()) });
      signal.removeEventListener('abort', abort);
      return await this.#talk(message, line, signal);
    } finally {
      signal.removeEventListener('abort', abort);
      this.#release(line);
    }
  }

  #release(line: Line): void {
    this.#hangUp(line);
    line.media.close();
  }

  /** Hangs up without waiting for a peer that may be gone; closing the provider waits a little. */
  #hangUp({ call }: Line, reason?: HangUpReason): void {
    const goodbye: Promise<void> = call
      .hangUp(reason)
      .finally(() => this.#goodbyes.delete(goodbye))
      .catch(this.#ports.onTrouble);
    this.#goodbyes.add(goodbye);
  }

  /** Resolves with the outcome of a call that came to nothing; with undefined when somebody answered and can be spoken to. */
  #answeredOrFailed(line: Line): Promise<Failed | undefined> {
    const { call, media, end } = line;
    const answered = new Promise<Failed | undefined>((resolve) => {
      call.once('answered', ({ description }) => {
        const problem = acceptAnswer(media, description);
        if (problem !== undefined) this.#hangUp(line, notAcceptable);
        resolve(problem === undefined ? undefined : unspeakable(problem));
      });
    });
    return Promise.race([answered, end.then((ended) => outcomeOf(ended, this.#pbx))]);
  }

  release(ref: string): Promise<void> {
    return this.#lostCalls.release(ref);
  }

  /** A trunk without a voice is of no use: the speech is checked as well. */
  async check(signal: AbortSignal): Promise<void> {
    this.#noteVoice(await this.#ports.speech.check(signal));
    const agent = await this.#agent;
    const { isAlive, status, reason } = await agent.ask(this.#trunk());
    if (!isAlive) {
      const answered = status === undefined ? undefined : ({ code: 'pbx-answered', status, said: reason } as const);
      throw new Error(storedReason(answered ?? unreachedReason(reason, this.#pbx)));
    }
    const problem = (await this.#findAddressProblem(agent)) ?? (await this.#findRegistrationProblem());
    if (problem !== undefined) throw new Error(storedReason(problem));
    // A port that was taken is asked for again.
    if (this.#agents.retryPort()) this.#registration.follow();
  }

  #noteVoice(problem: string | undefined): void {
    if (this.#voiceProblem !== undefined && this.#voiceProblem.noted === problem) return;
    this.#voiceProblem = { noted: problem };
    this.#ports.note?.(this.#providerId, 'voice', problem);
  }

  /** People are called all the same while a voice is missing or nobody can ring in. */
  async checkReplies(signal: AbortSignal): Promise<void> {
    const problem = await this.#ports.speech.check(signal, 'now');
    this.#noteVoice(problem);
    if (problem !== undefined) throw new Error(problem);
    await this.#agent;
    if (this.#agents.ringInProblem !== undefined) throw new Error(this.#agents.ringInProblem);
  }

  /** The audio of a call is in this process. */
  survivesShutdown(): boolean {
    return false;
  }

  /** Rings the number and reads the code twice to whoever picks up. */
  async sendCode({ address, text, language }: CodeMessage, signal: AbortSignal): Promise<Delivery> {
    const line = await this.#dial({ address, hasNextProvider: false }).catch((error: unknown) =>
      this.#unreached(error),
    );
    if ('kind' in line) return line;
    const began = performance.now();
    const abort = (): void => this.#hangUp(line);
    signal.addEventListener('abort', abort, { once: true });
    try {
      const failed = await this.#answeredOrFailed(line);
      if (failed !== undefined) return unreadCode(failed, performance.now() - began);
      const samples = await this.#ports.speech.say(text.replace(/\b\d{6}\b/, spokenDigits), language, signal);
      const isOver = line.end.then(() => true);
      for (let reading = 0; reading < codeReadings; reading++)
        if ((await Promise.race([line.media.play(samples), isOver])) === true) break;
      if (line.hasFault()) return internalFault;
      return { kind: 'delivered', detail: storedReason({ code: 'code-read-out' }) };
    } finally {
      signal.removeEventListener('abort', abort);
      this.#release(line);
    }
  }

  setHeld(isHeld: boolean): void {
    this.#registration.setHeld(isHeld);
  }

  async close(): Promise<void> {
    this.#registration.close();
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, longestGoodbyeMs);
    await Promise.race([Promise.all(this.#goodbyes), late]);
    clearTimeout(timer);
    await this.#agents.close();
  }

  #trunk(): Trunk {
    const { host, port, transport, domain } = this.#settings;
    return {
      host,
      protocol: transport,
      ...(port === undefined ? {} : { port }),
      ...(domain === undefined ? {} : { domain }),
    };
  }

  get #pbx(): Reached {
    const { host, transport, port = transport === 'tls' ? 5061 : 5060, listenAddress } = this.#settings;
    return { host, port, from: listenAddress, advice: 'sip' };
  }

  /** A fault of the network is an outcome, and so is a range of ports that is used up; any other error is one of the program. */
  #unreached(error: unknown): Delivery {
    if (!isOfNetwork(error) && !(error instanceof NoFreePort)) throw error;
    return unreached(error, this.#pbx);
  }

  #withCredentials(): { readonly credentials?: Credentials } {
    return this.#credentials === undefined ? {} : { credentials: this.#credentials };
  }

  async #dial({ address, hasNextProvider }: Pick<CallMessage, 'address' | 'hasNextProvider'>): Promise<Line> {
    const agent = await this.#agent;
    const { user, displayName, dialPrefix, progressSeconds, ringSeconds } = this.#settings;
    const trunk = this.#trunk();
    const media = await this.#agents.openMedia();
    try {
      const call = agent.invite({
        to: dialPrefix === undefined ? address : `${dialPrefix}${address.replace(/^\+/, '')}`,
        from: user,
        trunk,
        ...this.#withCredentials(),
        ...(displayName === '' ? {} : { displayName }),
        offer: media.offer(),
        // The last trunk is given more time: nobody else can ring the number.
        progressTimeoutMs: progressSeconds * (hasNextProvider ? 1_000 : 2_000),
        ringTimeoutMs: ringSeconds * 1_000,
        onOffer: (offer) => (offer === undefined ? media.offer() : media.answer(offer)),
      });
      let hasFault = false;
      const end = new Promise<Ended>((resolve) =>
        call.once('ended', (ended) => {
          hasFault = ended.by === 'fault';
          resolve(ended);
        }),
      );
      endOnFault(call, media, this.#ports.onTrouble);
      followAnswers(call, media);
      // Early media opens the way through a NAT; a description that cannot be used is refused with the answer.
      call.on('ringing', ({ description }) => void (description && acceptAnswer(media, description)));
      return { media, call, end, hasFault: () => hasFault };
    } catch (error) {
      media.close();
      throw error;
    }
  }

  async #talk({ attemptId }: CallMessage, line: Line, signal: AbortSignal): Promise<Delivery> {
    const { conversations, onTrouble } = this.#ports;
    const { talk, sounds, stopNews, hasVanished } = connectTalk(this.#ports, line, attemptId);
    const onAbort = (): void => void (signal.reason === callEnded ? talk.noteNews().catch(onTrouble) : talk.hangUp());
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const how = await talk.run().catch(speechFailure);
      if (typeof how === 'object') return how;
      const ended = await conversations.ended(attemptId);
      if (line.hasFault()) return internalFault;
      for (const failure of sounds.failures) onTrouble(new Error(providerReasonIn('en', failure)));
      return outcomeOfTalk(how === 'hung-up' && hasVanished() ? 'vanished' : how, ended, sounds.failures);
    } finally {
      stopNews();
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** A public name that is not known keeps every call from its sound. */
  async #findAddressProblem(agent: UserAgent): Promise<ProviderReason | undefined> {
    try {
      await agent.mediaAddressesFor(this.#trunk());
      return undefined;
    } catch (error) {
      return unreachedReason(error, this.#pbx);
    }
  }

  async #findRegistrationProblem(): Promise<ProviderReason | undefined> {
    if (!this.#settings.register) return undefined;
    const account = this.#account();
    if (account === undefined) return { code: 'no-account-password', user: this.#settings.user };
    const refusal = await this.#registration.findRefusal(account);
    return refusal && this.#refusedAccount(refusal);
  }

  #account(): AccountOptions | undefined {
    if (this.#credentials === undefined || !this.#settings.register) return undefined;
    return { user: this.#settings.user, trunk: this.#trunk(), credentials: this.#credentials };
  }

  #refusedAccount({ status, reason }: { readonly status?: number; readonly reason: string }): ProviderReason {
    if (status === undefined) return unreachedReason(reason, this.#pbx);
    return { code: 'account-refused', user: this.#settings.user, status, said: reason };
  }
}

function credentialsOf({ authUser, user }: SipSettings, password: string | undefined): Credentials | undefined {
  return password === undefined ? undefined : { username: authUser ?? user, password };
}

/** Whoever waits for the code is told for how long the telephone rang. */
function unreadCode(outcome: Extract<Delivery, { kind: 'failed' }>, rangMs: number): Delivery {
  const hasRungInVain = outcome.outcome === 'cancelled' || outcome.outcome === 'noAnswer';
  if (!hasRungInVain) return outcome;
  const seconds = Math.round(rangMs / 1000);
  return failedBy(voiceStages.ringing.answers.timeout, { code: 'nobody-answered', seconds });
}

/** Without a voice nobody is rung, and nobody has been reached: the call is made when there is one again. */
function speechFailure(error: unknown): Failed {
  // The steps of the conversation could not be stored, which is nobody's fault.
  if (error instanceof AppError && error.code === 'unavailable') throw error;
  const { answers, other } = voiceStages.talking;
  if (error instanceof NoVoice) return failedBy(answers.noVoice, { code: 'mute', why: error.why });
  return failedBy(other, { code: 'conversation-failed', said: error instanceof Error ? error.message : '' });
}

/** Resolves when the signal aborts. */
function aborted(signal: AbortSignal): Promise<'aborted'> {
  if (signal.aborted) return Promise.resolve('aborted');
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve('aborted'), { once: true }));
}
