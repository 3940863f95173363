// List bodies: reading in slices gives what reading at once gives, and other work runs in between.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { fc } from '../../../test/harness/fast-check.ts';
import { soak } from '../../../test/harness/soak.ts';
import { AppError } from '../../errors.ts';
import { parseIntakeItems, parseIntakeJson, parseItems, parseJson } from '../../wire/strict-json.ts';
import { itemOf, listBody } from '../route.ts';
import { bodyCheck, intakeCheck, type ListCheck, listCheck } from '../validation.ts';
import { type ListParser, readList } from './list-body.ts';

const list = listBody(Type.Object({ path: Type.String(), value: Type.Optional(Type.Integer()) }), 20);
const listed = itemOf(list) ?? Type.Never();
/** Both ways of reading: strictly, and as an intake does. */
const ways: readonly (readonly [name: string, check: ListCheck, parser: ListParser])[] = [
  ['strict', listCheck(list, bodyCheck(listed)), { item: parseJson, items: parseItems }],
  ['intake', listCheck(list, intakeCheck(listed)), { item: parseIntakeJson, items: parseIntakeItems }],
];

/** Returns the outcome in comparable form: errors as their code, sentence and fields. */
async function outcomeOf(text: string, slice: number, [, check, parser]: (typeof ways)[number]): Promise<unknown> {
  const plain = (value: unknown): unknown =>
    value instanceof AppError ? { code: value.code, sentence: value.message, errors: value.errors } : value;
  try {
    const { value, ignoredFields, itemWarnings } = await readList(text, check, parser, slice);
    return { value: (value as unknown[]).map(plain), ignoredFields, itemWarnings };
  } catch (error) {
    return { refused: plain(error) };
  }
}

const item = fc.oneof(
  fc.record({ path: fc.string(), value: fc.oneof(fc.integer(), fc.double(), fc.constant(null)), more: fc.json() }),
  fc.jsonValue(),
  fc.constant({ path: 'a' }),
);
const edit = fc.record({
  at: fc.nat(),
  remove: fc.nat({ max: 3 }),
  insert: fc.constantFrom('', ',', ']', '[', '{', '}', '"', ' ', '1.0', '\\'),
});

/** A list as JSON, mostly, and after up to two edits mostly no longer. */
const text = fc
  .record({
    items: fc.array(item, { maxLength: 25 }),
    indent: fc.constantFrom(0, 2),
    edits: fc.array(edit, { maxLength: 2 }),
  })
  .map(({ items, indent, edits }) =>
    edits.reduce(
      (made, { at, remove, insert }) => {
        const from = at % (made.length + 1);
        return made.slice(0, from) + insert + made.slice(from + remove);
      },
      JSON.stringify(items, null, indent),
    ),
  );

test('a list read in slices has the same items, errors and ignored fields as one read at once', async () => {
  await fc.assert(
    fc.asyncProperty(text, async (given) => {
      for (const way of ways)
        assert.deepEqual(await outcomeOf(given, 20, way), await outcomeOf(given, Number.MAX_SAFE_INTEGER, way), way[0]);
    }),
    {
      numRuns: soak(2_000),
      examples: [
        `[${'[['.repeat(30)}`,
        '[]',
        ' [ ] ',
        '[1,]',
        '[,1]',
        '[1 2]',
        '[{]}',
        '[1]]',
        '[1],',
        '{}',
        '"a"',
        '',
        '[{"path":"a","path":"b"},{"path":"c"}]',
      ].map((given) => [given]),
    },
  );
});

test('other work runs while a long list is read', async () => {
  const items = Array.from({ length: 20 }, () => ({ path: 'x'.repeat(100) }));
  let turns = 0;
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  let isOver = false;
  setImmediate(count);
  const [, check, parser] = ways[0] ?? assert.fail();
  await readList(JSON.stringify(items), check, parser, 100);
  isOver = true;
  assert.ok(turns >= 10, `${turns} turns of the event loop`);
});
