// A client of a hub after its handshake: what it calls, what is sent to it, and what time does to both.

import { type CloseOptions, type Cursor, HubException } from '../hub.ts';
import { type CallBundle, type LiveHub, type Member, SharedCall } from '../live-hub.ts';
import type { Settings } from '../options.ts';
import type { Payload } from '../payload.ts';
import { isExpired, type Principal } from '../principal.ts';
import { ClientResults } from './client-results.ts';
import { Invocations } from './invocations.ts';
import { MessageBuffer } from './message-buffer.ts';
import { type Close, type HubMessage, InvalidMessage, messageType } from './protocol/messages.ts';
import { type CoreEncoding, MessageReader } from './protocol/protocol.ts';
import type { RawConnection } from './transports/raw-connection.ts';
import { Uploads } from './upload-stream.ts';

const closedWithError = 'Connection closed with an error.';
const connectionClosed = 'The connection was closed.';

export class HubSession implements Member {
  readonly id: string;
  readonly #raw: RawConnection;
  readonly #hub: LiveHub;
  readonly #encoding: CoreEncoding;
  readonly #settings: Settings;
  readonly #reader: MessageReader;
  /** Only when the client may resume. */
  readonly #buffer: MessageBuffer | undefined;
  readonly #uploads: Uploads;
  readonly #results = new ClientResults();
  readonly #invocations: Invocations;
  /** Whether the hub has let it in. */
  readonly #welcome = Promise.withResolvers<boolean>();
  #error: Error | undefined;
  #hasPinged = false;
  #lastReceivedAt: number;
  #lastSentAt: number;
  /** Whether something was sent since the last tick: for each message, looking at the clock would cost too much. */
  #hasSent = false;
  #overfullSince: number | undefined;
  /** What is called with each cursor, if the hub wants that. */
  #cursorTarget: string | undefined;

