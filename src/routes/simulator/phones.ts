// Routes of the simulated phones: show, answer, press keys, hang up, send a text.

import { Type } from 'typebox';
import { compareTypedPin } from '../../access/typed-pin.ts';
import { callerAt, type Principal } from '../../domain/access/access.ts';
import { mayCause, neededFor } from '../../domain/access/effects.ts';
import type { CheckedPin } from '../../domain/calls/ring-in/checked-pin.ts';
import { AppError } from '../../errors.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import type { Said } from '../../operations/conversations/converse.ts';
import { openForPhone } from '../../operations/simulator/open-for-phone.ts';
import {
  getPhoneLine,
  listPhoneMessages,
  listPhones,
  type PhoneMessage,
} from '../../operations/simulator/phone-rows.ts';
import { answerPhone, hangUp, pressKeys, sendText } from '../../operations/simulator/phones.ts';
import type { Store } from '../../store/store.ts';
import { instantText, printInstant } from '../../wire/date-time.ts';
import { choice, idOf, maxTextLength, text, uint } from '../../wire/paging.ts';

const tag = 'Simulator';
const allPath = '/api/v1/simulator/phones';
const path = `${allPath}/:userId`;
const params = Type.Object({ userId: uint({ description: 'The user whose phone it is.', examples: [1] }) });
const messagesShown = 50;
/** Of each phone, where all phones are shown. */
const messagesShownOfEach = 10;

const phoneMessage = Type.Object(
  {
    id: idOf('message'),
    callId: Type.Optional(uint({ description: 'The row of the call history it belongs to.' })),
    channel: text(maxTextLength, { description: 'The way it came.', examples: ['voice'] }),
    address: text(maxTextLength, { description: 'The number it came to.', examples: ['+33123456789'] }),
    direction: choice([
      ['to', 'to the phone'],
      ['from', 'from the phone'],
    ]),
    text: Type.String({ description: 'What was said or written.' }),
    state: choice([
      ['ringing', 'a call that rings'],
      ['answered', 'a call that was answered'],
      ['ended', 'a call that is over'],
      ['delivered', 'a text'],
    ]),
    outcome: text(maxTextLength, { description: 'How a call ended: answered, rejected, no answer, busy, cancelled.' }),
    time: instantText('When it came.'),
  },
  { title: 'PhoneMessage', description: 'A call or a text of a simulated phone.' },
);

const said = Type.Object(
  {
    said: Type.String({ description: 'What the voice says.' }),
    over: Type.Boolean({ description: 'Whether the call is over.' }),
  },
  { title: 'PhoneSaid', description: 'What a simulated phone hears.' },
);

type PhoneParts = { readonly store: Store; readonly timeZone: string };

export function phoneRoutes(parts: PhoneParts): Route[] {
  return [seeAllRoute(parts), seeRoute(parts), ...callRoutes(parts.store), textRoute(parts.store)];
}

const shared = { method: 'POST', scope: 'calls:send', tag, params, refusals: ['already-done'] } as const;

const phone = Type.Object(
  {
    userId: idOf('user whose phone it is'),
    user: Type.String({ description: 'The name of the user; empty if the user was removed.', examples: ['ana'] }),
    messages: Type.Array(phoneMessage, { description: 'Its newest calls and texts, the newest first.' }),
  },
  { title: 'Phone', description: 'A simulated phone.' },
);

function seeAllRoute({ store, timeZone }: PhoneParts): Route {
  return defineRoute({
    method: 'GET',
    path: allPath,
    scope: 'calls:read',
    tag,
    operationId: 'listPhones',
    summary: 'See all simulated phones',
    description: `The phones that have calls or texts, with the newest ${messagesShownOfEach} of each. Callers without the scope \`admin\` get their own phone only.`,
    responses: { 200: Type.Array(phone) },
    refusals: [],
    handle: async ({ principal }) => {
      const phones = await store.read(listPhones, { limit: messagesShownOfEach });
      return phones
        .filter(({ userId }) => mayUsePhone(principal, userId))
        .map(({ userId, name, messages }) => ({
          userId,
          user: name,
          messages: messages.map((message) => printMessage(message, timeZone)),
        }));
    },
  });
}

function seeRoute({ store, timeZone }: PhoneParts): Route {
  return defineRoute({
    method: 'GET',
    path,
    scope: 'calls:read',
    tag,
    operationId: 'getPhone',
    summary: 'See a simulated phone',
    description: 'Its newest calls and texts, the newest first. A call that rings is `ringing`.',
    params,
    responses: { 200: Type.Array(phoneMessage) },
    refusals: [],
    handle: async ({ params: { userId }, principal }) => {
      refuseForeignPhone(principal, userId);
      const messages = await store.read(listPhoneMessages, { userId, limit: messagesShown });
      return messages.map((message) => printMessage(message, timeZone));
    },
  });
}

