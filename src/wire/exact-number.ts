// Whether a number that is written in JSON stays the same number when it is parsed.

/** Integers of so many digits are exact as numbers. */
export const exactDigits = 15;

/** Whether the number that JSON.parse makes of what is written is another one. */
export function isRounded(written: string): boolean {
  return decimalOf(written) !== decimalOf(String(Number(written)));
}

/** The same for all ways to write one number: its digits without zeros around them, and a power of ten. */
function decimalOf(written: string): string {
  const [mantissa = '', power = '0'] = written.toLowerCase().replace(/^-/, '').split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = whole + fraction;
  let from = 0;
  while (digits[from] === '0') from++;
  let to = digits.length;
  while (to > from && digits[to - 1] === '0') to--;
  if (from === to) return '0';
  return `${digits.slice(from, to)}e${Number(power) - fraction.length + digits.length - to}`;
}
