// The MessagePack hub protocol of ASP.NET Core SignalR: one array per message, each after its length.

import { Decoder, Encoder } from '@msgpack/msgpack';
import { invocationIdField, requireList, requireSequenceId, requireString, streamIdsField } from './message-fields.ts';
import { checkShape } from './messagepack-shape.ts';
import { type Completion, type HubMessage, InvalidMessage, messageType, type Outcome } from './messages.ts';
import type { Framed, Protocol } from './protocol.ts';
import { readVarInt, writeVarInt } from './var-int.ts';

const resultKind = { error: 1, nothing: 2, value: 3 } as const;

/** Undefined fields are omitted, as in JSON. */
const encoder = new Encoder({ ignoreUndefined: true });
const decoder = new Decoder();

export const messagePackProtocol: Protocol = {
  name: 'messagepack',
  isBinary: true,
  encode(message) {
    const body = encoder.encodeSharedRef(listOf(message));
    return Buffer.concat([writeVarInt(body.length), body]);
  },
  findFirst(bytes, maxBytes): Framed | undefined {
    const length = readVarInt(bytes);
    if (length === undefined) return undefined;
    if (length.value > maxBytes) throw new InvalidMessage(`A message is over ${maxBytes} bytes`);
    const end = length.size + length.value;
    return bytes.length < end ? undefined : { body: bytes.subarray(length.size, end), length: end };
  },
  decode: (body) => messageOf(requireList(parse(body), 'message')),
};

/** The headers after the type are neither read nor sent. */
function listOf(message: HubMessage): readonly unknown[] {
  const { type } = message;
  switch (type) {
    case messageType.invocation:
    case messageType.streamInvocation:
      return [type, {}, message.invocationId ?? null, message.target, message.args, message.streamIds ?? []];
    case messageType.streamItem:
      return [type, {}, message.invocationId, message.item ?? null];
    case messageType.completion:
      return completionList(message);
    case messageType.cancelInvocation:
      return [type, {}, message.invocationId];
    case messageType.ping:
      return [type];
    case messageType.close:
      return [type, message.error ?? null, message.allowReconnect ?? false];
    case messageType.ack:
    case messageType.sequence:
      return [type, message.sequenceId];
  }
}

function completionList({ type, invocationId, error, result }: Completion): readonly unknown[] {
  if (error !== undefined) return [type, {}, invocationId, resultKind.error, error];
  if (result === undefined) return [type, {}, invocationId, resultKind.nothing];
  return [type, {}, invocationId, resultKind.value, result];
}

function parse(body: Buffer): unknown {
  checkShape(body);
  try {
    return decoder.decode(body);
  } catch {
    throw new InvalidMessage('A message is not MessagePack');
  }
}

function messageOf(list: readonly unknown[]): HubMessage | undefined {
  const [type, , id, fourth, fifth, sixth] = list;
  const invocationId = () => requireString(id, 'invocationId');
  const call = () => ({
    target: requireString(fourth, 'target'),
    args: requireList(fifth, 'arguments'),
    ...streamIdsField(sixth),
  });
  switch (type) {
    case messageType.invocation:
      return { type, ...invocationIdField(id), ...call() };
    case messageType.streamInvocation:
      return { type, invocationId: invocationId(), ...call() };
    case messageType.streamItem:
      return { type, invocationId: invocationId(), item: fourth };
    case messageType.completion:
      return { type, invocationId: invocationId(), ...outcomeOf(fourth, fifth) };
    case messageType.cancelInvocation:
      return { type, invocationId: invocationId() };
    case messageType.ping:
      return { type };
    case messageType.close:
      return closeOf(list[1], list[2]);
    case messageType.ack:
    case messageType.sequence:
      return { type, sequenceId: requireSequenceId(list[1]) };
    default:
      if (typeof type === 'number') return undefined;
      throw new InvalidMessage('A message has no type');
  }
}

function outcomeOf(kind: unknown, value: unknown): Outcome {
  if (kind === resultKind.error) return { error: requireString(value, 'error') };
  if (kind === resultKind.value) return { result: value };
  if (kind === resultKind.nothing) return {};
  throw new InvalidMessage('A completion is of no known kind');
}

function closeOf(error: unknown, allowReconnect: unknown): HubMessage {
  return {
    type: messageType.close,
    ...(typeof error === 'string' && { error }),
    ...(typeof allowReconnect === 'boolean' && { allowReconnect }),
  };
}
