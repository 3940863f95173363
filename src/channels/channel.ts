// The port between the call engine and the channels: a provider that is open delivers messages and reports their progress.

import type { IncomingHttpHeaders } from 'node:http';
import type { CallMessage, CodeMessage, Delivery, Progress } from '../domain/calls/delivery.ts';
import type { Provider } from '../domain/channels/provider.ts';

/**
 * Abort reason when another node has taken the attempt over: the channel must not cancel the delivery at the provider.
 */
export const leaseLost = new Error('another node has taken over');

/** Abort reason when nobody is owed the call any more, mostly because somebody has taken the alarm. */
export const callEnded = new Error('the call is not wanted any more');

/** Abort reason when the provider has not accepted the delivery in time. */
export const notAccepted = new Error('the provider does not answer');

/** Takes the progress of a delivery as it comes. */
export type Report = (progress: Progress) => void;

/** A report that somebody has sent to this server in the name of the provider. */
export type SentReport = { readonly headers: IncomingHttpHeaders; readonly body: Uint8Array };

export type OpenProvider = {
  /**
   * Delivers one message and returns the outcome, at the latest when `signal` aborts: the channel then cancels the
   * delivery, unless the reason is `leaseLost`. For `callEnded` a person who has
   * answered is not cut off, but told what became of the alarm. Reports `accepted` as soon as the provider has taken the message: after ten seconds without it
   * the next provider is tried. Channels return the rejection of a provider as an outcome and never throw it.
   * Outcomes and errors contain no secrets. Delivering the same attempt twice should reach the person once, if the
   * provider supports it.
   */
  deliver(message: CallMessage, report: Report, signal: AbortSignal): Promise<Delivery>;
  /**
   * Returns what became of a delivery that was under way when a node was lost; undefined if the provider does not know. A
   * provider without it cannot be asked, and the message is delivered again.
   */
  ask?(message: CallMessage, report: Report, signal: AbortSignal): Promise<Delivery | undefined>;
  /**
   * Releases the far end of a delivery that was under way when a node was lost, by the reference that was reported of it, whatever
   * becomes of the attempt: a telephone must not ring for nothing.
   */
  release?(ref: string): Promise<void>;
  /** Throws an Error whose message says in words for administrators why the provider cannot be used. */
  check(signal: AbortSignal): Promise<void>;
  /** Throws likewise why answers of people do not come in; messages go out all the same, so the provider stays up. */
  checkReplies?(signal: AbortSignal): Promise<void>;
  /**
   * Called at every poll of the dispatcher, for time-outs that people see, such as a phone that rings for 30 s: these follow
   * the server's clock. Time-outs of the network are real time.
   */
  poll?(): void;
  /**
   * True if the provider continues without this server: shutdown does not wait, and the next node queries the outcome.
   */
  survivesShutdown(message: CallMessage): boolean;
  /** Tells a person a code, once; a provider without it cannot verify numbers. The outcome is as that of `deliver`. */
  sendCode?(message: CodeMessage, signal: AbortSignal): Promise<Delivery>;
  /** Whether the report was signed with a secret of the provider, not long ago; without it, all reports are refused. */
  acceptsReport?(report: SentReport): boolean;
  /** Takes new settings for deliveries from now on; a provider without it is closed and opened anew. */
  change?(provider: Provider, secrets: Readonly<Record<string, string>>): void;
  /** Told when this node begins or ceases to hold what only one node may hold, such as a registration. */
  setHeld?(isHeld: boolean): void;
  close(): Promise<void>;
};

/** Opens a provider; its secrets are readable here and nowhere else. */
export type OpenKind = (provider: Provider, secrets: Readonly<Record<string, string>>) => OpenProvider;
