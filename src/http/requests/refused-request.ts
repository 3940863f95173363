// A refused request, as the server reports it to the log, the metrics, the audit trail and the list of refused intakes.

import type { Principal } from '../../domain/access/access.ts';
import type { ErrorCode } from '../../errors.ts';

export type RefusedRequest = {
  readonly code: ErrorCode;
  readonly reason: string;
  /** The method and the declared path, as in `POST /api/v1/alarms`; `none` if there is nothing at the address. */
  readonly route: string;
  readonly principal: Principal | undefined;
  /** Whether a token was sent, valid or not. */
  readonly hasToken: boolean;
  readonly address: string;
  /** Set if the route is an intake. */
  readonly intake: RefusedIntakeBody | undefined;
};

type RefusedIntakeBody = {
  /** The method and the path as it was sent, by which the request can be retried: `POST /api/v1/in/alertmanager`. */
  readonly sentTo: string;
  /** The token, if it is not valid. */
  readonly invalidToken: string | undefined;
  readonly contentType: string | undefined;
  /** The body or its beginning; of a list of which other items were taken, the refused items. */
  readonly bytes: Uint8Array;
  /** The length that the sender declared; 0 if it declared none. */
  readonly sentLength: number;
  /** Whether only items of a list were refused and others taken. */
  readonly isPartial: boolean;
  /** Whether the sender asked for strict handling, as integrators do who test their client. */
  readonly isStrict: boolean;
};

export type RequestObserver = {
  onRefused(refusal: RefusedRequest): void;
  /** Called when an intake has taken an alarm or a value of the caller. */
  onTaken(principal: Principal): void;
};
