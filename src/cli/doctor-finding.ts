// What a check of `tocsin doctor` found, and how it is printed.

export type Finding = { readonly level: 'ok' | 'warning' | 'problem'; readonly sentence: string };

export const ok = (sentence: string): Finding => ({ level: 'ok', sentence });
/** It works, but will not for long, or not as meant. */
export const warning = (sentence: string): Finding => ({ level: 'warning', sentence });
/** The server would not start, or would lose something. */
export const problem = (sentence: string): Finding => ({ level: 'problem', sentence });

export function lineOf({ level, sentence }: Finding): string {
  // One line each, also when the words come from a database.
  return `${level.padEnd(7)}  ${sentence.replace(/\s*\n\s*/g, ' ')}`;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
