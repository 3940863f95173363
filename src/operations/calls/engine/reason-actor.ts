// Who ended something, by its reason.

import { systemCaller } from '../../../domain/access/access.ts';
import type { Reason } from '../../../domain/escalation/reason.ts';

/** An actor such as `user:3`; what nobody has done, the system has. */
export function actorOf(reason: Reason): string {
  if (!('by' in reason)) return systemCaller.actor;
  const [, id] = /^\{name (\d+)\}$/.exec(reason.by) ?? [];
  return id === undefined ? systemCaller.actor : `user:${id}`;
}
