// The answer to negotiation, as the original writes it.

import type { Intervals } from '../options.ts';

/** How often a connection on which nothing happens gives a sign of life; clients wait for two of them. */
export function keepAliveEvery({ disconnect }: Intervals): number {
  return disconnect / 3;
}

/** How long clients try a transport before they take the next one. */
const transportConnectTimeoutMs = 5_000;

type Negotiated = {
  readonly url: string;
  readonly connectionToken: string;
  readonly connectionId: string;
  readonly tryWebSockets: boolean;
  readonly protocolVersion: string;
  readonly intervals: Intervals;
};

export function negotiateAnswer(negotiated: Negotiated): string {
  const { url, connectionToken, connectionId, tryWebSockets, protocolVersion, intervals } = negotiated;
  const fields: [name: string, value: string][] = [
    ['Url', JSON.stringify(url)],
    ['ConnectionToken', JSON.stringify(connectionToken)],
    ['ConnectionId', JSON.stringify(connectionId)],
    ['KeepAliveTimeout', seconds(2 * keepAliveEvery(intervals))],
    ['DisconnectTimeout', seconds(intervals.disconnect)],
    ['ConnectionTimeout', seconds(intervals.classicPoll)],
    ['TryWebSockets', String(tryWebSockets)],
    ['ProtocolVersion', JSON.stringify(protocolVersion)],
    ['TransportConnectTimeout', seconds(transportConnectTimeoutMs)],
    ['LongPollDelay', seconds(0)],
  ];
  return `{${fields.map(([name, value]) => `"${name}":${value}`).join(',')}}`;
}

/** Always with a fraction: to some clients 20 and 20.0 are numbers of different kinds. */
function seconds(milliseconds: number): string {
  const value = milliseconds / 1_000;
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}
