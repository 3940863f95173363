// Scripts that alarms may run: who may request one, which parameters a script accepts, and its result. Pure.

import { neededFor } from './access/effects.ts';
import type { AlarmAction, AlarmDefinition, DefinitionChange } from './alarms/definition.ts';

/** The existing scripts by id, each with the pattern its whole parameter must match, if any. */
export type Scripts = ReadonlyMap<number, string | undefined>;

/** A requested script run and the alarm it runs for. */
export type ScriptOrder = {
  readonly id: number;
  readonly scriptId: number;
  readonly parameter: string;
  readonly alarmId: number;
  readonly alarmPath: string;
};

export type ScriptResult = {
  readonly outcome: 'succeeded' | 'failed' | 'timed-out' | 'stopped' | 'unknown' | 'too-late';
  readonly exitCode?: number;
  readonly detail: string;
  /** The beginning of the script's output. */
  readonly output: string;
};

/** Outcomes that need no report. */
export const quietOutcomes: ReadonlySet<ScriptResult['outcome']> = new Set(['succeeded', 'stopped']);

const longestParameter = 1_024;
const longestPattern = 256;

export function isCommand({ type }: Pick<AlarmAction, 'type'>): boolean {
  return type === 'ExecuteCommand' || type === 'StopCommand';
}

/** Returns why a command does not run; undefined if it does. Undefined `scripts` means that commands are disabled. */
export function whyNotRun(action: AlarmAction, scripts: Scripts | undefined): string | undefined {
  if (scripts === undefined) return 'commands are switched off';
  if (action.allowed !== true) return `whoever asks for a command needs ${neededFor('run a script')}`;
  if (!scripts.has(action.scriptId)) return `script ${action.scriptId} does not exist`;
  return action.type === 'StopCommand' ? undefined : whyNotTaken(action, scripts.get(action.scriptId));
}

/** Returns why a script rejects a parameter; undefined if it accepts it. */
export function whyNotTaken(
  { scriptId, parameter }: Pick<AlarmAction, 'scriptId' | 'parameter'>,
  pattern: string | undefined,
): string | undefined {
  // Checked first, so that no pattern is matched against a long text.
  if (new TextEncoder().encode(parameter).length > longestParameter)
    return `the parameter is longer than ${longestParameter} bytes`;
  if (parameter.includes('\0')) return 'the parameter has a NUL';
  if (pattern === undefined || new RegExp(`^(?:${pattern})$`, 'u').test(parameter)) return undefined;
  return `the parameter is not one that script ${scriptId} takes`;
}

/**
 * Returns why a pattern is rejected; undefined if it is accepted. The number of ways to match is at most the product of
 * its choices, and that product is limited: a pattern that backtracks for ever would block every alarm.
 */
export function patternMistake(pattern: string): string | undefined {
  if (pattern.length > longestPattern) return `is longer than ${longestPattern} characters`;
  try {
    new RegExp(`^(?:${pattern})$`, 'u');
  } catch {
    return 'is no regular expression';
  }
  if (/\\[1-9k]|\(\?(?!:)/.test(pattern)) return 'looks back or ahead';
  const bare = pattern.replace(/\\./g, 'x').replace(/\[[^\]]*\]/g, 'x');
  if (/\)[*+{]/.test(bare)) return 'repeats a group';
  const choices = [...bare.matchAll(/[*+|]|(?<!\()\?|\{(\d+)(,?)(\d*)\}/g)].map(choicesOf);
  return choices.reduce((product, count) => product * count, 1) > 2 ** 22 ? 'can match in too many ways' : undefined;
}

function choicesOf([text, least, comma, most]: RegExpMatchArray): number {
  if (text === '?' || text === '|') return 2;
  if (text === '*' || text === '+' || (comma === ',' && most === '')) return longestParameter;
  return comma === ',' ? Number(most) - Number(least) + 1 : 1;
}

/**
 * Marks the commands of a sent list as allowed if the sender may run them. If a sender who may not sends the same list
 * again, the list keeps its marks: nothing changes, and raising the alarm without a list would run it too.
 */
export function permittedList(
  sent: readonly AlarmAction[],
  mayRun: boolean,
  before: readonly AlarmAction[],
): readonly AlarmAction[] {
  if (!sent.some(isCommand)) return sent;
  if (mayRun) return sent.map((action) => (isCommand(action) ? { ...action, allowed: true } : action));
  return JSON.stringify(sent) === JSON.stringify(before.map(withoutPermission)) ? before : sent;
}

export function withoutPermission({ allowed: _, foreign: __, ...action }: AlarmAction): AlarmAction {
  return action;
}

/** Applies `permittedList` to each action list of a definition change. */
export function permittedChange(change: DefinitionChange, mayRun: boolean, before: AlarmDefinition): DefinitionChange {
  let permitted = change;
  for (const list of ['alarm', 'reset', 'ack'] as const) {
    const sent = change[list]?.actions;
    if (sent === undefined || !sent.some(isCommand)) continue;
    const actions = permittedList(sent, mayRun, before[list].actions);
    permitted = { ...permitted, [list]: { ...change[list], actions } };
  }
  return permitted;
}

/**
 * Replaces every character of a path except letters, digits and a few marks, so that even a careless script handles it
 * safely.
 */
export function plainPath(path: string): string {
  return path.replace(/[^\p{L}\p{N} ._/\\:#@+-]/gu, '_');
}
