// Tests the release of calls of a node that was lost.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LostCalls, refOf } from './lost-calls.ts';

test('a look-up that never ends keeps nobody from being called again', { timeout: 60_000 }, async () => {
  let asked = 0;
  const agent = (): Promise<never> => {
    asked += 1;
    return new Promise(() => {});
  };
  const calls = new LostCalls(
    agent,
    () => ({ trunk: { host: 'pbx.example', protocol: 'tcp' } }),
    () => undefined,
  );
  const call = { via: 'SIP/2.0/TCP 192.0.2.1:5060;branch=z' } as Parameters<typeof refOf>[0];
  const kept = setInterval(() => {}, 1_000);
  await calls.release(refOf(call)).finally(() => clearInterval(kept));
  assert.equal(asked, 1);
});
