// Tests list-reader.ts: a reading that is slow is not given up because more is to be read.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ListReader } from './list-reader.ts';

test('what is to be read once more waits for the reading under way, and is then read once', async () => {
  const answers: PromiseWithResolvers<void>[] = [];
  const reader = new ListReader({
    read: () => {
      const answer = Promise.withResolvers<void>();
      answers.push(answer);
      return answer.promise;
    },
    reasonOf: String,
    onState: () => undefined,
  });
  const turn = (): Promise<void> => new Promise((done) => setImmediate(done));
  reader.begin();
  for (let event = 0; event < 3; event++) reader.beginAfterThis();
  assert.equal(answers.length, 1);
  answers[0]?.resolve();
  await turn();
  assert.equal(answers.length, 2);
  answers[1]?.resolve();
  await turn();
  assert.equal(answers.length, 2);
  assert.equal(reader.state.kind, 'read');
  reader.beginAfterThis();
  assert.equal(answers.length, 3);
  reader.stop();
});
