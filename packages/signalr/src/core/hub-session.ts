// An ASP.NET Core client of a hub after its handshake: its calls, the messages to it, keep-alives and time-outs.

import { failureText } from '../failure-text.ts';
import { type CloseOptions, type Cursor, HubException } from '../hub.ts';
import type { Member } from '../live/broadcast-batch.ts';
import type { LiveHub } from '../live/live-hub.ts';
import { type CallBundle, SharedCall } from '../live/shared-call.ts';
import type { OpeningRequest } from '../opening-request.ts';
import type { Settings } from '../options.ts';
import { isExpired, type Principal } from '../principal.ts';
import type { Payload } from '../sending/payload.ts';
import { ClientResults } from './client-results.ts';
import { Invocations } from './invocations.ts';
import { MessageBuffer } from './message-buffer.ts';
import { type Close, type Completion, type HubMessage, InvalidMessage, messageType } from './protocol/messages.ts';
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
  /** Undefined unless the client may resume. */
  readonly #buffer: MessageBuffer | undefined;
  readonly #uploads: Uploads;
  readonly #results = new ClientResults();
  readonly #invocations: Invocations;
  /** Resolves to whether the hub accepted the connection. */
  readonly #admitted = Promise.withResolvers<boolean>();
  #error: Error | undefined;
  #hasPinged = false;
  #lastReceivedAt: number;
  #lastSentAt: number;
  /** Whether something was sent since the last tick; reading the clock for each message would cost too much. */
  #hasSent = false;
  /** When the client last acknowledged something, or had nothing to acknowledge. */
  #acknowledgedAt: number;
  /** The client function called after each call with a cursor, if the hub wants that. */
  #cursorTarget: string | undefined;

  constructor(raw: RawConnection, hub: LiveHub, encoding: CoreEncoding, settings: Settings) {
    this.id = raw.id;
    this.#raw = raw;
    this.#hub = hub;
    this.#encoding = encoding;
    this.#settings = settings;
    this.#reader = new MessageReader(encoding.protocol, settings.limits.messageBytes);
    this.#buffer = raw.canResume ? new MessageBuffer(encoding, raw.share) : undefined;
    this.#uploads = new Uploads(() => this.#applyBackpressure());
    this.#invocations = new Invocations(hub, this, this.#uploads, {
      complete: (invocationId, outcome) => this.#post({ type: messageType.completion, invocationId, ...outcome }),
      item: (invocationId, item) => this.#post({ type: messageType.streamItem, invocationId, item }),
      untilSent: () => this.untilSent(),
      isBehind: () => raw.isBehind,
      untilCaughtUp: () => raw.until(() => !raw.isBehind),
      onError: settings.onError,
      isDetailed: settings.detailedErrors,
      onDequeued: () => raw.guard(() => this.#applyBackpressure()),
    });
    this.#lastReceivedAt = this.#lastSentAt = this.#acknowledgedAt = settings.now();
  }

  get principal(): Principal {
    return this.#raw.principal;
  }

  get request(): OpeningRequest {
    return this.#raw.request;
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

  /** The protocol of ASP.NET Core SignalR has no cursors. */
  advance(): void {}

  untilSent(): Promise<void> {
    return this.#raw.until(() => this.#raw.hasRoom && this.#bufferedBytes <= this.#settings.limits.replayBytes);
  }

  async invoke(target: string, args: readonly unknown[], signal?: AbortSignal): Promise<unknown> {
    if (this.#raw.isClosed) throw new Error(connectionClosed);
    const send = (invocationId: string) => this.#post({ type: messageType.invocation, invocationId, target, args });
    const result = this.#results.expect(send, signal);
    // Resumes reading if it was paused, or the result could not arrive.
    this.#applyBackpressure();
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

  /** Adds the connection to its hub, which may refuse it. */
  start(): void {
    this.#hub.add(this);
    this.#invocations.first(async () => this.#admitted.resolve(await this.#callConnected()));
  }

  receive(bytes: Buffer): void {
    this.#lastReceivedAt = this.#settings.now();
    try {
      for (const message of this.#reader.read(bytes)) {
        if (this.#raw.isClosed) return;
        if (this.#buffer?.isNew(message) ?? true) this.#process(message);
        if (this.#isAbused()) throw new InvalidMessage('The client calls and uploads without end');
      }
      this.#applyBackpressure();
    } catch (error) {
      if (!(error instanceof InvalidMessage)) this.#settings.onError(error);
      this.#cut(this.#closeText(error));
    }
  }

  resumed(): void {
    this.#lastReceivedAt = this.#settings.now();
    // The client sends messages that arrived in part again as a whole.
    this.#reader.reset();
    for (const payload of this.#buffer?.replay() ?? []) this.#raw.send(payload);
  }

  /** Cuts the client without what waits for it. */
  tooSlow(): void {
    const text = 'The client does not read what it is sent.';
    this.#error = new Error(text);
    this.#buffer?.clear();
    this.#raw.giveUp(this.#encoding.encode({ type: messageType.close, error: text, allowReconnect: true }));
  }

  tick(now: number): void {
    // A message that was not passed on cannot be acknowledged: the transport watches whether the client reads.
    if (!this.#raw.hasRoom || this.#bufferedBytes === 0) this.#acknowledgedAt = now;
    if (isExpired(this.principal, this.#settings.wallClock()))
      this.#end({ type: messageType.close, allowReconnect: true });
    else if (now - this.#acknowledgedAt > this.#settings.intervals.sendTimeout) this.tooSlow();
    else if (this.#raw.transport === undefined) return;
    else if (this.#isSilent(now)) this.#cut(closedWithError);
    else this.#sendAckAndPing(now);
  }

  /** The underlying connection has ended. */
  ended(): void {
    this.#hub.remove(this);
    this.#buffer?.clear();
    this.#invocations.end();
    this.#uploads.endAll(new Error(connectionClosed));
    this.#results.rejectAll(connectionClosed);
    void this.#callDisconnected();
  }

  async #callDisconnected(): Promise<void> {
    if (await this.#admitted.promise) await this.#hub.callDisconnected(this, this.#error);
  }

  async #callConnected(): Promise<boolean> {
    try {
      await this.#hub.definition.onConnected?.(this);
      return true;
    } catch (error) {
      if (!(error instanceof HubException)) this.#settings.onError(error);
      this.#end({ type: messageType.close, error: this.#closeText(error) });
      return false;
    }
  }

  #closeText(error: unknown): string {
    return failureText(closedWithError, error, this.#settings.detailedErrors);
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
        if (!this.#results.complete(message)) this.#endUpload(message);
        break;
      case messageType.ping:
        this.#hasPinged = true;
        break;
      case messageType.close:
        this.#raw.close();
        break;
      case messageType.ack:
        this.#acknowledge(message.sequenceId);
        break;
      case messageType.sequence:
        this.#buffer?.expectFrom(message.sequenceId);
        break;
    }
  }

  #acknowledge(sequenceId: number): void {
    if (!this.#buffer?.acknowledge(sequenceId)) return;
    this.#acknowledgedAt = this.#raw.share.progressAt = this.#settings.now();
    this.#raw.onProgress();
  }

  /** The text of a failed upload comes from the client, so the client may read it in the failure of the method. */
  #endUpload({ invocationId, error }: Completion): void {
    this.#uploads.end(invocationId, error === undefined ? undefined : new HubException(error));
  }

  #payloadOf(calls: SharedCall | CallBundle): Payload {
    const sent = this.#cursorTarget === undefined ? calls : calls.closedBy(this.#cursorTarget);
    return sent.payloadFor(this.#encoding);
  }

  #post(message: HubMessage): void {
    this.#postPayload(this.#encoding.encode(message));
  }

  /** Queues the payload in the hub's scheduler, so that it does not overtake a broadcast. */
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
    this.#raw.send(payload);
  }

  #sendAckAndPing(now: number): void {
    const ack = this.#buffer?.takeAck();
    if (ack !== undefined) this.#raw.send(ack);
    if (this.#hasSent) this.#lastSentAt = now;
    this.#hasSent = false;
    // Long polling needs no pings: polls that end empty show that both sides are alive.
    const isPingDue = now - this.#lastSentAt >= this.#settings.intervals.keepAlive;
    if (!isPingDue || this.#raw.transportName === 'LongPolling') return;
    this.#lastSentAt = now;
    this.#raw.send(this.#encoding.encode({ type: messageType.ping }));
  }

  /** A client that never sent a ping does not promise to send any, and pings of a paused connection are not read. */
  #isSilent(now: number): boolean {
    const promises = this.#hasPinged && this.#raw.transportName !== 'LongPolling' && !this.#raw.isPaused;
    return promises && now - this.#lastReceivedAt > this.#settings.intervals.clientTimeout;
  }

  get #bufferedBytes(): number {
    return this.#buffer?.bufferedBytes ?? 0;
  }

  /** Pauses a client that sends faster than the hub processes, unless the server waits for a result of that client. */
  #applyBackpressure(): void {
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

  /** Ends the connection because of an error; the client may reconnect. */
  #cut(text: string): void {
    this.#error = new Error(text);
    this.#end({ type: messageType.close, error: text, allowReconnect: true });
  }

  #end(message: Close): void {
    this.#raw.close(this.#encoding.encode(message));
  }
}
