// The JSON of a source: an API key or a data server, and what came from it.

import { type Static, Type } from 'typebox';
import { instantText, printInstant } from './date-time.ts';
import { choice, idOf, uint } from './paging.ts';

export const sourceSchema = Type.Object(
  {
    kind: choice(
      [
        ['key', 'an API key that may send alarms'],
        ['dataServer', 'a data server'],
      ],
      { description: 'What it is.' },
    ),
    id: idOf('key or data server'),
    name: Type.String({ description: 'Its name.', examples: ['PLC'] }),
    stationIds: Type.Array(uint({ examples: [1] }), {
      description: 'The station of a data server, or those that a key is bound to; empty: all.',
    }),
    lastTime: Type.Optional(instantText('When an alarm or a value last came; absent if none has.')),
    usualSeconds: Type.Optional(
      Type.Number({
        description: 'The usual time between two of them; absent if it is not known yet.',
        examples: [10],
      }),
    ),
    silentAfterSeconds: Type.Optional(
      uint({
        description:
          'The silence after which something is wrong; absent if the source is not regular, or not known for a day.',
        examples: [120],
      }),
    ),
    silent: Type.Boolean({ description: 'Whether it is silent for longer than that.' }),
  },
  { title: 'Source', description: 'A source of alarms and values, and what came from it.' },
);

type SourceView = {
  readonly kind: 'key' | 'dataServer';
  readonly id: number;
  readonly name: string;
  readonly stationIds: readonly number[];
  readonly lastAt: number | undefined;
  readonly usualMs: number | undefined;
  readonly silentAfterMs: number | undefined;
  readonly isSilent: boolean;
};

export function printSource(source: SourceView, timeZone: string): Static<typeof sourceSchema> {
  const { kind, id, name, stationIds, lastAt, usualMs, silentAfterMs, isSilent } = source;
  return {
    kind,
    id,
    name,
    stationIds: [...stationIds],
    ...(lastAt === undefined ? {} : { lastTime: printInstant(lastAt, timeZone) }),
    ...(usualMs === undefined ? {} : { usualSeconds: usualMs / 1000 }),
    ...(silentAfterMs === undefined ? {} : { silentAfterSeconds: Math.round(silentAfterMs / 1000) }),
    silent: isSilent,
  };
}
