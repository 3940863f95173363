// Tests the bytes of the classic negotiation response, and the protocol versions that clients demand.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { settingsOf } from '../options.ts';
import { keepAliveEvery, negotiateResponse } from './negotiate.ts';
import { hasStart, negotiatedVersion } from './protocol-version.ts';

const { intervals } = settingsOf({
  ...{ mounts: [], nodeId: 'n', tokenKeys: { current: 'k', all: ['k'] } },
  authenticate: async () => undefined,
});

it('the negotiation response has the values and the order of the original', () => {
  const answer = negotiateResponse({
    ...{ url: '/signalr', connectionToken: 't', connectionId: 'i', tryWebSockets: true, protocolVersion: '1.5' },
    intervals,
  });
  assert.equal(
    answer,
    '{"Url":"/signalr","ConnectionToken":"t","ConnectionId":"i","KeepAliveTimeout":20.0,"DisconnectTimeout":30.0,' +
      '"ConnectionTimeout":110.0,"TryWebSockets":true,"ProtocolVersion":"1.5","TransportConnectTimeout":5.0,' +
      '"LongPollDelay":0.0}',
  );
  assert.equal(keepAliveEvery(intervals), 10_000, 'clients miss two before they give up');
});

it('echoes old protocol versions, and limits all others to the supported range', () => {
  for (const [asked, answered, starts] of [
    ['1.0', '1.2', false],
    ['1.2', '1.2', false],
    ['1.3', '1.3', false],
    ['1.4', '1.4', true],
    ['1.5', '1.5', true],
    ['1.10', '1.10', true],
    ['2.0', '2.0', true],
    ['2.1', '2.0', true],
    ['2.1.0.0', '2.0', true],
    ['10.0', '2.0', true],
    ['', '1.2', false],
    ['two', '1.2', false],
    [undefined, '1.2', false],
  ] as const) {
    assert.equal(negotiatedVersion(asked), answered, asked);
    assert.equal(hasStart(asked), starts, asked);
  }
});
