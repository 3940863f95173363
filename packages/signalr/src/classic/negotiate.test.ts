// The answer to negotiation byte by byte, and the versions that clients demand.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { settingsOf } from '../options.ts';
import { keepAliveEvery, negotiateAnswer } from './negotiate.ts';
import { hasStart, negotiatedVersion } from './protocol-version.ts';

const { intervals } = settingsOf({
  ...{ mounts: [], nodeId: 'n', tokenKeys: { current: 'k', all: ['k'] } },
  authenticate: async () => undefined,
});

it('answers with the values and in the order of the original', () => {
  const answer = negotiateAnswer({
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

it('echoes old versions, and brings everything else into what there is', () => {
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
