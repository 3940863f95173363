// Adds the commands of people on alarms to the audit trail, in the transaction of the command.

import { systemCaller } from '../../domain/access/access.ts';
import type { OccurrenceChange, Transition } from '../../domain/alarms/alarm.ts';
import type { Tx } from '../../store/store.ts';
import type { AlarmChange, ChangedBy, Reaction } from '../alarms/reaction.ts';
import { AuditBatch, type AuditOrigin } from './append.ts';

/** Transitions by people, and the ends of masks and acknowledgements, which call people again. */
const auditKinds = {
  acknowledged: 'alarm.acknowledged',
  'acknowledgement-expired': 'alarm.acknowledgement-expired',
  reset: 'alarm.reset',
  masked: 'alarm.masked',
  unmasked: 'alarm.unmasked',
  'mask-expired': 'alarm.mask-expired',
} as const;

export class AlarmAudit implements Reaction {
  readonly #tx: Tx;
  readonly #entries = new AuditBatch();

  constructor(tx: Tx) {
    this.#tx = tx;
  }

  note(change: AlarmChange): void {
    const { entry, before, at, by } = change;
    const { id, stationId, name, path, priority, comment } = entry.alarm;
    const about = { origin: by.origin ?? { actor: by.actor }, stationId, subject: `alarm:${id}` };
    if (change.kind === 'transition') this.#noteTransition(change, about);
    if (change.kind === 'commented')
      this.#entries.add(at, {
        kind: 'alarm.commented',
        ...about,
        before: { name, comment: before.comment },
        after: { name, comment },
      });
    if (change.kind === 'removed') {
      const { life, definition } = before;
      this.#entries.add(at, {
        kind: 'alarm.removed',
        ...about,
        before: { name, path, priority, state: life.state, definition },
      });
    }
  }

  #noteTransition(
    { entry, before, at, by, transition }: AlarmChange & { readonly transition: Transition },
    about: { readonly origin: AuditOrigin; readonly stationId: number; readonly subject: string },
  ): void {
    const { reason, life, occurrences } = transition;
    if (!isAudited(reason)) return;
    const { name } = entry.alarm;
    this.#entries.add(at, {
      kind: auditKinds[reason],
      ...about,
      ...(reason === 'mask-expired' || reason === 'acknowledgement-expired' ? { origin: systemCaller } : {}),
      before: { name, state: before.life.state, mask: before.life.mask },
      after: { name, state: life.state, mask: life.mask, ...acknowledgementIn(occurrences, by) },
    });
  }

  write(): Promise<void> {
    return this.#entries.write(this.#tx);
  }
}

function isAudited(reason: Transition['reason']): reason is keyof typeof auditKinds {
  return Object.hasOwn(auditKinds, reason);
}

/** The user who took the alarm is named apart where another person acknowledged it for them. */
function acknowledgementIn(occurrences: readonly OccurrenceChange[], { actor, acknowledger }: ChangedBy): object {
  const found = occurrences.find((occurrence) => occurrence.kind === 'acknowledge');
  if (found === undefined) return {};
  const taker = acknowledger?.userId === undefined ? actor : `user:${acknowledger.userId}`;
  return { ackUser: found.by, comment: found.comment, ...(taker === actor ? {} : { onBehalfOf: taker }) };
}
