// Reads the recordings that conversations play.

import type { Recording } from '../../domain/calls/words/recorded-text.ts';
import { type MediaType, mediaTypeOf } from '../../domain/media.ts';
import { statement } from '../../store/statement.ts';
import type { Query } from '../../store/store.ts';
import { loadContent } from '../media/queries.ts';

type Content = { readonly type: MediaType; readonly bytes: Uint8Array };

/** Returns the bytes of a recording; undefined if it does not exist, or is of no type that is accepted. */
export const getRecording: Query<{ readonly recording: Recording }, Content | undefined> = {
  name: 'get-recording',
  async run(tx, { recording }) {
    if (recording.kind === 'media') return loadContent(tx, recording.name);
    const row = await tx.one(selectAudio, { id: recording.messageId });
    const bytes = Buffer.from(row?.audio ?? '', 'base64');
    const type = mediaTypeOf(bytes);
    return type && { type, bytes };
  },
};

const selectAudio = statement((db, args: { id: number }) =>
  db.selectFrom('call_messages').select('audio').where('id', '=', args.id),
);
