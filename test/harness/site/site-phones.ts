// The simulated phones of a site: people who are called and answer, and a check that no other phone rings.

import assert from 'node:assert/strict';
import { listPhones } from '../../../src/operations/simulator/phone-rows.ts';
import type { Caller } from './site-caller.ts';

/** How long a phone of the simulator rings, and how long a conversation lasts at most. */
const ringMs = 30_000;
const longestCallMs = 180_000;

export const voice = (address: string, more: object = {}) => ({ channel: 'voice', address, ...more });
/** A telephone number that follows from a name. */
export const numberOf = (name: string): string =>
  `+331${[...name].map((letter) => String(letter.charCodeAt(0) % 100).padStart(2, '0')).join('')}`
    .padEnd(12, '0')
    .slice(0, 15);
export const sms = (address: string, more: object = {}) => ({ channel: 'sms', address, ...more });

export type Person = ReturnType<Phones['of']>;

type PhoneRow = {
  readonly id: number;
  readonly callId: number;
  readonly state: string;
  readonly direction: string;
  readonly text: string;
  readonly address: string;
  readonly outcome: string;
  readonly time: string;
};

/** Settles the site: every call that is due at this time is made. */
type Settle = () => Promise<void>;

export class Phones {
  readonly #caller: Caller;
  readonly #settle: Settle;
  /** The ids of the people whose phones are watched; the administrator is the first. */
  readonly #watched = new Set([1]);
  /** The ids of phone messages that a test has expected. */
  readonly #expected = new Set<number>();
  #areUsed = false;

  constructor(caller: Caller, settle: Settle) {
    this.#caller = caller;
    this.#settle = settle;
  }

  /** Whether the test uses phones, so that unexpected calls fail it. */
  get areUsed(): boolean {
    return this.#areUsed;
  }

  /** A telephone number that no other person of the site has. */
  get nextNumber(): string {
    return `+3312345${String(this.#watched.size).padStart(4, '0')}`;
  }

  /** The phone of a user, which settle and advance watch from now on. */
  of(id: number, name: string) {
    this.#areUsed = true;
    this.#watched.add(id);
    const path = `/simulator/phones/${id}`;
    const messages = () => this.#caller.ask<readonly PhoneRow[]>('GET', path);
    const ringing = async () => (await messages()).find(({ state }) => state === 'ringing');
    const press = async (keys: string) =>
      (await this.#caller.ask<{ said: string }>('POST', `${path}/keys`, { keys })).said;
    const answers = async (...keys: readonly string[]) => {
      const said = [(await this.#caller.ask<{ said: string }>('POST', `${path}/answer`)).said];
      for (const key of keys) said.push(await press(key));
      await this.#settle();
      return said;
    };
    return {
      id,
      name,
      messages,
      /** Asserts that the phone rings now, with a text that matches. */
      isCalled: async (about: RegExp = /./) => {
        await this.#settle();
        const call = await ringing();
        assert.ok(call, `${name}'s phone should ring`);
        assert.match(call.text, about, `the text that ${name} is called with`);
        this.#expected.add(call.id);
        return call;
      },
      isNotCalled: async () => {
        await this.#settle();
        assert.equal(await ringing(), undefined, `${name}'s phone should not ring`);
      },
      /** Answers the call and presses the keys one after the other; returns the sentences that the phone said. */
      answers,
      press,
      takes: () => answers('1', '1'),
      hears: () => answers('1', '2'),
      declines: () => answers('1', '3'),
      hangsUp: async () => {
        await this.#caller.ask('POST', `${path}/hangup`);
        await this.#settle();
      },
      /** Asserts that the newest text on the phone matches; returns it with its reply code. */
      hasText: async (about: RegExp) => {
        await this.#settle();
        const text = (await messages()).find(({ state, direction }) => state === 'delivered' && direction === 'to');
        assert.ok(text, `${name} should have a text`);
        assert.match(text.text, about);
        return { text: text.text, code: /Reply (\d+)/.exec(text.text)?.[1] ?? '' };
      },
      /** Sends a text from the phone; returns the text it gets in reply. */
      texts: async (text: string) => {
        const { answer } = await this.#caller.ask<{ answer: string }>('POST', `${path}/texts`, { text });
        await this.#settle();
        return answer;
      },
    };
  }

  /**
   * The calls that ring or are being answered, each with the time at which it ends by itself. One read for all: a read of
   * each of thirty phones waited for the two connections that PostgreSQL has for lists, and on a slow machine longer than the
   * five seconds after which the server calls the database unavailable.
   */
  async inUse() {
    const { store, clock } = this.#caller.app;
    const phones = await store.read(listPhones, { limit: 5 });
    const lasts = (state: string): number => (state === 'ringing' ? ringMs : longestCallMs);
    return (
      phones
        .filter(({ userId }) => this.#watched.has(userId))
        .flatMap(({ messages }) => messages)
        .filter(({ state }) => state === 'ringing' || state === 'answered')
        // A phone rings as long when the clock is set meanwhile.
        .map((call) => ({ ...call, ends: call.createdAt + lasts(call.state) + clock.movedSince(call.createdAt) }))
    );
  }

  async expectCallsInUse(): Promise<void> {
    for (const { id } of await this.inUse()) this.#expected.add(id);
  }

  async refuseUnexpectedCalls(): Promise<void> {
    const surprises = (await this.inUse()).filter(({ id }) => !this.#expected.has(id));
    assert.deepEqual(surprises, [], 'phones that ring and were not expected to');
  }
}
