// Parses `eventCondition.value` and decides whether a tag's value meets a condition such as `>=80`. Pure.

import type { ReportCommand } from './alarm.ts';

// Two-character operators come before `>` and `<`, because the first matching prefix is taken.
const prefixes = ['!=', '>=', '<=', '!&', '>', '<', '&'] as const;

export type Operator = '=' | (typeof prefixes)[number];
type Condition = { readonly operator: Operator; readonly operand: string };

/** `incomparable`: an ordering or bit test in which one side is not a number. */
export type Verdict = 'met' | 'not-met' | 'incomparable';

/**
 * Converts a new value into an alarm command; `before` is the previous value. Without a condition the value does not
 * affect the state. Nor does a value that cannot be compared: a dead sensor neither raises nor ends an alarm. It is
 * reported as `unclear` once, not on each repeat.
 */
export function commandOf(condition: string, value: string, before: string): ReportCommand {
  if (!isCondition(condition)) return { kind: 'define' };
  const verdict = judge(condition, value);
  if (verdict !== 'incomparable') return { kind: 'report', isRaised: verdict === 'met' };
  return { kind: value === before ? 'define' : 'unclear' };
}

/** Text of white space only counts as no condition. */
export function isCondition(text: string): boolean {
  return text.trim() !== '';
}

/** Returns a warning if the condition probably does not do what was intended. */
export function conditionWarning(condition: string): string | undefined {
  if (condition === '') return undefined;
  const { operator, operand } = parseCondition(condition);
  if (operator === '=' || operator === '!=') {
    return /^(?:=|>|<)/.test(operand) ? `is taken for the text "${operand}": a plain value means equals` : undefined;
  }
  const isBits = operator === '&' || operator === '!&';
  const isNumber = isBits ? integerOf(numberOf(operand)) !== undefined : numberOf(operand) !== undefined;
  return isNumber
    ? undefined
    : `compares with "${operand}", which is no ${isBits ? 'whole ' : ''}number: no value meets it`;
}

/**
 * Ignores white space around the operand: `>= 80` equals `>=80`. Without an operator prefix the whole text is the
 * operand of `=`.
 */
export function parseCondition(text: string): Condition {
  const trimmed = text.trim();
  const prefix = prefixes.find((candidate) => trimmed.startsWith(candidate));
  if (prefix === undefined) return { operator: '=', operand: trimmed };
  return { operator: prefix, operand: trimmed.slice(prefix.length).trim() };
}

/**
 * Compares numbers as numbers (`5` equals `5.0`) and anything else as exact text. Text has no order: a sensor that
 * reports ERROR is neither above nor below 80, and an alphabetical order would raise alarms by accident.
 */
export function judge(condition: string, value: string): Verdict {
  const { operator, operand } = parseCondition(condition);
  const given = value.trim();
  const [left, right] = [numberOf(given), numberOf(operand)];
  if (operator === '&' || operator === '!&') return judgeBits(operator, left, right);
  if (left === undefined || right === undefined) return judgeTexts(operator, given === operand);
  return verdict(holds(operator, left, right));
}

type Bits = '&' | '!&';

/** `&` is met if the two numbers share any bit, `!&` if they share none; negative numbers are two's complement. */
function judgeBits(operator: Bits, left: bigint | number | undefined, right: bigint | number | undefined): Verdict {
  const [bits, mask] = [integerOf(left), integerOf(right)];
  if (bits === undefined || mask === undefined) return 'incomparable';
  return verdict((operator === '&') === ((bits & mask) !== 0n));
}

function judgeTexts(operator: Exclude<Operator, Bits>, isSame: boolean): Verdict {
  if (operator === '=') return verdict(isSame);
  return operator === '!=' ? verdict(!isSame) : 'incomparable';
}

function holds(operator: Exclude<Operator, Bits>, left: bigint | number, right: bigint | number): boolean {
  switch (operator) {
    case '=':
      return left >= right && left <= right;
    case '!=':
      return left < right || left > right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
  }
}

function verdict(isMet: boolean): Verdict {
  return isMet ? 'met' : 'not-met';
}

/** Parses whole numbers as BigInt, because 64-bit counters can differ where doubles are equal. */
function numberOf(text: string): bigint | number | undefined {
  if (/^[+-]?\d+$/.test(text)) return BigInt(text);
  // Number() alone would accept '', 0x10 and Infinity.
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined;
}

/** Converts `5.0` to an integer for bit tests; undefined for 5.5 and for values a double cannot hold exactly. */
function integerOf(value: bigint | number | undefined): bigint | undefined {
  return typeof value === 'number' ? (Number.isSafeInteger(value) ? BigInt(value) : undefined) : value;
}
