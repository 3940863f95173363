// One SIP provider that is open in the thread of telephone calls.

import type { CallMessage, CodeMessage, Delivery } from '../../../domain/calls/delivery.ts';
import type { Provider } from '../../../domain/channels/provider.ts';
import { storedReason } from '../../../domain/channels/words/provider-reason.ts';
import type { OpenProvider, Report } from '../../channel.ts';
import { down, failedBy, internalFault } from '../../verdicts.ts';
import type { ThreadCalls } from './thread-calls.ts';
import type { VoiceFunctions } from './voice-functions.ts';

/** What calls of the thread fail with when it has ended. */
export class ThreadEnded extends Error {
  constructor() {
    super(storedReason({ code: 'telephony-restarts' }));
  }
}

/** The end of the thread is one alarm, not one for each of its calls. */
const cutOff: Delivery = { ...internalFault, failure: 'cut-off' };

type Opened = { readonly key: number; readonly provider: Provider; readonly secrets: Readonly<Record<string, string>> };

type ThreadProviderParts = {
  /** Undefined while the thread is not running. */
  readonly calls: () => ThreadCalls<VoiceFunctions> | undefined;
  /** The same when it was started again, if it is about to be. */
  readonly callsAfterPause: () => Promise<ThreadCalls<VoiceFunctions> | undefined>;
  readonly onClosed: (provider: ThreadProvider) => Promise<void>;
  readonly onTrouble: (error: unknown) => void;
};

export class ThreadProvider implements OpenProvider {
  #opened: Opened;
  readonly #parts: ThreadProviderParts;
  #isHeld = false;

  constructor(opened: Opened, parts: ThreadProviderParts) {
    this.#opened = opened;
    this.#parts = parts;
  }

  /** Opens it in a thread that was started. */
  openIn(calls: ThreadCalls<VoiceFunctions>): void {
    calls.send('open', this.#opened);
    if (this.#isHeld) calls.send('setHeld', { key: this.#opened.key, isHeld: true });
  }

  change(provider: Provider, secrets: Readonly<Record<string, string>>): void {
    this.#opened = { ...this.#opened, provider, secrets };
    this.#parts.calls()?.send('change', this.#opened);
  }

  setHeld(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.#parts.calls()?.send('setHeld', { key: this.#opened.key, isHeld });
  }

  /** Of a call that the end of the thread has cut off, the far end is released before the next one is made. */
  async deliver(message: CallMessage, report: Report, signal: AbortSignal): Promise<Delivery> {
    const calls = this.#parts.calls();
    if (calls === undefined) return failedBy(down, { code: 'telephony-restarts' });
    let { providerRef } = message;
    const noteRef: Report = (progress) => {
      if ('ref' in progress) providerRef = progress.ref ?? providerRef;
      report(progress);
    };
    try {
      return await calls.call('deliver', { key: this.#opened.key, message }, { signal, report: noteRef });
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      if (providerRef !== undefined) await this.release(providerRef).catch(this.#parts.onTrouble);
      return cutOff;
    }
  }

  /** Waits for a thread that is about to be started again: nobody else ends what the one before has begun. */
  async release(ref: string): Promise<void> {
    const calls = await this.#parts.callsAfterPause();
    if (calls === undefined) throw new ThreadEnded();
    await calls.call('release', { key: this.#opened.key, ref });
  }

  async check(signal: AbortSignal): Promise<void> {
    await this.#calls().call('check', { key: this.#opened.key }, { signal });
  }

  async checkReplies(signal: AbortSignal): Promise<void> {
    await this.#calls().call('checkReplies', { key: this.#opened.key }, { signal });
  }

  async sendCode(message: CodeMessage, signal: AbortSignal): Promise<Delivery> {
    return this.#calls().call('sendCode', { key: this.#opened.key, message }, { signal });
  }

  /** The sound of a call is in this process. */
  survivesShutdown(): boolean {
    return false;
  }

  async close(): Promise<void> {
    await this.#parts.calls()?.call('close', { key: this.#opened.key }).catch(this.#parts.onTrouble);
    await this.#parts.onClosed(this);
  }

  #calls(): ThreadCalls<VoiceFunctions> {
    const calls = this.#parts.calls();
    if (calls === undefined) throw new ThreadEnded();
    return calls;
  }
}
