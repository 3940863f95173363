// Tests condition.ts: which values meet which conditions, and which cannot be compared.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fc } from '../../../test/harness/fast-check.ts';
import { soak } from '../../../test/harness/soak.ts';
import { commandOf, judge, parseCondition, type Verdict } from './condition.ts';

const cases: readonly [condition: string, value: string, expected: Verdict][] = [
  ['5', '5', 'met'],
  ['5', '5.0', 'met'],
  ['5', '+5', 'met'],
  ['5', ' 5 ', 'met'],
  ['5', '05', 'met'],
  ['5', '50e-1', 'met'],
  ['.5', '0.50', 'met'],
  ['-0', '0.0', 'met'],
  ['5', '6', 'not-met'],
  ['5', '', 'not-met'],
  ['0', '', 'not-met'],
  ['16', '0x10', 'not-met'],
  ['NaN', 'NaN', 'met'],
  ['', '', 'met'],
  ['', '5', 'not-met'],
  ['open', 'open', 'met'],
  ['open', 'Open', 'not-met'],
  ['open', ' open ', 'met'],
  ['=5', '5', 'not-met'],
  ['9007199254740992', '9007199254740993', 'not-met'],
  ['!=9007199254740992', '9007199254740993', 'met'],
  ['>9007199254740992', '9007199254740993', 'met'],
  ['>9007199254740992.0', '9007199254740993', 'met'],
  ['!=5', '5.0', 'not-met'],
  ['!= 5', '6', 'met'],
  ['!=closed', 'open', 'met'],
  ['!= closed', 'closed', 'not-met'],
  ['!=5', 'ERROR', 'met'],
  ['!=', '', 'not-met'],
  ['!=', 'x', 'met'],
  ['>80', '80.5', 'met'],
  ['>80', '80', 'not-met'],
  ['>80', '9', 'not-met'],
  ['>=80', '80.0', 'met'],
  ['>=80', '79.9', 'not-met'],
  [' >= 80 ', '80', 'met'],
  ['<80', '9', 'met'],
  ['<80', '80', 'not-met'],
  ['<=80', '80', 'met'],
  ['<=80', '80.1', 'not-met'],
  ['<-5', '-6', 'met'],
  ['<-5', '-4', 'not-met'],
  ['<1e400', '5', 'met'],
  ['>80', 'ERROR', 'incomparable'],
  ['>80', '', 'incomparable'],
  ['>80', 'NaN', 'incomparable'],
  ['>80', 'Infinity', 'incomparable'],
  ['>80', '81,5', 'incomparable'],
  ['<=b', 'b', 'incomparable'],
  ['>', '5', 'incomparable'],
  ['&4', '5', 'met'],
  ['&4', '5.0', 'met'],
  ['&4', '3', 'not-met'],
  ['&6', '4', 'met'],
  ['&0', '7', 'not-met'],
  ['&4', '-1', 'met'],
  ['&1', '-2', 'not-met'],
  ['&9223372036854775808', '9223372036854775809', 'met'],
  ['&4294967296', '4294967296', 'met'],
  ['!&4', '3', 'met'],
  ['!& 4', '5', 'not-met'],
  ['!&0', '7', 'met'],
  ['&4', '4.5', 'incomparable'],
  ['!&4', 'x', 'incomparable'],
  ['!&4', '', 'incomparable'],
  ['&x', '4', 'incomparable'],
  ['&4', '1e300', 'incomparable'],
];

for (const [condition, value, expected] of cases) {
  test(`"${value}" against "${condition}": ${expected}`, () => {
    assert.equal(judge(condition, value), expected);
  });
}

const anyText = fc.oneof(
  fc.string(),
  fc.integer().map(String),
  fc.double().map(String),
  fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).map(String),
);
const opposites = [
  ['', '!='],
  ['>', '<='],
  ['<', '>='],
  ['&', '!&'],
] as const;

test('either a condition or its opposite is met, or both are incomparable; nothing throws', () => {
  fc.assert(
    fc.property(anyText, anyText, fc.constantFrom(...opposites), (operand, value, [one, other]) => {
      // `>` followed by an operand that begins with `=` would be another operator.
      if (parseCondition(operand).operator !== '=' || operand.startsWith('=')) return;
      const [first, second] = [judge(one + operand, value), judge(other + operand, value)];
      if (first === 'incomparable') assert.equal(second, 'incomparable');
      else assert.deepEqual([first, second].toSorted(), ['met', 'not-met']);
    }),
    { numRuns: soak(2_000) },
  );
});

test('whole numbers of any size are compared exactly', () => {
  const whole = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n });
  fc.assert(
    fc.property(whole, whole, (operand, value) => {
      assert.equal(judge(`>${operand}`, `${value}`) === 'met', value > operand);
      assert.equal(judge(`${operand}`, `${value}`) === 'met', value === operand);
      assert.equal(judge(`&${operand}`, `${value}`) === 'met', (value & operand) !== 0n);
    }),
  );
});

test('an incomparable value neither raises nor ends an alarm, and is reported as unclear once', () => {
  assert.deepEqual(commandOf('>80', '93', ''), { kind: 'report', isRaised: true });
  assert.deepEqual(commandOf('>80', '20', '93'), { kind: 'report', isRaised: false });
  assert.deepEqual(commandOf('>80', 'ERROR', '93'), { kind: 'unclear' });
  assert.deepEqual(commandOf('>80', 'ERROR', 'ERROR'), { kind: 'define' });
  assert.deepEqual(commandOf('open', 'ERROR', 'open'), { kind: 'report', isRaised: false }, 'texts are equal or not');
  assert.deepEqual(commandOf('', 'ERROR', '93'), { kind: 'define' }, 'without a condition no value affects the state');
});
