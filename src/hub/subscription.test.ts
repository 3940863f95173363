// Tests the printed form of a subscription that clients store and send again.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HubException } from '@tocsin/signalr';
import { defaultSubscription, printSubscription, readPrintedSubscription, readSubscription } from './subscription.ts';

it('a printed subscription reads back the same, without the position, and needs no URL escaping', () => {
  for (const filter of [{}, { stations: [1, 4_294_967_295], tagGroups: [2], priorities: [0], changes: true }]) {
    const printed = printSubscription(readSubscription({ ...filter, since: '1.x.y' }));
    assert.match(printed, /^[\w-]+$/);
    assert.deepEqual(readPrintedSubscription(printed), { ...defaultSubscription, ...filter });
  }
});

it('a printed subscription is refused if it is too long or invalid', () => {
  const stations = Array.from({ length: 1_000 }, (_, index) => index);
  assert.throws(() => printSubscription(readSubscription({ stations })), HubException);
  const printedNonsense = Buffer.from('{"stations":"all"}').toString('base64url');
  for (const text of ['', 'nonsense', printedNonsense])
    assert.throws(() => readPrintedSubscription(text), HubException);
});
