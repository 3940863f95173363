// Tests as properties that the verifier accepts an honest trail and names any row or seal that was tampered with.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { test } from 'node:test';
import { fc } from '../../../test/harness/fast-check.ts';
import { type AuditEntry, type AuditRow, changedFields, entryText } from './entry.ts';
import { type Seal, sealOf, sealText } from './seal.ts';
import { type Finding, findingText, TrailVerifier, type Trimming } from './verify.ts';

const hasher = (text: string): string => hash('sha256', text);

type Trail = { readonly rows: readonly AuditRow[]; readonly seals: readonly Seal[]; readonly trimming?: Trimming };

const text = fc.option(fc.string({ maxLength: 6 }), { nil: undefined });
const number = fc.option(fc.nat(9), { nil: undefined });
const content = fc.record({
  at: fc.nat(1_000),
  kind: fc.constantFrom('sign-in', 'alarm.masked', 'user.changed'),
  actor: fc.constantFrom('user:3', 'key:7', 'system'),
  address: text,
  stationId: number,
  subject: text,
  before: text,
  after: text,
});

function rowOf(entry: AuditEntry, sealId: number | undefined): AuditRow {
  return { ...entry, sealId, hash: hasher(entryText(entry)) };
}

/** Segments of random rows, their ids in random order as several nodes commit them, and some rows not sealed yet. */
const trails = fc
  .record({
    segments: fc.array(fc.array(content, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 }),
    loose: fc.array(content, { maxLength: 3 }),
    gaps: fc.array(fc.integer({ min: 2, max: 5 }), { minLength: 30, maxLength: 30 }),
    order: fc.infiniteStream(fc.boolean()),
  })
  .map(({ segments, loose, gaps, order }): Trail => {
    let last = 0;
    const ids = gaps.map((gap) => {
      last += gap;
      return last;
    });
    for (let index = 1; index < ids.length; index++)
      if (order.next().value) [ids[index - 1], ids[index]] = [ids[index] ?? 0, ids[index - 1] ?? 0];
    const entriesOf = (contents: readonly Omit<AuditEntry, 'id'>[]): AuditEntry[] =>
      contents.map((fields) => ({ id: ids.shift() ?? 0, ...fields })).sort((one, other) => one.id - other.id);
    const rows: AuditRow[] = [];
    const seals: Seal[] = [];
    for (const [index, contents] of segments.entries()) {
      const place = { id: 2 * index + 2, chain: index < 2 ? 'a' : 'b', previous: seals.at(-1)?.hash, sealedAt: index };
      const sealed = entriesOf(contents).map((entry) => rowOf(entry, place.id));
      rows.push(...sealed);
      seals.push(sealOf(sealed, place, hasher));
    }
    return { rows: [...rows, ...entriesOf(loose).map((entry) => rowOf(entry, undefined))], seals };
  });

/** The first finding, with the rows selected as the queries of the store select them. */
function verify({ rows, seals, trimming }: Trail): Finding | undefined {
  const verifier = new TrailVerifier(hasher);
  const missingAfter = (last: number, next = Number.POSITIVE_INFINITY): number | undefined =>
    rows.find(({ sealId = 0 }) => sealId > last && sealId < next)?.sealId;
  let last = 0;
  for (const seal of seals.toSorted((one, other) => one.id - other.id)) {
    const named = new Set(seal.entries.map(([id]) => id));
    const own = rows.filter(({ id, sealId }) => sealId === seal.id || named.has(id));
    const segment = { seal, rows: own, missingSealId: missingAfter(last, seal.id) };
    const finding = verifier.segment(segment, trimming);
    last = seal.id;
    if (finding !== undefined) return finding;
  }
  const loose = rows.filter(({ sealId }) => sealId === undefined);
  const findings = loose.map((row) => verifier.unsealed(row));
  return verifier.end(trimming, missingAfter(last), '') ?? findings.find((finding) => finding !== undefined);
}

const indexes = fc.nat(1_000);
const pick = <T>(items: readonly T[], index: number): T => items[index % items.length] as T;
const sealedRows = ({ rows }: Trail): AuditRow[] => rows.filter(({ sealId }) => sealId !== undefined);
const without = <T>(items: readonly T[], item: T): T[] => items.filter((other) => other !== item);

function property(
  tampered: (
    trail: Trail,
    one: number,
    other: number,
  ) => { trail: Trail; expected: Finding | readonly Finding[] } | undefined,
): void {
  fc.assert(
    fc.property(trails, indexes, indexes, (trail, one, other) => {
      const made = tampered(trail, one, other);
      fc.pre(made !== undefined);
      const finding = verify(made.trail);
      const expected = [made.expected].flat();
      assert.ok(
        expected.some((possible) => findingText(possible) === (finding && findingText(finding))),
        `${finding && findingText(finding)} instead of ${expected.map(findingText).join(' or ')}`,
      );
    }),
  );
}

const fields = ['at', 'kind', 'actor', 'address', 'stationId', 'subject', 'before', 'after'] as const;