  constructor(raw: RawConnection, hub: LiveHub, encoding: CoreEncoding, settings: Settings) {
    this.id = raw.id;
    this.#raw = raw;
    this.#hub = hub;
    this.#encoding = encoding;
    this.#settings = settings;
    this.#reader = new MessageReader(encoding.protocol, settings.limits.messageBytes);
    this.#buffer = raw.canResume ? new MessageBuffer(encoding) : undefined;
    this.#uploads = new Uploads(() => this.#regulate());
    this.#invocations = new Invocations(hub, this, this.#uploads, {
      complete: (invocationId, outcome) => this.#post({ type: messageType.completion, invocationId, ...outcome }),
      item: (invocationId, item) => this.#post({ type: messageType.streamItem, invocationId, item }),
      untilSent: () => this.untilSent(),
      trouble: settings.onError,
      onShorter: () => this.#regulate(),
    });
    this.#lastReceivedAt = this.#lastSentAt = settings.now();
  }

  get principal(): Principal {
    return this.#raw.principal;
  }

  get closed(): AbortSignal {
    return this.#raw.closed;
  }

  send(target: string, args: readonly unknown[], cursor?: Cursor): void {
    this.#postPayload(this.#payloadOf(new SharedCall(target, args, cursor)));
  }

  announceCursors(target: string): void {
    this.#cursorTarget = target;
  }

  /** Clients of this generation have no cursors. */
  advance(): void {}

  untilSent(): Promise<void> {
    return this.#raw.until(() => this.#raw.hasRoom && !this.#isOverfull());
  }

  async invoke(target: string, args: readonly unknown[], signal?: AbortSignal): Promise<unknown> {
    if (this.#raw.isClosed) throw new Error(connectionClosed);
    const send = (invocationId: string) => this.#post({ type: messageType.invocation, invocationId, target, args });
    const result = this.#results.expect(send, signal);
    // The answer must be able to come in.
    this.#regulate();
    return result;
  }

  close(options: CloseOptions = {}): void {
    this.#hub.scheduler.post(() => {
      this.#end({ type: messageType.close, ...options });
      return true;
    });
  }

  joinGroup(name: string): void {
    this.#hub.join(this, name);
  }

  leaveGroup(name: string): void {
    this.#hub.leave(this, name);
  }

  deliver(call: SharedCall): void {
    this.#write(this.#payloadOf(call));
  }

  deliverTogether(bundle: CallBundle): void {
    this.#write(this.#payloadOf(bundle));
  }

  /** Makes it a member of its hub, which may refuse it. */
  start(): void {
    this.#hub.add(this);
    this.#invocations.first(async () => this.#welcome.resolve(await this.#greet()));
  }

  receive(bytes: Buffer): void {
    this.#lastReceivedAt = this.#settings.now();
    try {
      for (const message of this.#reader.read(bytes)) {
        if (this.#raw.isClosed) return;
        if (this.#buffer?.isNews(message) ?? true) this.#process(message);
        if (this.#isAbused()) throw new InvalidMessage('The client calls and uploads without end');
      }
      this.#regulate();
    } catch (error) {
      if (!(error instanceof InvalidMessage)) this.#settings.onError(error);
      this.#cut(closedWithError);
    }
  }

  resumed(): void {
    this.#lastReceivedAt = this.#settings.now();
    // What was half received will be sent again as a whole.
    this.#reader.reset();
    if (this.#buffer !== undefined) this.#raw.send(this.#buffer.replay());
  }

  tooSlow(): void {
    this.#cut('The client does not read what it is sent.');
  }

  tick(now: number): void {
    this.#overfullSince = this.#isOverfull() ? (this.#overfullSince ?? now) : undefined;
    const overfullFor = now - (this.#overfullSince ?? now);
    if (isExpired(this.principal, now)) this.#end({ type: messageType.close, allowReconnect: true });
    else if (overfullFor > this.#settings.intervals.ackTimeout) this.tooSlow();
    else if (this.#raw.transport === undefined) return;
    else if (this.#isSilent(now)) this.#cut(closedWithError);
    else this.#sendWhatIsDue(now);
  }

  /** The connection below has ended. */
  ended(): void {
    this.#hub.remove(this);
    this.#invocations.end();
    this.#uploads.endAll(connectionClosed);
    this.#results.rejectAll(connectionClosed);
    void this.#sayFarewell();
  }

  async #sayFarewell(): Promise<void> {
    if (await this.#welcome.promise) await this.#hub.bidFarewell(this, this.#error);
  }

  async #greet(): Promise<boolean> {
    try {
      await this.#hub.definition.onConnected?.(this);
      return true;
    } catch (error) {
      const isForClient = error instanceof HubException;
      if (!isForClient) this.#settings.onError(error);
      const text = isForClient ? `${closedWithError} HubException: ${error.message}` : closedWithError;
      this.#end({ type: messageType.close, error: text });
      return false;
    }
  }

  #process(message: HubMessage): void {
    switch (message.type) {
      case messageType.invocation:
      case messageType.streamInvocation:
        this.#invocations.add(message);
        break;
      case messageType.cancelInvocation:
        this.#invocations.cancel(message.invocationId);
        break;
      case messageType.streamItem:
        this.#uploads.add(message.invocationId, message.item);
        break;
      case messageType.completion:
        if (!this.#results.complete(message)) this.#uploads.end(message.invocationId, message.error);
        break;
      case messageType.ping:
        this.#hasPinged = true;
        break;
      case messageType.close:
        this.#raw.close();
        break;
      case messageType.ack:
        this.#buffer?.acknowledge(message.sequenceId);
        this.#raw.onProgress();
        break;
      case messageType.sequence:
        this.#buffer?.goOnFrom(message.sequenceId);
        break;
    }
  }

  #payloadOf(calls: SharedCall | CallBundle): Payload {
    const sent = this.#cursorTarget === undefined ? calls : calls.closedBy(this.#cursorTarget);
    return sent.payloadFor(this.#encoding);
  }

  #post(message: HubMessage): void {
    this.#postPayload(this.#encoding.encode(message));
  }

  /** Sends in the order of the hub, so that nothing overtakes a broadcast. */
  #postPayload(payload: Payload): void {
    this.#hub.scheduler.post(() => {
      this.#write(payload);
      return true;
    });
  }

  #write(payload: Payload): void {
    if (this.#raw.isClosed) return;
    this.#buffer?.add(payload);
    this.#hasSent = true;
    if ((this.#buffer?.keptBytes ?? 0) > this.#settings.limits.queuedBytes) this.tooSlow();
    else this.#raw.send(payload);
  }

  #sendWhatIsDue(now: number): void {
    const ack = this.#buffer?.takeAck();
    if (ack !== undefined) this.#raw.send(ack);
    if (this.#hasSent) this.#lastSentAt = now;
    this.#hasSent = false;
    // A poll that ends without news is a sign of life by itself.
    const isPingDue = now - this.#lastSentAt >= this.#settings.intervals.keepAlive;
    if (!isPingDue || this.#raw.transportName === 'LongPolling') return;
    this.#lastSentAt = now;
    this.#raw.send(this.#encoding.encode({ type: messageType.ping }));
  }

  /** A client that never sent a ping does not promise to send any; one that we do not listen to cannot. */
  #isSilent(now: number): boolean {
    const promises = this.#hasPinged && this.#raw.transportName !== 'LongPolling' && !this.#raw.isPaused;
    return promises && now - this.#lastReceivedAt > this.#settings.intervals.clientTimeout;
  }

  #isOverfull(): boolean {
    return (this.#buffer?.keptBytes ?? 0) > this.#settings.limits.replayBytes;
  }

  /** Stops reading from a client that is ahead of us, unless we wait for its answer ourselves. */
  #regulate(): void {
    const { uploadItems, waitingInvocations } = this.#settings.limits;
    const isAhead = this.#uploads.unread >= uploadItems || this.#invocations.waiting >= waitingInvocations;
    const shouldPause = isAhead && this.#results.size === 0;
    if (shouldPause === this.#raw.isPaused) return;
    if (shouldPause) this.#raw.pause();
    else this.#raw.unpause();
  }

  #isAbused(): boolean {
    const { pending } = this.#settings.limits;
    return this.#invocations.size > pending || this.#uploads.size > pending || this.#uploads.unread > pending;
  }

  /** Ends it for a fault; the client may come back. */
  #cut(text: string): void {
    this.#error = new Error(text);
    this.#end({ type: messageType.close, error: text, allowReconnect: true });
  }

  #end(message: Close): void {
    this.#raw.close(this.#encoding.encode(message));
  }
}
