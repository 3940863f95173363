// The JSON hub protocol of ASP.NET Core SignalR: one object per message, each ended by a record separator.

import { invocationIdField, requireList, requireSequenceId, requireString, streamIdsField } from './message-fields.ts';
import { type HubMessage, InvalidMessage, messageType } from './messages.ts';
import type { Framed, Protocol } from './protocol.ts';

const recordSeparator = 0x1e;

/** Returns the bytes up to the first record separator; undefined while there is none. Throws above `maxBytes`. */
export function findRecord(bytes: Buffer, maxBytes: number): Framed | undefined {
  const at = bytes.indexOf(recordSeparator);
  const length = at < 0 ? bytes.length : at;
  if (length > maxBytes) throw new InvalidMessage(`A message is over ${maxBytes} bytes`);
  return at < 0 ? undefined : { body: bytes.subarray(0, at), length: at + 1 };
}

export function writeRecord(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\x1e`);
}

export function parseObject(body: Buffer): Readonly<Record<string, unknown>> {
  const value = parse(body);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidMessage('A message is not a JSON object');
  }
  return value as Record<string, unknown>;
}

export const jsonProtocol: Protocol = {
  name: 'json',
  isBinary: false,
  encode: (message) => writeRecord(fieldsOf(message)),
  findFirst: findRecord,
  decode: (body) => messageOf(parseObject(body)),
};

function fieldsOf(message: HubMessage): unknown {
  if (message.type !== messageType.invocation && message.type !== messageType.streamInvocation) return message;
  const { type, invocationId, target, args, streamIds } = message;
  return { type, invocationId, target, arguments: args, streamIds };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    throw new InvalidMessage('A message is not JSON');
  }
}

function messageOf(fields: Readonly<Record<string, unknown>>): HubMessage | undefined {
  const { type } = fields;
  const invocationId = () => requireString(fields.invocationId, 'invocationId');
  switch (type) {
    case messageType.invocation:
      return { type, ...invocationIdField(fields.invocationId), ...callFields(fields) };
    case messageType.streamInvocation:
      return { type, invocationId: invocationId(), ...callFields(fields) };
    case messageType.streamItem:
      return { type, invocationId: invocationId(), item: fields.item };
    case messageType.completion:
      return { type, invocationId: invocationId(), ...outcomeFields(fields) };
    case messageType.cancelInvocation:
      return { type, invocationId: invocationId() };
    case messageType.ping:
      return { type };
    case messageType.close:
      return closeOf(fields);
    case messageType.ack:
    case messageType.sequence:
      return { type, sequenceId: requireSequenceId(fields.sequenceId) };
    default:
      if (typeof type === 'number') return undefined;
      throw new InvalidMessage('A message has no type');
  }
}

function callFields(fields: Readonly<Record<string, unknown>>) {
  return {
    target: requireString(fields.target, 'target'),
    args: requireList(fields.arguments, 'arguments'),
    ...streamIdsField(fields.streamIds),
  };
}

function outcomeFields({ error, result }: Readonly<Record<string, unknown>>) {
  const hasError = error !== undefined && error !== null;
  if (hasError && result !== undefined && result !== null) {
    throw new InvalidMessage('A completion has both a result and an error');
  }
  if (hasError) return { error: requireString(error, 'error') };
  return result === undefined ? {} : { result };
}

function closeOf({ error, allowReconnect }: Readonly<Record<string, unknown>>): HubMessage {
  return {
    type: messageType.close,
    ...(typeof error === 'string' && { error }),
    ...(typeof allowReconnect === 'boolean' && { allowReconnect }),
  };
}
