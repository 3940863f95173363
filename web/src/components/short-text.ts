// Text of an alarm for one line: long texts are cut, because a row that holds 65,536 characters is slow to draw.

import { plainText } from './plain-text.ts';

const mostLetters = 400;

export function shortText(text: string): string {
  return plainText(text.length <= mostLetters ? text : `${text.slice(0, mostLetters)}…`);
}
