// Releases the far end of a call that a process which is gone had placed or taken.

import { type Credentials, DigestClient } from '../auth/digest-client.ts';
import { Dialog } from '../dialog/dialog.ts';
import { type Guard, guardOf } from '../guard.ts';
import type { SipRequest, SipResponse } from '../message/message.ts';
import type { ClientEvents } from '../transaction/client-transaction.ts';
import { patience } from '../transaction/timers.ts';
import type { Flow } from '../transport/network.ts';
import { endings } from './call-events.ts';
import type { Endpoint } from './endpoint.ts';
import { type HangUpReason, reasonHeader } from './hang-up-reason.ts';
import { cancelOf } from './invite-request.ts';
import { restoredInvite, type SavedCall } from './saved-call.ts';
import { Session } from './session.ts';
import { destinationOf, type Trunk } from './trunk.ts';

export type ReleaseOptions = {
  readonly trunk: Trunk;
  readonly credentials?: Credentials;
  readonly reason?: HangUpReason;
};

/** `gone`: the peer did not know the call any more; `unknown`: it did not answer, or what was saved is damaged. */
export type Released = 'released' | 'gone' | 'unknown';

export async function releaseCall(endpoint: Endpoint, saved: SavedCall, options: ReleaseOptions): Promise<Released> {
  try {
    const flow = await endpoint.openTrunk(destinationOf(options.trunk));
    if (saved.kind === 'invite') {
      const invite = restoredInvite(saved);
      return invite === undefined ? 'unknown' : await cancel(endpoint, invite, flow, options);
    }
    const dialog = Dialog.restored(saved.dialog);
    if (dialog === undefined) return 'unknown';
    const guard = guardOf(`release of call ${dialog.callId}`, endpoint.onFault);
    return await hangUp(sessionOf(endpoint, dialog, flow, options, guard), options.reason);
  } catch {
    // There is no way to the trunk, or what was saved cannot be written as a message.
    return 'unknown';
  }
}

async function hangUp(session: Session, reason: HangUpReason | undefined): Promise<Released> {
  const outcome = await session.bye(endings.hungUp('released'), reasonHeader(reason));
  const status = outcome?.kind === 'response' ? outcome.response.status : undefined;
  if (status === 481) return 'gone';
  return status !== undefined && status < 300 ? 'released' : 'unknown';
}

function sessionOf(
  endpoint: Endpoint,
  dialog: Dialog,
  flow: Flow,
  { trunk, credentials }: ReleaseOptions,
  guard: Guard,
): Session {
  return new Session({
    endpoint,
    dialog,
    digest: new DigestClient(credentials),
    contactUser: 'anonymous',
    first: destinationOf(trunk),
    fallback: flow,
    guard,
    onOffer: () => undefined,
    onDigit: () => {},
    onEnded: () => {},
  });
}

/** Cancels the INVITE, and hangs up when it is answered all the same. */
function cancel(endpoint: Endpoint, invite: SipRequest, flow: Flow, options: ReleaseOptions): Promise<Released> {
  const { promise, resolve } = Promise.withResolvers<Released>();
  const stop = endpoint.timers.after(patience(endpoint.timing), () => resolve('unknown'));
  const guard = guardOf(`release of call ${invite.callId}`, endpoint.onFault, () => resolve('unknown'));
  const onFinal = async (response: SipResponse): Promise<void> => {
    if (response.status >= 300) return resolve('released');
    const session = sessionOf(endpoint, Dialog.ofResponse(invite, response), flow, options, guard);
    await session.acknowledge(invite);
    resolve(await hangUp(session, options.reason));
  };
  const answers: ClientEvents = {
    onResponse: (response) => (response.status < 200 ? undefined : onFinal(response)),
    onFailure: () => {},
  };
  endpoint.adopt(invite, flow, answers, guard);
  endpoint.transact(cancelOf(invite, reasonHeader(options.reason)), flow, {
    onResponse: ({ status }) => {
      if (status === 481) resolve('gone');
    },
    onFailure: () => resolve('unknown'),
  });
  return promise.finally(stop);
}
