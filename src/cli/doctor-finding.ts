// The findings of `tocsin doctor` and how they are printed.

import { englishReason } from '../domain/channels/words/catalogue.ts';

export type Finding = { readonly level: 'ok' | 'warning' | 'problem'; readonly sentence: string };

export const ok = (sentence: string): Finding => ({ level: 'ok', sentence });
/** It works, but not for long or not as intended. */
export const warning = (sentence: string): Finding => ({ level: 'warning', sentence });
/** The server would not start, or would lose data. */
export const problem = (sentence: string): Finding => ({ level: 'problem', sentence });

export function lineOf({ level, sentence }: Finding): string {
  // Kept on one line, even when the message comes from a database.
  const lines = sentence.split('\n').map((line) => line.trim());
  return `${level.padEnd(7)}  ${lines.filter((line) => line !== '').join(' ')}`;
}

export function reasonOf(error: unknown): string {
  return englishReason(error instanceof Error ? error.message : String(error));
}
