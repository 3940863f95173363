// Tests blocks.ts, move.ts, hours.ts and hand-overs.ts: cutting, lanes, gaps, the way of the focus, hours and hand-overs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GroupSlots, OnCallSlot } from '@tocsin/client';
import { blocksOf, gapsOf, lanesOf } from './blocks.ts';
import { handOversOf } from './hand-overs.ts';
import { hoursOf } from './hours.ts';
import { nextBlock } from './move.ts';
import { planPeriod } from './period.ts';

const paris = 'Europe/Paris';
const at = (text: string): number => Date.parse(`2026-11-${text}+01:00`);
const iso = (text: string): string => new Date(at(text)).toISOString();
const hourMs = 3_600_000;
const week = planPeriod('week', at('16T12:00'), paris);

type Who = number | readonly number[] | 'nobody' | 'locked';

const byTeam = { via: '', viaCode: 'member-of-team' } as const;

function slot(from: string, to: string, who: Who): OnCallSlot {
  const ids = typeof who === 'string' ? [] : typeof who === 'number' ? [who] : who;
  return {
    from: iso(from),
    to: iso(to),
    // Members with an id below 0 are relief.
    members: ids.map((id) => ({ userId: Math.abs(id), user: `u${id}`, relief: id < 0, ...byTeam })),
    nobody: ids.length === 0 ? 'because' : null,
    locked: who === 'locked',
    teamIds: [],
    source: '',
    reason: '',
    overrideId: null,
    swapId: null,
    replaces: null,
  };
}

function group(callGroupId: number, slots: readonly OnCallSlot[], overlaps: GroupSlots['overlaps'] = []): GroupSlots {
  const place = { stationId: 1, timeZone: paris, scheduleId: 1 };
  return { callGroupId, name: `g${callGroupId}`, ...place, slots: [...slots], overlaps };
}

test('blocks are cut to the period but know their whole time; those outside of it are left out', () => {
  const blocks = blocksOf(
    group(7, [
      slot('13T18:00', '14T08:00', 1),
      slot('15T12:00', '16T12:00', 2),
      slot('16T12:00', '24T00:00', 'nobody'),
    ]),
    week,
  );
  assert.deepEqual(
    blocks.map(({ kind, left, width }) => [kind, left * 7, width * 7]),
    [
      ['duty', 0, 0.5],
      ['nobody', 0.5, 6.5],
    ],
  );
  assert.deepEqual([blocks[0]?.from, blocks[1]?.to], [at('15T12:00'), at('24T00:00')]);
});

test('claims that are passed over get lanes of their own, as few as possible', () => {
  const span = (from: number, to: number) => ({ from, to });
  assert.deepEqual(lanesOf([span(0, 4), span(2, 6), span(4, 8), span(7, 9)]), [1, 2, 1, 2]);
  const overlap = { source: 'weekly[0]', takenBy: 'weekly[1]', teamId: 3, from: iso('20T12:00'), to: iso('20T20:00') };
  const blocks = blocksOf(group(7, [slot('16T00:00', '23T00:00', 1)], [overlap]), week);
  assert.deepEqual(
    blocks.map(({ kind, lane, teamIds }) => [kind, lane, teamIds]),
    [
      ['duty', 0, []],
      ['passed', 1, [3]],
    ],
  );
});

test('gaps that touch are one; a lock is no gap', () => {
  const slots = [
    slot('16T00:00', '16T06:00', 'nobody'),
    slot('16T06:00', '16T08:00', 'nobody'),
    slot('16T08:00', '17T08:00', 1),
    slot('17T08:00', '18T08:00', 'locked'),
    slot('18T08:00', '18T09:00', 'nobody'),
  ];
  assert.deepEqual(gapsOf(group(7, slots), at('16T03:00')), [
    { from: at('16T00:00'), to: at('16T08:00') },
    { from: at('18T08:00'), to: at('18T09:00') },
  ]);
});

test('arrows go along a row and to the block at the same time in the next row', () => {
  const rows = [
    blocksOf(group(1, [slot('16T00:00', '18T00:00', 1), slot('18T00:00', '23T00:00', 2)]), week),
    [],
    blocksOf(group(2, [slot('16T00:00', '20T00:00', 1), slot('20T00:00', '23T00:00', 2)]), week),
  ];
  const [first, second] = [`1/${at('16T00:00')}`, `1/${at('18T00:00')}`];
  const go = (key: string, direction: Parameters<typeof nextBlock>[2]) => nextBlock(rows, key, direction)?.key;
  assert.equal(go(first, 'ArrowRight'), second);
  assert.equal(go(second, 'ArrowRight'), undefined);
  assert.equal(go(second, 'ArrowLeft'), first);
  assert.equal(go(first, 'ArrowDown'), `2/${at('16T00:00')}`);
  assert.equal(go(second, 'ArrowDown'), `2/${at('20T00:00')}`);
  assert.equal(go(`2/${at('20T00:00')}`, 'ArrowUp'), second);
  assert.equal(go(first, 'ArrowUp'), undefined);
});

test('hours of two groups at the same time count once, relief not at all, and nights are told apart', () => {
  const groups = [
    group(1, [slot('16T18:00', '17T08:00', [1, -9])]),
    group(2, [slot('16T20:00', '17T10:00', 1), slot('22T20:00', '24T00:00', 2)]),
  ];
  assert.deepEqual(hoursOf(groups, week, paris), [
    { userId: 1, ms: 16 * hourMs, nightMs: 8 * hourMs },
    { userId: 2, ms: 4 * hourMs, nightMs: 2 * hourMs },
  ]);
});

test('a night in which the clock is set back is an hour longer', () => {
  const autumn = planPeriod('week', Date.parse('2026-10-25T12:00Z'), paris);
  const always = { ...slot('16T00:00', '17T00:00', 1), from: '2026-10-24T22:00+02:00', to: '2026-10-25T06:00+01:00' };
  assert.deepEqual(hoursOf([group(1, [always])], autumn, paris), [{ userId: 1, ms: 9 * hourMs, nightMs: 9 * hourMs }]);
});

test('hand-overs are where the people change, in order of time over all groups', () => {
  const groups = [
    group(1, [
      slot('16T00:00', '16T06:00', 'nobody'),
      slot('16T06:00', '16T14:00', 1),
      slot('16T14:00', '17T00:00', 1),
    ]),
    group(2, [
      slot('16T00:00', '16T08:00', [1, -9]),
      slot('16T08:00', '16T17:00', [2, 3]),
      slot('16T17:00', '17T00:00', 'locked'),
    ]),
  ];
  const shown = handOversOf(groups, at('16T03:00'), 4).map(({ at: time, group: name, before, after }) => [
    new Date(time).toISOString().slice(11, 16),
    name,
    before.userIds,
    after.isLocked ? 'locked' : after.userIds,
  ]);
  assert.deepEqual(shown, [
    ['05:00', 'g1', [], [1]],
    ['07:00', 'g2', [1], [2, 3]],
    ['16:00', 'g2', [2, 3], 'locked'],
  ]);
  assert.equal(handOversOf(groups, at('16T03:00'), 1).length, 1);
});
