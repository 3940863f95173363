// The JSON of media metadata; the content is never JSON.

import { Type } from 'typebox';
import { type MediaFile, mediaTypes } from '../domain/media.ts';
import { printUtcLocal } from './date-time.ts';
import { uint } from './paging.ts';

export const mediaSchema = Type.Object({
  name: Type.String({ examples: ['siren.wav'] }),
  type: Type.Enum(mediaTypes, { description: 'Detected from the content, not from the name.' }),
  size: uint({ description: 'In bytes.', examples: [88_244] }),
  lastChange: Type.String({ description: 'UTC, without offset.', examples: ['2026-05-31T06:30:00.000'] }),
});

export function printMedia({ name, type, size, lastChange }: MediaFile) {
  return { name, type, size, lastChange: printUtcLocal(lastChange) };
}
