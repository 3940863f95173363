// Evaluates an alarm's actions: who would be called, what would be played or run, and what prevents it. Pure.

import { type CallTarget, targetName } from '../calls/call.ts';
import { type Scripts, whyNotRun, withoutPermission } from '../script.ts';
import type { ActionList, Mask } from './alarm.ts';
import { conditionWarning } from './condition.ts';
import type { AlarmAction, AlarmDefinition } from './definition.ts';

/** The existing users, call groups, media files and scripts that actions and file fields may refer to. */
export type Targets = {
  readonly userIds: ReadonlySet<number>;
  readonly callGroupIds: ReadonlySet<number>;
  readonly mediaNames: ReadonlySet<string>;
  /** Undefined if commands are disabled. */
  readonly scripts: Scripts | undefined;
};

/**
 * Why an action cannot run or a file cannot be used. Alarms of a station with the same cause share one system alarm.
 */
export type Problem = { readonly field: string; readonly cause: Cause; readonly sentence: string };
type Cause = 'call-group' | 'user' | 'media' | 'command' | 'action-type';

/** An action as recorded when it runs; `inert` says why it has no effect. */
export type RecordedAction = AlarmAction & { readonly list: ActionList; readonly inert?: string };

export const actionLists = ['alarm', 'reset', 'ack'] as const satisfies readonly ActionList[];
/** Actions that name somebody to call. */
export const callTypes: ReadonlySet<string> = new Set(['CallGroup', 'CallUser']);
/** Actions that are suppressed while an alarm is masked. */
const suppressedByMask: ReadonlySet<string> = new Set([...callTypes, 'PlaySound']);

/** Flag bit 1: the target may see and acknowledge the alarm, but is not called. */
const viewOnlyFlag = 2;

export function isViewOnly({ flags }: Pick<AlarmAction, 'flags'>): boolean {
  return (flags & viewOnlyFlag) !== 0;
}

/** Returns the distinct targets that the definitions and actions refer to. */
export function targetsNamed(
  definitions: readonly PartialDefinition[],
  actions: readonly AlarmAction[] = [],
): NamedTargets {
  const named = { userIds: new Set<number>(), callGroupIds: new Set<number>(), mediaNames: new Set<string>() };
  for (const definition of definitions) {
    for (const list of actionLists) {
      const { actions = [], vocalMessageFile = '', attachedFile = '' } = definition[list] ?? {};
      if (vocalMessageFile !== '') named.mediaNames.add(vocalMessageFile);
      if (attachedFile !== '') named.mediaNames.add(attachedFile);
      for (const action of actions) addTarget(action, named);
    }
  }
  for (const action of actions) addTarget(action, named);
  return named;
}

type MutableTargets = {
  readonly userIds: Set<number>;
  readonly callGroupIds: Set<number>;
  readonly mediaNames: Set<string>;
};

function addTarget({ type, id, parameter }: AlarmAction, named: MutableTargets): void {
  if (type === 'CallUser') named.userIds.add(id);
  else if (type === 'CallGroup') named.callGroupIds.add(id);
  else if (type === 'PlaySound') named.mediaNames.add(parameter);
}

/** A definition, or a partial change of one. */
type PartialDefinition = { readonly [L in ActionList]?: Partial<AlarmDefinition[L]> };
/** Targets that are looked up in the store. */
export type NamedTargets = Omit<Targets, 'scripts'>;

/** Returns every action and file of the definition that cannot be carried out. */
export function problemsOf(definition: AlarmDefinition, targets: Targets): readonly Problem[] {
  const problems: Problem[] = [];
  for (const list of actionLists) {
    const { actions, vocalMessageFile, attachedFile } = definition[list];
    for (const [index, action] of actions.entries()) {
      const problem = problemOf(action, targets);
      if (problem !== undefined) problems.push({ field: `${list}Actions[${index}]`, ...problem });
    }
    if (isMissing(vocalMessageFile, targets))
      problems.push({ field: `${list}VocalMessageFile`, ...missingMedia(vocalMessageFile) });
    if (isMissing(attachedFile, targets))
      problems.push({ field: `${list}AttachedFile`, ...missingMedia(attachedFile) });
  }
  return problems;
}

/**
 * Returns the actions of a list as recorded when they run. While an alarm is masked nobody is called and nothing is
 * played; commands still run, so that a running one can be stopped.
 */
export function recordedActions(
  list: ActionList,
  actions: readonly AlarmAction[],
  targets: Targets,
  mask: Mask | undefined,
): readonly RecordedAction[] {
  return actions.map((action) => {
    const inert = whyInert(action, targets, mask);
    const shown = action.allowed === undefined ? action : withoutPermission(action);
    return inert === undefined ? { list, ...shown } : { list, ...shown, inert };
  });
}

