// One alarm from raise to history: listed, acknowledged, back to normal, and counted with its durations.

import assert from 'node:assert/strict';
import { startTestApp } from '../../harness/site/app.ts';
import { testOnAnyStore } from '../../harness/stores/test-on-stores.ts';

type List = { readonly items: readonly Record<string, unknown>[]; readonly paging: object };

testOnAnyStore(
  'an alarm is raised, acknowledged and back to normal; its history has the durations',
  async (t, kind) => {
    const app = await startTestApp(t, kind);
    const token = await app.signIn();
    const ask = (method: string, path: string, body?: unknown) =>
      app.request(method, `/api/v1/alarms${path}`, { token, body });
    const pump = {
      path: 'Plant/Pump7',
      alarmMessage: 'Pump 7 is hot',
      value: '93',
      priority: 1,
      names: { fr: 'Pompe 7' },
    };

    const sent = await ask('POST', '', pump);
    assert.deepEqual([sent.status, sent.text], [200, '1'], 'a bare integer');
    assert.deepEqual((await ask('GET', '')).body, {
      items: [
        {
          id: 1,
          dataServerId: 1,
          path: 'Plant/Pump7',
          fullPath: 'API\\Plant/Pump7',
          name: 'Plant/Pump7',
          localizedName: 'Plant/Pump7',
          value: '93',
          message: 'Pump 7 is hot',
          resetMessage: '',
          ackMessage: '',
          priority: 1,
          state: 3,
          masked: false,
          alarmTime: '2026-11-15T13:00:00.000+01:00',
          lastChange: '2026-11-15T12:00:00.000',
          ackUser: '',
          attachedFile: '',
          resetAttachedFile: '',
          ackAttachedFile: '',
          comment: '',
        },
      ],
      paging: { offset: 0, limit: 10, total: 1 },
    });

    app.clock.advance(65_000);
    assert.equal((await ask('POST', '', pump)).text, '1', 'the tag is the identity');
    assert.deepEqual((await ask('POST', '/1/acknowledge', { comment: 'on my way' })).body, true);
    assert.equal((await ask('POST', '/1/acknowledge')).status, 409);
    app.clock.advance(3_600_000);
    await ask('POST', '', { ...pump, raised: false });
    assert.deepEqual(((await ask('GET', '')).body as List).paging, { offset: 0, limit: 10, total: 0 });
    const french = await app.request('GET', '/api/v1/alarms/1', {
      token,
      headers: { 'accept-language': 'fr-CA, en;q=0.5' },
    });
    const full = french.body as Record<string, unknown>;
    assert.deepEqual([full.localizedName, full.isaState, full.occurrences, full.state], ['Pompe 7', 'NORM', 1, 0]);

    assert.deepEqual((await ask('GET', '/histories')).body, {
      items: [
        {
          id: 1,
          tagId: 1,
          tagName: 'Plant/Pump7',
          message: 'Pump 7 is hot',
          priority: 1,
          alarmTime: '2026-11-15T13:00:00.000+01:00',
          ackTime: '2026-11-15T13:01:05.000+01:00',
          resetTime: '2026-11-15T14:01:05.000+01:00',
          alarmDuration: '01:01:05',
          reactionDuration: '00:01:05',
          interventionDuration: '01:00:00',
          comment: 'on my way',
        },
      ],
      paging: { offset: 0, limit: 10, total: 1 },
    });
    assert.deepEqual((await ask('GET', '/statistics')).body, {
      items: [
        {
          id: 1,
          tagName: 'Plant/Pump7',
          message: 'Pump 7 is hot',
          priority: 1,
          code: 0,
          failureNumber: 1,
          failureTotalTime: '01:01:05',
          failureMeanTime: '01:01:05',
        },
      ],
      paging: { limit: 10, total: 1 },
    });
    assert.deepEqual((await ask('GET', '/interventions')).body, {
      items: [
        { id: 1, user: 'admin', interventionNumber: 1, reactionMeanTime: '00:01:05', interventionMeanTime: '01:00:00' },
      ],
      paging: { limit: 10, total: 1 },
    });
  },
);
