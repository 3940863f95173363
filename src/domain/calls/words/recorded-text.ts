// Texts in place of which a recording is played, marked inside of what a telephone says. Pure.

import type { Words } from './words.ts';

/** Where a recording is kept: a media file, or the sound that came with a message. */
export type Recording =
  | { readonly kind: 'media'; readonly name: string }
  | { readonly kind: 'message'; readonly messageId: number };

/** A private-use character, which the texts of alarms and messages lose, so that nobody can write a mark. */
const edge = '\ue001';
const marked = /\ue001(\d+) ([^\ue001]*)\ue001/;

/** Marks a text in place of which the recording with this index is played. */
export function recorded(index: number, text: string): string {
  return `${edge}${index} ${text}${edge}`;
}

/** A part of what is said: a text, or a recording with the text that it stands for. */
export type SaidPart = { readonly text: string; readonly recording?: Recording };

/** Splits what is said into its parts, in their order. */
export function partsOf(said: string, recordings: readonly (Recording | null)[]): readonly SaidPart[] {
  const found = marked.exec(said);
  if (found === null) return said.trim() === '' ? [] : [{ text: said.trim() }];
  const [whole, index, text = ''] = found;
  const recording = recordings[Number(index)];
  return [
    ...partsOf(said.slice(0, found.index), recordings),
    recording == null ? { text } : { text, recording },
    ...partsOf(said.slice(found.index + whole.length), recordings),
  ];
}

/** Returns what is said as text: that of a recording says that it is one. */
export function writtenOf(said: string, words: Words): string {
  return said.replaceAll(new RegExp(marked, 'g'), (_, _index, text: string) => words.recording(text));
}
