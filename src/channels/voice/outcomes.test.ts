// What the end of a call means follows from its codes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { englishReason } from '../../domain/channels/words/catalogue.ts';
import { outcomeOf, outcomeOfTalk } from './outcomes.ts';

const pbx = { host: 'pbx.example', port: 5060, advice: 'sip' } as const;
const late = { by: 'timeout', cause: 'unanswered', progress: 'trying', status: 487 } as const;

test('how a call ended is read from its cause, whatever its sentence says', () => {
  const silent = { by: 'timeout', cause: 'no-response' } as const;
  for (const reason of ['no response', 'nothing was heard', 'not answered in time'])
    assert.match(englishReason(outcomeOf({ ...silent, reason }, pbx).reason), /^the PBX cannot be reached/, reason);
  for (const reason of ['not answered in time', 'no response'])
    assert.equal(
      englishReason(outcomeOf({ ...late, reason }, pbx).reason),
      'the PBX took the call and did not ring the number',
      reason,
    );
});

test('a PBX that demands an extension is the trunk of wrong settings, and no try of the person', () => {
  const refused = { by: 'remote', cause: 'rejected', status: 421, reason: 'Extension Required' } as const;
  const { outcome, fault, reason } = outcomeOf(refused, pbx);
  assert.deepEqual([outcome, fault], ['undeliverable', 'refused']);
  assert.match(englishReason(reason), /^the PBX answered 421: it demands an extension of SIP/);
});

test('who presses the first key and enters no PIN has pressed a key', () => {
  const human = { isHuman: true, hasHeard: false };
  const delivery = outcomeOfTalk('silent', human, []);
  assert.ok(delivery.kind === 'delivered');
  assert.equal(englishReason(delivery.detail), 'answered, and no right PIN was entered');
  const nobody = outcomeOfTalk('silent', { isHuman: false, hasHeard: false }, []);
  assert.match(nobody.kind === 'failed' ? englishReason(nobody.reason) : '', /pressed no key/);
});
