// Tests the queue: its order, its length, and that taken items are forgotten.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fc } from '../../test/harness/fast-check.ts';
import { Fifo } from './fifo.ts';

it('is a list that is pushed at its end and shifted at its beginning', () => {
  const step = fc.oneof(fc.constant('shift' as const), fc.integer({ min: 1, max: 3_000 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const fifo = new Fifo<number>();
      const list: number[] = [];
      for (const what of steps) {
        const count = what === 'shift' ? Math.ceil(list.length * 0.7) : what;
        for (let n = 0; n < count; n++) {
          if (what === 'shift') assert.equal(fifo.shift(), list.shift());
          else {
            fifo.push(n);
            list.push(n);
          }
        }
        assert.deepEqual([fifo.length, fifo.first], [list.length, list[0]]);
      }
      assert.deepEqual([...fifo], list);
    }),
  );
  assert.equal(new Fifo().shift(), undefined);
});
