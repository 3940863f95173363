// The filter of a client as it is left with it and brought along again.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HubException } from '@tocsin/signalr';
import { everything, printSubscription, readPrintedSubscription, readSubscription } from './subscription.ts';

it('comes back as it was, without the position, in letters that need no escaping', () => {
  for (const filter of [{}, { stations: [1, 4_294_967_295], tagGroups: [2], priorities: [0], changes: true }]) {
    const printed = printSubscription(readSubscription({ ...filter, since: '1.x.y' }));
    assert.match(printed, /^[\w-]+$/);
    assert.deepEqual(readPrintedSubscription(printed), { ...everything, ...filter });
  }
});

it('is refused when it is too long, or is none', () => {
  const stations = Array.from({ length: 1_000 }, (_, index) => index);
  assert.throws(() => printSubscription(readSubscription({ stations })), HubException);
  const printedNonsense = Buffer.from('{"stations":"all"}').toString('base64url');
  for (const text of ['', 'nonsense', printedNonsense])
    assert.throws(() => readPrintedSubscription(text), HubException);
});
