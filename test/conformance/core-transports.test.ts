// The transports of ASP.NET Core SignalR pass the hub scenarios, with the published client `@microsoft/signalr`.

import { HttpTransportType } from '@microsoft/signalr';
import { makeClient, type Protocol } from '../../packages/signalr/test/harness/core-client.ts';
import { type Connect, scenariosOf, type TransportClient, transportConformance } from './transport.ts';

type Kind = {
  readonly transport: keyof typeof HttpTransportType;
  readonly protocol: Protocol;
  readonly isStateful?: boolean;
};

const kinds: readonly Kind[] = [
  { transport: 'WebSockets', protocol: 'json' },
  { transport: 'WebSockets', protocol: 'messagepack' },
  { transport: 'WebSockets', protocol: 'json', isStateful: true },
  { transport: 'WebSockets', protocol: 'messagepack', isStateful: true },
  { transport: 'ServerSentEvents', protocol: 'json' },
  { transport: 'LongPolling', protocol: 'json' },
  { transport: 'LongPolling', protocol: 'messagepack' },
];

const messages: TransportClient['messages'] = {
  failed: (method) => `An unexpected error occurred invoking '${method}' on the server.`,
  refused: (method, reason) =>
    `An unexpected error occurred invoking '${method}' on the server. HubException: ${reason}`,
  unknown: (method) =>
    `Failed to invoke '${method}' due to an error on the server. HubException: Method does not exist.`,
};

function connector({ transport, protocol, isStateful = false }: Kind): Connect {
  return async (_t, url, token) => {
    const connection = makeClient(url, {
      ...{ protocol, isStateful, transport: HttpTransportType[transport], retryDelays: [0, 0] },
      ...(token !== undefined && { accessTokenFactory: () => token }),
    });
    const states: string[] = [];
    connection.onreconnecting(() => states.push('reconnecting'));
    connection.onreconnected(() => states.push('reconnected'));
    connection.onclose(() => states.push('disconnected'));
    await connection.start();
    return {
      get id() {
        return connection.connectionId;
      },
      ...{ states, messages },
      invoke: (method, ...args) => connection.invoke(method, ...args),
      send: (method, ...args) => connection.send(method, ...args),
      on: (target, handler) => connection.on(target, handler),
      off: (target) => connection.off(target),
      stream: (method, ...args) => connection.stream(method, ...args),
      stop: () => connection.stop(),
    };
  };
}

for (const kind of kinds) {
  const { transport, protocol, isStateful } = kind;
  const reason = 'ASP.NET Core SignalR resumes only WebSockets with stateful reconnect';
  transportConformance(
    `${protocol} over ${transport}${isStateful ? ' with stateful reconnect' : ''}`,
    connector(kind),
    {
      skip: isStateful ? [] : scenariosOf.resuming.map((test) => ({ test, reason })),
    },
  );
}
