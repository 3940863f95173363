// A call in the unit of work, with everything that its decisions added.

import type { Call, CallNote, Cycle, NewAttempt } from '../../domain/calls/call.ts';
import type { Instant } from '../../store/store.ts';

export type TrackedCall = {
  readonly id: number;
  readonly startedAt: Instant;
  /** The call as loaded; undefined for a new one. */
  readonly loaded: Call | undefined;
  call: Call;
  /** The actor of the change that ended the call, if it has. */
  endedBy: string | undefined;
  /** Every cycle that was changed, including cycles of a round that has ended since. */
  readonly cycles: Map<number, { readonly cycle: Cycle; readonly round: number }>;
  readonly attempts: NewAttempt[];
  readonly notes: CallNote[];
};
