// Ringing in from a simulated phone: the same conversation as that of a telephone.

import type { Caller } from '../../domain/access/access.ts';
import type { CheckedPin } from '../../domain/calls/ring-in/checked-pin.ts';
import { simulatorProviders } from '../../domain/channels/kinds/simulator.ts';
import type { Provider } from '../../domain/channels/provider.ts';
import { readSettings } from '../../domain/channels/settings.ts';
import { AppError } from '../../errors.ts';
import type { Operation, ReadTx } from '../../store/store.ts';
import { selectAttempt } from '../calls/attempts.ts';
import { readCallConfiguration } from '../configuration/call-configuration.ts';
import { selectByAttempt } from '../conversations/conversation-rows.ts';
import { answerIn, endIn, pressIn, type Said } from '../conversations/converse.ts';
import type { StoredMenu } from '../conversations/menu-steps.ts';
import { beginRingIn, type SigningIn } from '../conversations/sign-in.ts';

const channel = 'simulator';

type RangIn = { readonly callId: number; readonly said: Said };

/** The line is who uses the simulated phone, so that guesses are counted by it. */
export const beginSimulatedRingIn: Operation<{ readonly caller: Caller }, RangIn> = {
  name: 'begin-simulated-ring-in',
  async run(tx, now, { caller }) {
    const provider = (await readCallConfiguration(tx)).providers.find(takesRingIns);
    if (provider === undefined)
      throw new AppError('unprocessable', 'No simulated provider has the setting ringIn switched on.');
    const line = { address: caller.actor, channel, providerId: provider.id };
    const { attemptId } = await beginRingIn.run(tx, now, { line });
    return { callId: attemptId, said: await answerIn(tx, now, attemptId) };
  },
};

type OfRingIn = { readonly callId: number; readonly caller: Caller };
type Keys = OfRingIn & {
  readonly keys: string;
  readonly checkedPin: CheckedPin | undefined;
};

export const pressInRingIn: Operation<Keys, Said> = {
  name: 'press-in-ring-in',
  async run(tx, now, { callId, keys, caller, checkedPin }) {
    await refuseOtherCalls(tx, callId, caller);
    return pressIn(tx, now, callId, { keys, caller, checkedPin });
  },
};

export const hangUpRingIn: Operation<OfRingIn, void> = {
  name: 'hang-up-ring-in',
  async run(tx, now, { callId, caller }) {
    await refuseOtherCalls(tx, callId, caller);
    await endIn(tx, now, callId);
  },
};

function takesRingIns({ kind, isEnabled, settings }: Provider): boolean {
  return kind === channel && isEnabled && readSettings(simulatorProviders.fields, settings).values.ringIn;
}

/** Only who has rung in presses keys; the conversation of a real telephone is nobody's to press keys in. */
async function refuseOtherCalls(tx: ReadTx, callId: number, { actor }: Caller): Promise<void> {
  const row = await tx.one(selectByAttempt, { attemptId: callId });
  const menu = row && (JSON.parse(row.menu) as StoredMenu | SigningIn);
  const signingIn = menu !== undefined && 'line' in menu ? menu.line.address : undefined;
  const line = signingIn ?? (await tx.one(selectAttempt, { id: callId }))?.address;
  if (menu?.context.rangInBy !== channel || line !== actor)
    throw new AppError('not-found', `Nobody has rung in as ${callId}.`);
}
