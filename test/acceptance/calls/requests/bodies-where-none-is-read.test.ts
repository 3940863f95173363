// A body of another type, sent to a request that needs none: it is carried out, or refused with a status that the document declares.

import assert from 'node:assert/strict';
import { startSite } from '../../../harness/site/site.ts';
import { testOnAnyStore } from '../../../harness/stores/test-on-stores.ts';

testOnAnyStore(
  'a text sent to requests that read no body gets an answer that the document declares',
  async (t, kind) => {
    const site = await startSite(t, kind);
    const ana = await site.person('ana');
    const team = await site.team('Night', [ana]);
    const overrides = [{ teamId: team, from: '2026-12-01T00:00', to: '2026-12-02T00:00', reason: 'swap' }];
    const schedule = await site.schedule(team, '00:00', '24:00', { overrides });
    const alarm = await site.alarms.raise(await site.group('Pumps', [team]), { priority: 3 });
    await ana.isCalled();
    const stored = await site.ask<{ overrides: readonly { id: number }[] }>('GET', `/schedules/${schedule}`);
    // The harness fails a status that the document does not declare for the operation.
    for (const [method, path] of [
      ['POST', `/simulator/phones/${ana.id}/answer`],
      ['POST', `/simulator/phones/${ana.id}/hangup`],
      ['DELETE', `/schedules/${schedule}/overrides/${stored.overrides[0]?.id}`],
      ['POST', `/alarms/${alarm}/escalate`],
    ] as const) {
      const { status } = await site.app.request(method, `/api/v1${path}`, {
        token: site.token,
        body: 'please',
        headers: { 'content-type': 'text/plain' },
      });
      assert.ok(status < 500, `${method} ${path}: ${status}`);
    }
    await site.expectWhatRings();
  },
);
