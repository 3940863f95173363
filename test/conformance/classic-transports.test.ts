// The transports of classic ASP.NET SignalR 2 pass the hub scenarios, with the published client `signalr` for jQuery.

import assert from 'node:assert/strict';
import { openPage, type Untyped } from '../../packages/signalr/test/harness/classic-page.ts';
import { type Connect, scenariosOf, type TransportClient, transportConformance } from './transport.ts';

const messages: TransportClient['messages'] = {
  failed: (method) => `There was an error invoking Hub method 'trades.${method}'.`,
  refused: (_method, reason) => reason,
  unknown: (method) => `'${method}' method could not be resolved.`,
};

/** Copies a value of the page, whose objects have other prototypes, into this process. */
function copied(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}

/** Waits for a jQuery promise and rethrows its errors, which are objects of the page. */
async function settled(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    return copied(await promise);
  } catch (error) {
    throw new Error((error as Error).message);
  }
}

function connector(transport: string): Connect {
  return async (t, url, token) => {
    const { jQuery } = await openPage(t, new URL('/page', url).href, `${url}/hubs`);
    const { hub, trades } = jQuery.connection as Untyped;
    // The client subscribes only to hubs with at least one client function.
    trades.on('unused', () => {});
    const states: string[] = [];
    hub.reconnecting(() => states.push('reconnecting'));
    hub.reconnected(() => states.push('reconnected'));
    hub.disconnected(() => states.push('disconnected'));
    if (token !== undefined) hub.qs = { access_token: token };
    await settled(hub.start({ transport }).then(() => undefined));
    assert.equal(hub.transport.name, transport);
    return {
      get id() {
        return hub.id;
      },
      ...{ states, messages },
      invoke: (method, ...args) => settled(trades.invoke(method, ...args)),
      async send(method, ...args) {
        trades.invoke(method, ...args).fail(() => {});
      },
      on: (target, handler) => trades.on(target, (...args: unknown[]) => handler(...args.map(copied))),
      off: (target) => trades.off(target),
      stream: () => {
        throw new Error('Classic clients have no streams');
      },
      stop: async () => hub.stop(),
    };
  };
}

const missing = [
  ...scenariosOf.streams.map((test) => ({ test, reason: 'classic ASP.NET SignalR 2 has no streams' })),
  ...scenariosOf.clientResults.map((test) => ({
    test,
    reason: 'functions of classic ASP.NET SignalR 2 clients return nothing',
  })),
];

for (const transport of ['webSockets', 'serverSentEvents', 'longPolling']) {
  transportConformance(`classic over ${transport}`, connector(transport), { skip: missing });
}
