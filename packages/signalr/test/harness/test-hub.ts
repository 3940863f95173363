// The hub of the tests: one method or stream for every feature of a hub.

import { defineHub, type HubConnection, type HubDefinition, HubException } from '../../src/hub.ts';

/** `seen` collects connects, disconnects and the life of streams, in order. */
export function makeTestHub(seen: string[]): HubDefinition {
  return defineHub({
    name: 'trades',
    methods: {
      echo: (_call, value) => value,
      nothing: () => {},
      fail: () => {
        throw new Error('a secret of the server');
      },
      refuse: () => {
        throw new HubException('not today');
      },
      whoAmI: ({ connection }) => connection.principal.id,
      myId: ({ connection }) => connection.id,
      sum: async ({ uploads: [numbers] }) => {
        let sum = 0;
        for await (const number of numbers ?? []) sum += Number(number);
        return sum;
      },
      sumOfAnswers: async ({ connection, uploads: [numbers] }) => {
        let sum = 0;
        for await (const number of numbers ?? []) sum += Number(await connection.invoke('answer', [number]));
        return sum;
      },
      askMe: ({ connection }, question) => connection.invoke('answer', [question]),
      join: ({ connection }, name) => connection.joinGroup(String(name)),
      leave: ({ connection }, name) => connection.leaveGroup(String(name)),
      pushMe: ({ connection }, ...args) => connection.send('pushed', args),
      goAway: ({ connection }, allowReconnect) => connection.close({ allowReconnect: allowReconnect === true }),
      untilCanceled: ({ signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve('canceled'))),
    },
    streams: {
      async *count(_call, upTo) {
        for (let number = 1; number <= Number(upTo); number++) yield number;
      },
      async *double({ uploads: [numbers] }) {
        for await (const number of numbers ?? []) yield 2 * Number(number);
      },
      async *forever({ signal }) {
        seen.push('stream begun');
        try {
          while (!signal.aborted) yield 'again';
        } finally {
          seen.push('stream ended');
        }
      },
      // biome-ignore lint/correctness/useYield: it throws before it yields.
      async *failAtOnce() {
        throw new Error('a secret of the server');
      },
      refuseAtOnce() {
        throw new HubException('not today');
      },
      async *breaks() {
        yield 1;
        throw new Error('a secret of the server');
      },
    },
    onConnected: ({ id }) => {
      seen.push(`connected ${id}`);
    },
    onDisconnected: ({ id }: HubConnection) => {
      seen.push(`disconnected ${id}`);
    },
  });
}