function callRoutes(store: Store): Route[] {
  return [
    defineRoute({
      ...shared,
      path: `${path}/answer`,
      operationId: 'answerPhone',
      summary: 'Answer a simulated phone',
      responses: { 200: said },
      handle: async ({ params: { userId }, principal, now }) => {
        refuseForeignPhone(principal, userId);
        const open = await openForPhone(store, userId, now);
        return printSaid(await store.write(answerPhone, { userId, open }));
      },
    }),
    defineRoute({
      ...shared,
      path: `${path}/keys`,
      operationId: 'pressPhoneKeys',
      summary: 'Press keys on a simulated phone',
      description:
        '1 proves that a human listens; then 1 take, 2 heard, 3 decline, 4 repeat, 5 next, 6 later, 9 take all, 0 help. After 9 the keys of the same request do not count: 1 in the next one confirms.',
      body: Type.Object(
        { keys: Type.String({ pattern: '^[0-9*#]{1,20}$', description: 'The keys.', examples: ['1'] }) },
        { title: 'PhoneKeysBody', description: 'The keys to press.' },
      ),
      responses: { 200: said },
      handle: async ({ params: { userId }, body: { keys }, principal, request, now }) => {
        refuseForeignPhone(principal, userId);
        const checkedPin = await comparePin(store, userId, keys);
        const caller = callerAt(principal, request);
        const open = await openForPhone(store, userId, now);
        return printSaid(await store.write(pressKeys, { userId, keys, caller, checkedPin, open }));
      },
    }),
    defineRoute({
      ...shared,
      path: `${path}/hangup`,
      operationId: 'hangUpPhone',
      summary: 'Hang up a simulated phone',
      description: 'Hanging up without a key acknowledges nothing; hanging up while it rings rejects the call.',
      responses: { 200: Type.Literal(true, { description: 'The call is over.' }) },
      handle: async ({ params: { userId }, principal }) => {
        refuseForeignPhone(principal, userId);
        await store.write(hangUp, { userId });
        return true as const;
      },
    }),
  ];
}

function textRoute(store: Store): Route {
  return defineRoute({
    ...shared,
    path: `${path}/texts`,
    operationId: 'sendPhoneText',
    summary: 'Send a text from a simulated phone',
    description:
      'The code of a message, alone or with `all`, takes the alarms it names; `2` and the code: heard; `3`: declined; `6`: later. A late reply is told what became of the alarm.',
    body: Type.Object(
      { text: text(maxTextLength, { description: 'The text.', examples: ['1'] }) },
      { title: 'PhoneTextBody', description: 'The text to send.' },
    ),
    responses: {
      200: Type.Object(
        { answer: Type.String({ description: 'The reply.' }) },
        { title: 'PhoneReply', description: 'The reply to a text.' },
      ),
    },
    handle: async ({ params: { userId }, body, principal, request }) => {
      refuseForeignPhone(principal, userId);
      const input = { userId, text: body.text, address: 'simulated phone', caller: callerAt(principal, request) };
      return { answer: await store.write(sendText, input) };
    },
  });
}

function mayUsePhone(principal: Principal, userId: number): boolean {
  return (
    (principal.kind === 'user' && principal.id === userId) || mayCause(principal, 'use the phone of somebody else')
  );
}

/** Only the owner and administrators may operate a phone, because it acts on the owner's behalf. */
function refuseForeignPhone(principal: Principal, userId: number): void {
  if (!mayUsePhone(principal, userId))
    throw new AppError(
      'scope-missing',
      `This is somebody else’s phone: it needs ${neededFor('use the phone of somebody else')}.`,
    );
}

/** Compares the PIN off the event loop and before the transaction; undefined if the keys do not complete a PIN. */
async function comparePin(store: Store, userId: number, keys: string): Promise<CheckedPin | undefined> {
  const line = keys.includes('#') ? await store.read(getPhoneLine, { userId }) : undefined;
  return line && compareTypedPin(store, line.attemptId, keys);
}

function printSaid({ text, isOver }: Said) {
  return { said: text, over: isOver };
}

function printMessage(message: PhoneMessage, timeZone: string) {
  const { id, attemptId, channel, address, direction, text, state, outcome, createdAt } = message;
  return {
    id,
    ...(attemptId === undefined ? {} : { callId: attemptId }),
    channel,
    address,
    direction: direction as 'to' | 'from',
    text,
    state: state as 'ringing' | 'answered' | 'ended' | 'delivered',
    outcome,
    time: printInstant(createdAt, timeZone),
  };
}
