// The form in which a text is spoken: lines are sentences, so that there is a pause between them, and dates are read as people
// say them. Pure.

const isoDate = /\b(\d{4})-(\d{2})-(\d{2})(?:[ T](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?(?![\d-])/g;
const unfinishedLine = /([^\s.!?:;,…])[^\S\n]*$/gmu;

export function spokenForm(text: string, language: string): string {
  const dated = text.replace(isoDate, (written, year, month, day, time) =>
    spokenDate(written, Date.UTC(Number(year), Number(month) - 1, Number(day)), time, language),
  );
  return dated.replace(unfinishedLine, '$1.');
}

function spokenDate(written: string, at: number, time: string | undefined, language: string): string {
  const isDate = new Date(at).toISOString().startsWith(written.slice(0, 10));
  if (!isDate) return written;
  // What people have saved as their language may be no tag that Intl takes.
  const [tag = 'en'] = /^[a-z]{2,3}\b/i.exec(language.replace('_', '-')) ?? [];
  const day = new Intl.DateTimeFormat(tag, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  return time === undefined ? day.format(at) : `${day.format(at)}, ${time}`;
}

/** A code digit by digit, not as one number. */
export function spokenDigits(code: string): string {
  return [...code].join(' ');
}

/** The longest text of an alarm that is read before the keys are named, about half a minute. */
const mostBeforeKeys = 400;
/** About two minutes: the keys are named after it, before the call ends. */
const mostInAll = 1_600;

/** Returns the beginning of a text that is too long to be read before the keys are named; undefined if it is not. */
export function spokenBeginning(text: string): string | undefined {
  return text.length > mostBeforeKeys ? cutAtWord(text, mostBeforeKeys) : undefined;
}

/** Returns as much of a text as a call has time for. */
export function spokenWhole(text: string): string {
  return text.length > mostInAll ? cutAtWord(text, mostInAll) : text;
}

function cutAtWord(text: string, most: number): string {
  const cut = text.slice(0, most);
  const atWord = cut.replace(/\s+\S*$/u, '');
  return `${(atWord.length > most / 2 ? atWord : cut).toWellFormed()} …`;
}
