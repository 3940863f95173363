// The JSON of media: what is told of a file; its content is never JSON.

import { Type } from 'typebox';
import { type MediaFile, mediaTypes } from '../domain/media.ts';
import { printUtcLocal } from './date-time.ts';
import { uint } from './paging.ts';

export const mediaSchema = Type.Object({
  name: Type.String({ examples: ['siren.wav'] }),
  type: Type.Enum(mediaTypes, { description: 'By its content, whatever it is called.' }),
  size: uint({ description: 'In bytes.', examples: [88_244] }),
  lastChange: Type.String({ description: 'UTC, without offset.', examples: ['2026-05-31T06:30:00.000'] }),
});

export function printMedia({ name, type, size, lastChange }: MediaFile) {
  return { name, type, size, lastChange: printUtcLocal(lastChange) };
}
