// Gives an attempt whose provider has failed to the next one, at once and without using up a try of the person.

import type { CallOutcome, ProviderFault } from '../../../domain/calls/delivery.ts';
import { appendEvents } from '../../../store/event-log.ts';
import { statement } from '../../../store/statement.ts';
import type { Operation } from '../../../store/store.ts';
import { ProviderAssignment, triedOf, triesByProvider } from '../../providers/assign.ts';
import { noteFailure } from '../../providers/health.ts';
import { raiseProviderAlarm } from '../../providers/provider-alarms.ts';
import { selectAttempt } from '../attempts.ts';
import { callsChanged } from '../engine/call-events.ts';

type FailOver = {
  readonly node: string;
  readonly nodeName: string;
  readonly attemptId: number;
  /** The provider that has failed. */
  readonly leavingId: number;
  readonly fault: ProviderFault;
  readonly outcome: CallOutcome;
  /** Text for people. */
  readonly reason: string;
};

/**
 * `use`: deliver it by this provider now. `released`: the attempt waits for capacity and any node may take it. `none`: no
 * provider is left. `lost`: another node has it.
 */
type NextProvider =
  | { readonly kind: 'use'; readonly providerId: number; readonly hasNextProvider: boolean }
  | { readonly kind: 'none' /** Whether one that may carry it is out of service. */; readonly hasUnasked: boolean }
  | { readonly kind: 'released' | 'lost' };

/**
 * Leaves a provider at most once for an attempt: the node asks again when the response of the database was lost, and a
 * second fail-over would blame the next provider, which was never asked.
 */
export const failOver: Operation<FailOver, NextProvider> = {
  name: 'fail-over',
  async run(tx, now, { node, nodeName, attemptId, leavingId, fault, outcome, reason }) {
    const row = await tx.one(selectAttempt, { id: attemptId });
    if (row?.state !== 'started' || row.lease_by !== node || row.provider_id === null) return { kind: 'lost' };
    if (triedOf(row).includes(leavingId))
      return row.provider_id === leavingId
        ? { kind: 'none', hasUnasked: false }
        : { kind: 'use', providerId: row.provider_id, hasNextProvider: false };
    if (fault === 'down') await noteFailure(tx, now, leavingId, { reason, address: row.address });
    else if (fault === 'refused')
      await raiseProviderAlarm(tx, now, leavingId, { trouble: 'refused', reason, isCalled: true });
    const tried = JSON.stringify([...triesByProvider(row), { id: leavingId, outcome, reason }]);
    const assignment = await ProviderAssignment.load(tx, now, { node, nodeName });
    const choice = assignment.choose({ ...row, tried_providers: tried });
    if (choice.kind === 'none') {
      await tx.run(setProvider, { id: attemptId, providerId: leavingId, tried });
      return { kind: 'none', hasUnasked: assignment.hasUnasked({ ...row, tried_providers: tried }) };
    }
    if (choice.kind === 'wait') {
      await tx.run(release, { id: attemptId, tried });
      await appendEvents(tx, [{ kind: callsChanged, actor: 'system', subjectId: row.call_id, at: now }]);
      return { kind: 'released' };
    }
    await tx.run(setProvider, { id: attemptId, providerId: choice.provider.id, tried });
    const { id: providerId } = choice.provider;
    return {
      kind: 'use',
      providerId,
      hasNextProvider: assignment.hasNext({ ...row, provider_id: providerId, tried_providers: tried }),
    };
  },
};

const setProvider = statement((db, args: { id: number; providerId: number; tried: string }) =>
  db
    .updateTable('call_attempts')
    .set({ provider_id: args.providerId, tried_providers: args.tried, provider_ref: null, accepted_at: null })
    .where('id', '=', args.id),
);

const release = statement((db, args: { id: number; tried: string }) =>
  db
    .updateTable('call_attempts')
    .set({
      state: 'due',
      provider_id: null,
      provider_ref: null,
      tried_providers: args.tried,
      accepted_at: null,
      lease_by: null,
      lease_until: null,
    })
    .where('id', '=', args.id),
);
