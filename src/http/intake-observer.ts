// What the server tells of its intakes: the requests that they refused, and the callers whose alarms they took.

import type { Principal } from '../domain/access/access.ts';

/** A refused request to an intake. */
export type IntakeRefusal = {
  /** The method and the path of the route, as in `POST /api/v1/alarms`. */
  readonly route: string;
  readonly principal: Principal | undefined;
  /** The token, if one was sent and is not valid. */
  readonly token: string | undefined;
  readonly address: string;
  readonly code: string;
  readonly reason: string;
  readonly contentType: string | undefined;
  readonly bytes: Uint8Array;
  /** Set if only items of a list were refused; the others were taken. */
  readonly isPartial?: true;
};

export type IntakeObserver = {
  onRefused(refusal: IntakeRefusal): void;
  /** Called when an alarm or a value of the caller has been taken; costs nothing while none of its alarms was refused. */
  onTaken(principal: Principal): void;
};
