// Tests that tasks of a kind with many waiting delay those of other kinds by few.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Turns } from './turns.ts';

it('kinds take turns, and within a kind the first comes first', async () => {
  const turns = new Turns(1);
  const ran: string[] = [];
  const task = (name: string) => async () => {
    ran.push(name);
    if (name === 'heavy 2') throw new Error('it failed');
    return name;
  };
  const heavy = [1, 2, 3, 4].map((n) => turns.run('heavy', task(`heavy ${n}`)));
  const light = [1, 2].map((n) => turns.run('light', task(`light ${n}`)));
  const results = await Promise.allSettled([...heavy, ...light]);
  assert.deepEqual(ran, ['heavy 1', 'heavy 2', 'light 1', 'heavy 3', 'light 2', 'heavy 4']);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled', 'fulfilled', 'fulfilled'],
  );
  assert.equal(await turns.run('heavy', task('later')), 'later');
});

it('as many as allowed run at once', async () => {
  const turns = new Turns(2);
  const ends: (() => void)[] = [];
  const running = () => turns.run('any', () => new Promise<void>((resolve) => void ends.push(resolve)));
  const all = [running(), running(), running()];
  assert.equal(ends.length, 2);
  ends[0]?.();
  await all[0];
  assert.equal(ends.length, 3);
  for (const end of ends) end();
  await Promise.all(all);
});
