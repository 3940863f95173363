// What the end of a call means follows from its codes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcomeOf } from './outcomes.ts';

const pbx = { host: 'pbx.example', port: 5060, withoutTls: 'try udp' };
const late = { by: 'timeout', cause: 'unanswered', progress: 'trying', status: 487 } as const;

test('how a call ended is read from its cause, whatever its sentence says', () => {
  const silent = { by: 'timeout', cause: 'no-response' } as const;
  for (const reason of ['no response', 'nothing was heard', 'not answered in time'])
    assert.match(outcomeOf({ ...silent, reason }, pbx).reason, /^the PBX cannot be reached/, reason);
  for (const reason of ['not answered in time', 'no response'])
    assert.equal(
      outcomeOf({ ...late, reason }, pbx).reason,
      'the PBX took the call and did not ring the number',
      reason,
    );
});
