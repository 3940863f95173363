// The grammar of `eventCondition.value`: whether the value of a tag meets a condition such as `>=80`. Pure.

import type { AlarmCommand } from './alarm.ts';

// `>=` before `>`: the first that fits is the operator.
const prefixes = ['!=', '>=', '<=', '!&', '>', '<', '&'] as const;

export type Operator = '=' | (typeof prefixes)[number];
export type Condition = { readonly operator: Operator; readonly operand: string };

/** `incomparable`: an order or a bit test where one side is no number. */
export type Verdict = 'met' | 'not-met' | 'incomparable';

/**
 * What a value says about its alarm; `before` is the one before. Without a condition it says nothing. One that cannot be
 * compared does not either: a dead sensor neither raises an alarm nor ends one. That is told once, not with each repeat.
 */
export function commandOf(condition: string, value: string, before: string): AlarmCommand {
  if (!isCondition(condition)) return { kind: 'define' };
  const verdict = judge(condition, value);
  if (verdict !== 'incomparable') return { kind: 'report', isRaised: verdict === 'met' };
  return { kind: value === before ? 'define' : 'unclear' };
}

/** Nothing but white space is no condition. */
export function isCondition(text: string): boolean {
  return text.trim() !== '';
}

/** Why a condition will hardly do what it was meant to, if so. */
export function doubtAbout(condition: string): string | undefined {
  if (condition === '') return undefined;
  const { operator, operand } = parseCondition(condition);
  if (operator === '=' || operator === '!=') {
    return /^(?:=|>|<)/.test(operand) ? `is taken for the text "${operand}": a plain value means equals` : undefined;
  }
  const isBits = operator === '&' || operator === '!&';
  const isNumber = isBits ? wholeOf(numberOf(operand)) !== undefined : numberOf(operand) !== undefined;
  return isNumber
    ? undefined
    : `compares with "${operand}", which is no ${isBits ? 'whole ' : ''}number: no value meets it`;
}

/** White space around the operand does not count: `>= 80` is `>=80`. Without a prefix the whole is the operand. */
export function parseCondition(text: string): Condition {
  const trimmed = text.trim();
  const prefix = prefixes.find((candidate) => trimmed.startsWith(candidate));
  if (prefix === undefined) return { operator: '=', operand: trimmed };
  return { operator: prefix, operand: trimmed.slice(prefix.length).trim() };
}

/**
 * Numbers are compared as numbers, `5` equals `5.0`. Everything else is text, equal or not to the letter. Text has no
 * order: a sensor that reports ERROR is neither above nor below 80, and an order by letters would raise by accident.
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

/** `&` is met when the two have any bit in common, `!&` when they have none; a negative number is in two's complement. */
function judgeBits(operator: Bits, left: bigint | number | undefined, right: bigint | number | undefined): Verdict {
  const [bits, mask] = [wholeOf(left), wholeOf(right)];
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

/** Whole numbers are exact at any size: counters of 64 bits differ where a double no longer does. */
function numberOf(text: string): bigint | number | undefined {
  if (/^[+-]?\d+$/.test(text)) return BigInt(text);
  // Number() alone would take '', 0x10 and Infinity.
  return /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined;
}

/** A register that arrives as `5.0` still has bits; 5.5 has none, nor has what a double cannot hold exactly. */
function wholeOf(value: bigint | number | undefined): bigint | undefined {
  return typeof value === 'number' ? (Number.isSafeInteger(value) ? BigInt(value) : undefined) : value;
}