/** A target to call after a delay. */
export type WantedCall = { readonly target: CallTarget; readonly delayMs: number };

/**
 * Returns the calls that the actions of a list ask for. If an alarm asks for calls and no target exists, the last
 * resort is called, so that every alarm with calls reaches somebody.
 */
export function wantedCalls(
  actions: readonly AlarmAction[],
  targets: Targets,
  list: ActionList,
): readonly WantedCall[] {
  const calls = actions.filter((action) => callTypes.has(action.type) && !isViewOnly(action));
  const possible = calls.filter((action) => problemOf(action, targets) === undefined);
  if (list === 'alarm' && calls.length > 0 && possible.length === 0) {
    return [{ target: { kind: 'last-resort', id: 0 }, delayMs: Math.min(...calls.map(delayOf)) }];
  }
  return possible.map((action) => ({
    target: { kind: action.type === 'CallGroup' ? 'group' : 'user', id: action.id },
    delayMs: delayOf(action),
  }));
}

/**
 * Returns each target once, with its smallest delay, in the order in which the actions name them first: a target that is being
 * called for an alarm is not called again for it.
 */
export function oncePerTarget(wanted: readonly WantedCall[]): readonly WantedCall[] {
  const calls = new Map<string, WantedCall>();
  for (const call of wanted) {
    const name = targetName(call.target);
    const delayMs = Math.min(call.delayMs, calls.get(name)?.delayMs ?? call.delayMs);
    calls.set(name, { ...call, delayMs });
  }
  return [...calls.values()];
}

/** The parameter of a call action is its delay in seconds; a parameter that is not a number means no delay. */
function delayOf({ parameter }: AlarmAction): number {
  return isDelay(parameter) ? Number(parameter) * 1000 : 0;
}

function isDelay(parameter: string): boolean {
  return /^\d{1,10}$/.test(parameter.trim());
}

/** Returns warnings about parts of the definition that are carried out, but probably not as intended. */
export function definitionWarnings(definition: AlarmDefinition): readonly Pick<Problem, 'field' | 'sentence'>[] {
  const warning = conditionWarning(definition.condition.value);
  const warnings = warning === undefined ? [] : [{ field: 'eventCondition.value', sentence: warning }];
  for (const list of actionLists) {
    for (const [index, { type, parameter }] of definition[list].actions.entries()) {
      if (parameter === '' || !callTypes.has(type) || isDelay(parameter)) continue;
      const sentence = 'is no delay in whole seconds, so it is called for at once';
      warnings.push({ field: `${list}Actions[${index}].parameter`, sentence });
    }
  }
  return warnings;
}

function whyInert(action: AlarmAction, targets: Targets, mask: Mask | undefined): string | undefined {
  const problem = problemOf(action, targets);
  if (problem !== undefined) return problem.sentence;
  if (mask !== undefined && suppressedByMask.has(action.type)) return 'the alarm is masked';
  if (!callTypes.has(action.type)) return undefined;
  return !isViewOnly(action) ? undefined : 'may see and acknowledge, but is not called';
}

/** Returns why an action cannot run; undefined if it can. */
export function problemOf(action: AlarmAction, targets: Targets): Omit<Problem, 'field'> | undefined {
  const { type, id, parameter, foreign = false } = action;
  switch (type) {
    case 'CallGroup':
      return !foreign && targets.callGroupIds.has(id) ? undefined : missing('call-group', `call group ${id}`);
    case 'CallUser':
      return !foreign && targets.userIds.has(id) ? undefined : missing('user', `user ${id}`);
    case 'PlaySound':
      return targets.mediaNames.has(parameter) ? undefined : missingMedia(parameter);
    case 'ExecuteCommand':
    case 'StopCommand': {
      const sentence = whyNotRun(action, targets.scripts);
      return sentence === undefined ? undefined : { cause: 'command', sentence };
    }
    default:
      return { cause: 'action-type', sentence: `there is no action of the type "${type}"` };
  }
}

function isMissing(file: string, { mediaNames }: Targets): boolean {
  return file !== '' && !mediaNames.has(file);
}

function missing(cause: Cause, what: string): Omit<Problem, 'field'> {
  return { cause, sentence: `${what} does not exist` };
}

function missingMedia(name: string): Omit<Problem, 'field'> {
  return missing('media', name === '' ? 'the sound without a name' : `the media file "${name}"`);
}
