// Tests that long bodies are read in many turns of the event loop, whatever is in them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { AppError } from '../../errors.ts';
import { listBody } from '../route.ts';
import { type BodyReader, bodyReader } from './body-reader.ts';

const item = Type.Object({ path: Type.String(), value: Type.Optional(Type.Integer()) });
const list = bodyReader(listBody(item, 1_000), true);
const object = bodyReader(item, true);

/** Reads a body; returns how it ended, and how many turns the event loop had meanwhile. */
async function turnsOf(read: BodyReader, bytes: Buffer): Promise<{ readonly turns: number; readonly outcome: string }> {
  let turns = 0;
  let isOver = false;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const outcome = await Promise.resolve()
    .then(() => read(bytes, undefined))
    .then(
      () => 'read',
      (error) => (error instanceof AppError ? error.code : String(error)),
    );
  isOver = true;
  return { turns, outcome };
}

const length = 2 ** 20;
const longBodies: readonly (readonly [name: string, read: BodyReader, bytes: Buffer, outcome: string])[] = [
  ['brackets', list, Buffer.alloc(length, '['), 'malformed-json'],
  ['spaces', list, Buffer.alloc(length, ' '), 'invalid-input'],
  ['bytes that are no UTF-8', list, Buffer.alloc(length, 0xff), 'invalid-input'],
  ['escaped quotes', list, Buffer.from(`["${'\\"'.repeat(length / 2)}"]`), 'read'],
  ['a list without an end', list, Buffer.from(`[${'{},'.repeat(900)}"${'x'.repeat(length)}`), 'malformed-json'],
  ['a broken item', list, Buffer.from(`["${'x'.repeat(length)}",nonsense]`), 'malformed-json'],
  ['a long text', object, Buffer.from(`{"path":"${'x'.repeat(length)}"}`), 'read'],
  ['a long text in Windows-1252', object, Buffer.from(`{"path":"${'\xe9'.repeat(length)}"}`, 'latin1'), 'read'],
];

for (const [name, read, bytes, outcome] of longBodies) {
  test(`other work runs while a long body is read: ${name}`, async () => {
    const found = await turnsOf(read, bytes);
    assert.equal(found.outcome, outcome);
    assert.ok(found.turns >= bytes.length / 2 ** 17, `${found.turns} turns of the event loop`);
  });
}

test('long bodies that are read at once share the turns of the event loop', async () => {
  const bytes = Buffer.from(`["${'x'.repeat(length)}"]`);
  const alone = await turnsOf(list, bytes);
  const [first] = await Promise.all(Array.from({ length: 5 }, () => turnsOf(list, bytes)));
  assert.ok((first?.turns ?? 0) > 3 * alone.turns, `${first?.turns} turns, alone ${alone.turns}`);
});

test('a long body is decoded as a short one is, wherever it is cut', async () => {
  const pattern = Buffer.concat([Buffer.from('é€😀a'), Buffer.from([0xe9, 0x80, 0xf0, 0x9f, 0xff])]);
  for (let shift = 0; shift < 20; shift++) {
    const text = Buffer.concat([Buffer.alloc(shift, 'x'), ...Array.from({ length: 9_000 }, () => pattern)]);
    const body = Buffer.concat([Buffer.from('{"path":"'), text, Buffer.from('"}')]);
    const { value } = await object(body, undefined);
    const expected = 'x'.repeat(shift) + 'é€😀aé€ðŸÿ'.repeat(9_000);
    assert.equal((value as { path: string }).path, expected);
  }
});
