// Commands of an alarm, and an alarm that records what each command did as a line, for the tests of the state machine.

import type { AlarmCommand, AlarmLife, AlarmRules, Refusal, Transition } from '../../../src/domain/alarms/alarm.ts';
import { newLife } from '../../../src/domain/alarms/alarm.ts';
import { advance } from '../../../src/domain/alarms/transition.ts';

export const plain: AlarmRules = {
  transitory: false,
  reactivatable: false,
  resettable: true,
  temporary: false,
  alarmDelay: 0,
};
export const on = { kind: 'report', isRaised: true } as const satisfies AlarmCommand;
export const off = { kind: 'report', isRaised: false } as const satisfies AlarmCommand;
export const ack = { kind: 'acknowledge', by: 'user:3', comment: 'on my way' } as const satisfies AlarmCommand;
export const reset = { kind: 'reset' } as const satisfies AlarmCommand;
export const mask = {
  kind: 'mask',
  until: 9_000,
  reason: 'works on pump 7',
  by: 'user:1',
} as const satisfies AlarmCommand;
export const unmask = { kind: 'unmask' } as const satisfies AlarmCommand;
export const define = { kind: 'define' } as const satisfies AlarmCommand;
export const unclear = { kind: 'unclear' } as const satisfies AlarmCommand;
export const delayElapsed = { kind: 'delayElapsed' } as const satisfies AlarmCommand;
export const maskExpired = { kind: 'maskExpired' } as const satisfies AlarmCommand;

/** Creates an alarm that applies commands one after another and records each step as a line. */
export function alarm(rules: Partial<AlarmRules> = {}, start = 0) {
  let life: AlarmLife = newLife({ ...plain, ...rules }, start);
  const lines: string[] = [];
  return {
    at(now: number, command: AlarmCommand): string {
      const { due, outcome } = advance(life, command, now);
      const steps = [...due, outcome];
      life = steps.findLast((step) => step.kind === 'accepted')?.life ?? life;
      lines.push(...steps.map(formatStep));
      return lines.at(-1) ?? '';
    },
    redefine(changed: Partial<AlarmRules>): void {
      life = { ...life, rules: { ...life.rules, ...changed } };
    },
    get life(): AlarmLife {
      return life;
    },
    lines,
  };
}

/** Formats a step as a line: reason, new state, then the effects. */
export function formatStep(step: Transition | Refusal): string {
  if (step.kind === 'refused') return `refused: ${step.reason}`;
  return [
    `${step.reason} ${step.life.state}`,
    ...step.occurrences.map(({ kind, at }) => `${kind}@${at}`),
    ...step.actions.map((list) => `run ${list}`),
    ...(step.isCalledAgain ? ['call again'] : []),
    ...(step.isAnnounced ? ['announce'] : []),
    ...(step.isChanged ? [] : ['unchanged']),
    ...(step.runningCalls === 'go-on' ? [] : [`calls ${step.runningCalls}`]),
    ...(step.isRemoved ? ['removed'] : []),
    ...(step.nextDue === undefined ? [] : [`due@${step.nextDue}`]),
  ].join(', ');
}