function edited(row: AuditRow, field: (typeof fields)[number]): AuditRow {
  const isNumber = field === 'at' || field === 'stationId';
  return { ...row, [field]: isNumber ? (row[field] ?? 0) + 1 : `${row[field] ?? ''}!` };
}

test('an honest trail has no finding', () => {
  fc.assert(fc.property(trails, (trail) => assert.equal(verify(trail), undefined)));
});

for (const field of fields)
  test(`an edit of ${field} is named, also when the hash of the sealed row was computed anew`, () => {
    property((trail, one) => {
      const row = pick(trail.rows, one);
      const rows = [...without(trail.rows, row), edited(row, field)];
      return { trail: { ...trail, rows }, expected: { of: 'row', id: row.id, change: 'changed' } };
    });
    property((trail, one) => {
      const row = pick(sealedRows(trail), one);
      const rows = [...without(trail.rows, row), rowOf(edited(row, field), row.sealId)];
      return { trail: { ...trail, rows }, expected: { of: 'row', id: row.id, change: 'changed' } };
    });
  });

test('an edit of the hash of a row is named', () => {
  property((trail, one) => {
    const row = pick(trail.rows, one);
    const rows = [...without(trail.rows, row), { ...row, hash: hasher('another') }];
    return { trail: { ...trail, rows }, expected: { of: 'row', id: row.id, change: 'changed' } };
  });
});

test('the removal of a sealed row is named', () => {
  property((trail, one) => {
    const row = pick(sealedRows(trail), one);
    const rows = without(trail.rows, row);
    return { trail: { ...trail, rows }, expected: { of: 'row', id: row.id, change: 'removed' } };
  });
});

test('a row added to a sealed segment is named', () => {
  property((trail, one, other) => {
    const { sealId, ...entry } = pick(sealedRows(trail), one);
    const added = rowOf({ ...entry, id: 1_000 + other, actor: 'user:99' }, sealId);
    const rows = [...trail.rows, added];
    return { trail: { ...trail, rows }, expected: { of: 'row', id: added.id, change: 'added' } };
  });
});

test('a row moved to another id, to another segment or out of its segment is named', () => {
  property((trail, one, other) => {
    const row = pick(sealedRows(trail), one);
    const rows = [...without(trail.rows, row), { ...row, id: 1_000 + other }];
    return {
      trail: { ...trail, rows },
      expected: { of: 'row', id: row.id, change: 'moved', to: `row ${1_000 + other}` },
    };
  });
  property((trail, one, other) => {
    const row = pick(sealedRows(trail), one);
    const target = pick(trail.seals, other);
    if (target.id === row.sealId) return undefined;
    const rows = [...without(trail.rows, row), { ...row, sealId: target.id }];
    // The segment that the row came to may be verified first.
    const expected: Finding[] = [
      { of: 'row', id: row.id, change: 'moved', to: `segment ${target.id}` },
      { of: 'row', id: row.id, change: 'added' },
    ];
    return { trail: { ...trail, rows }, expected };
  });
  property((trail, one) => {
    const row = pick(sealedRows(trail), one);
    const rows = [...without(trail.rows, row), { ...row, sealId: undefined }];
    return {
      trail: { ...trail, rows },
      expected: { of: 'row', id: row.id, change: 'moved', to: 'the rows not sealed yet' },
    };
  });
});

test('two rows of one segment that exchanged their places are named', () => {
  property((trail, one, other) => {
    const rows = trail.rows.filter(({ sealId }) => sealId === pick(trail.seals, one).id);
    const [first, second] = [pick(rows, one), pick(rows, other)];
    const isSame = entryText({ ...first, id: 0 }) === entryText({ ...second, id: 0 });
    if (first === second || isSame || rows.length > 2) return undefined;
    const swapped = [
      { ...first, id: second.id },
      { ...second, id: first.id },
    ];
    const low = first.id < second.id ? second : first;
    const to = `row ${Math.min(first.id, second.id)}`;
    return {
      trail: { ...trail, rows: [...trail.rows.filter((row) => row !== first && row !== second), ...swapped] },
      expected: { of: 'row', id: low.id, change: 'moved', to },
    };
  });
});

const sealEdits: Readonly<Record<string, (seal: Seal) => Seal>> = {
  chain: (seal) => ({ ...seal, chain: 'c' }),
  previous: (seal) => ({ ...seal, previous: hasher('another') }),
  from: (seal) => ({ ...seal, from: seal.from - 1 }),
  to: (seal) => ({ ...seal, to: seal.to + 1 }),
  sealedAt: (seal) => ({ ...seal, sealedAt: seal.sealedAt + 1 }),
  entries: (seal) => ({ ...seal, entries: seal.entries.slice(1) }),
  hash: (seal) => ({ ...seal, hash: hasher('another') }),
};

for (const [field, edit] of Object.entries(sealEdits))
  test(`an edit of ${field} of a seal is named`, () => {
    property((trail, one) => {
      const seal = pick(trail.seals, one);
      const seals = [...without(trail.seals, seal), edit(seal)];
      return { trail: { ...trail, seals }, expected: { of: 'seal', id: seal.id, change: 'changed' } };
    });
  });

