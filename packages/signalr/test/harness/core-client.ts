// The published client of ASP.NET Core SignalR.

import {
  type HubConnection as ClientConnection,
  type HttpTransportType,
  HubConnectionBuilder,
  type IHttpConnectionOptions,
  LogLevel,
} from '@microsoft/signalr';
import { MessagePackHubProtocol } from '@microsoft/signalr-protocol-msgpack';

export type Protocol = 'json' | 'messagepack';

type ClientOptions = {
  readonly protocol?: Protocol;
  readonly transport?: HttpTransportType;
  readonly isStateful?: boolean;
  readonly retryDelays?: number[];
  readonly accessTokenFactory?: () => string;
  readonly headers?: Record<string, string>;
};

/** Builds the published client without starting it. */
export function makeClient(url: string, options: ClientOptions = {}): ClientConnection {
  const { protocol = 'json', transport, isStateful = false, retryDelays, accessTokenFactory, headers } = options;
  const http: IHttpConnectionOptions = {
    ...(transport !== undefined && { transport }),
    ...(accessTokenFactory !== undefined && { accessTokenFactory }),
    ...(headers !== undefined && { headers }),
  };
  const builder = new HubConnectionBuilder().withUrl(url, http).configureLogging(LogLevel.None);
  if (protocol === 'messagepack') builder.withHubProtocol(new MessagePackHubProtocol());
  if (isStateful) builder.withStatefulReconnect();
  if (retryDelays !== undefined) builder.withAutomaticReconnect(retryDelays);
  return builder.build();
}
