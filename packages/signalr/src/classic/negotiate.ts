// The response to classic negotiation, byte by byte as the original server writes it.

import type { Intervals } from '../options.ts';

/** Returns how often an idle connection gets a keep-alive; clients give up after missing two of them. */
export function keepAliveEvery({ disconnect }: Intervals): number {
  return disconnect / 3;
}

/** How long clients try one transport before the next. */
const transportConnectTimeoutMs = 5_000;

type Negotiated = {
  readonly url: string;
  readonly connectionToken: string;
  readonly connectionId: string;
  readonly tryWebSockets: boolean;
  readonly protocolVersion: string;
  readonly intervals: Intervals;
};

export function negotiateResponse(negotiated: Negotiated): string {
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

/** Always writes a fraction: some clients distinguish the numbers 20 and 20.0. */
function seconds(milliseconds: number): string {
  const value = milliseconds / 1_000;
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}
