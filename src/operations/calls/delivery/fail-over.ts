// Gives an attempt whose provider has failed to the next one, at once and without using up a try of the person.

import { statement } from '../../../store/statement.ts';
import type { Operation } from '../../../store/store.ts';
import { ProviderAssignment, triedOf } from '../../providers/assign.ts';
import { noteFailure } from '../../providers/health.ts';
import { raiseProviderAlarm } from '../../providers/provider-alarms.ts';
import { selectAttempt } from '../attempts.ts';

type FailOver = {
  readonly node: string;
  readonly nodeName: string;
  readonly attemptId: number;
  readonly fault: 'down' | 'refused';
  /** Text for people. */
  readonly reason: string;
};

/**
 * `use`: deliver it by this provider now. `released`: the attempt waits for capacity and any node may take it. `none`: no
 * provider is left. `lost`: another node has it.
 */
type NextProvider =
  | { readonly kind: 'use'; readonly providerId: number }
  | { readonly kind: 'released' | 'none' | 'lost' };

export const failOver: Operation<FailOver, NextProvider> = {
  name: 'fail-over',
  async run(tx, now, { node, nodeName, attemptId, fault, reason }) {
    const row = await tx.one(selectAttempt, { id: attemptId });
    if (row?.state !== 'started' || row.lease_by !== node || row.provider_id === null) return { kind: 'lost' };
    if (fault === 'down') await noteFailure(tx, now, row.provider_id, reason);
    else await raiseProviderAlarm(tx, now, row.provider_id, { trouble: 'refused', reason, isCalled: true });
    const tried = JSON.stringify([...triedOf(row), row.provider_id]);
    const assignment = await ProviderAssignment.load(tx, now, nodeName);
    const choice = assignment.choose({ ...row, tried_providers: tried });
    if (choice.kind === 'none') {
      await tx.run(setProvider, { id: attemptId, providerId: row.provider_id, tried });
      return { kind: 'none' };
    }
    if (choice.kind === 'wait') {
      await tx.run(release, { id: attemptId, tried });
      return { kind: 'released' };
    }
    await tx.run(setProvider, { id: attemptId, providerId: choice.provider.id, tried });
    return { kind: 'use', providerId: choice.provider.id };
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