test('an edited seal whose hash was computed anew does not fit the seal after it', () => {
  property((trail, one) => {
    const [seal, next] = [one, one + 1].map((index) => trail.seals[index % trail.seals.length]);
    if (seal === undefined || next === undefined || next.id < seal.id || next === seal) return undefined;
    const forged = { ...seal, sealedAt: seal.sealedAt + 1 };
    const seals = [...without(trail.seals, seal), { ...forged, hash: hasher(sealText(forged)) }];
    return { trail: { ...trail, seals }, expected: { of: 'seal', id: next.id, change: 'removed-before' } };
  });
});

test('the removal of a seal is named by its rows, or after trimming by the seal after it', () => {
  property((trail, one) => {
    const seal = pick(trail.seals, one);
    const expected: Finding = { of: 'seal', id: seal.id, change: 'removed' };
    return { trail: { ...trail, seals: without(trail.seals, seal) }, expected };
  });
  property((trail, one) => {
    const seal = pick(trail.seals, one);
    const next = trail.seals[trail.seals.indexOf(seal) + 1];
    if (next === undefined) return undefined;
    const trimmed = trimmedBelow(trail, next);
    const expected: Finding = { of: 'seal', id: next.id, change: 'removed-before' };
    return { trail: { ...trimmed, seals: without(trail.seals, seal) }, expected };
  });
});

test('a seal added between two others, with a right hash and rows of its own, is named', () => {
  property((trail, one) => {
    const before = pick(trail.seals, one);
    if (before === trail.seals.at(-1)) return undefined;
    const row = rowOf({ ...(trail.rows[0] as AuditRow), id: 1_000 }, before.id + 1);
    const place = { id: before.id + 1, chain: before.chain, previous: before.hash, sealedAt: 1 };
    const seals = [...trail.seals, sealOf([row], place, hasher)];
    return {
      trail: { rows: [...trail.rows, row], seals },
      expected: { of: 'seal', id: before.id + 1, change: 'added' },
    };
  });
});

test('a seal moved behind another is named', () => {
  property((trail, one) => {
    const seal = pick(trail.seals, one);
    const seals = [...without(trail.seals, seal), { ...seal, id: 1_001 }];
    return { trail: { ...trail, seals }, expected: { of: 'seal', id: seal.id, change: 'removed' } };
  });
});

function trimmedBelow(trail: Trail, seal: Seal): Trail {
  const rows = trail.rows.filter(({ sealId }) => sealId === undefined || sealId > seal.id);
  return { ...trail, rows, trimming: { sealId: seal.id, sealHash: seal.hash } };
}

test('the rows of trimmed segments may be missing, those of later ones may not', () => {
  fc.assert(
    fc.property(trails, indexes, (trail, one) => {
      const trimmed = trimmedBelow(trail, pick(trail.seals, one));
      assert.equal(verify(trimmed), undefined);
      const [kept] = sealedRows(trimmed).toSorted((first, second) => (first.sealId ?? 0) - (second.sealId ?? 0));
      const finding = kept && verify({ ...trimmed, rows: without(trimmed.rows, kept) });
      if (kept !== undefined) assert.deepEqual(finding, { of: 'row', id: kept.id, change: 'removed' });
    }),
  );
});

test('a row brought back into a trimmed segment, and a trimmed seal that was removed or exchanged, are named', () => {
  property((trail, one) => {
    const seal = pick(trail.seals, one);
    const trimmed = trimmedBelow(trail, seal);
    const back = trail.rows.find(({ sealId }) => sealId === seal.id) as AuditRow;
    return {
      trail: { ...trimmed, rows: [...trimmed.rows, back] },
      expected: { of: 'row', id: back.id, change: 'added' },
    };
  });
  property((trail) => {
    const seal = trail.seals.at(-1) as Seal;
    const trimmed = { ...trimmedBelow(trail, seal), seals: without(trail.seals, seal) };
    return { trail: trimmed, expected: { of: 'seal', id: seal.id, change: 'removed' } };
  });
  property((trail) => {
    const seal = trail.seals.at(-1) as Seal;
    const forged = { ...seal, sealedAt: 77 };
    const seals = [...without(trail.seals, seal), { ...forged, hash: hasher(sealText(forged)) }];
    return { trail: { ...trimmedBelow(trail, seal), seals }, expected: { of: 'seal', id: seal.id, change: 'changed' } };
  });
});

test('changedFields keeps the fields that differ, with added and removed ones', () => {
  const before = { name: 'Ana', numbers: [1, 2], role: 'operator', pin: 1 };
  const after = { name: 'Ana', numbers: [2, 1], role: 'operator', onDuty: true };
  assert.deepEqual(changedFields(before, after), {
    before: { numbers: [1, 2], pin: 1, onDuty: undefined },
    after: { numbers: [2, 1], pin: undefined, onDuty: true },
  });
});
