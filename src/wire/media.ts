// The JSON of media metadata; the content is never JSON.

import { Type } from 'typebox';
import { type MediaFile, mediaTypes } from '../domain/media.ts';
import { printUtcLocal } from './date-time.ts';
import { lastChange } from './entry.ts';
import { uint } from './paging.ts';

export const mediaSchema = Type.Object(
  {
    name: Type.String({ description: 'The name by which alarms refer to it.', examples: ['siren.wav'] }),
    type: Type.Enum(mediaTypes, { description: 'The type, detected from the content, not from the name.' }),
    size: uint({ description: 'The size in bytes.', examples: [88_244] }),
    lastChange,
  },
  { title: 'MediaFile', description: 'A sound, a picture or a document.' },
);

export function printMedia({ name, type, size, lastChange: changedAt }: MediaFile) {
  return { name, type, size, lastChange: printUtcLocal(changedAt) };
}
