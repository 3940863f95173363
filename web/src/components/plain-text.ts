// Text of alarms as it came: control characters are shown as pictures and never act.

const lineBreaks = new Set(['\n', '\r', '\t']);
const firstPicture = 0x2400;
const deleteCode = 0x7f;
const deletePicture = '\u2421';

/** U+2400 is the picture of U+0000, and so on; line breaks become spaces, because the texts have one line. */
export function plainText(text: string): string {
  return Array.from(text, shown).join('');
}

/** The same for a text of several lines. */
export function linesOf(text: string): string {
  return text.split(/\r?\n/).map(plainText).join('\n');
}

function shown(character: string): string {
  const code = character.charCodeAt(0);
  if (code === deleteCode) return deletePicture;
  if (code >= 0x20) return character;
  return lineBreaks.has(character) ? ' ' : String.fromCharCode(firstPicture + code);
}
