// How a call to a simulated phone ended: the code that rules compare, and the words people read. Pure.

export type PhoneOutcome = 'answered' | 'rejected' | 'busy' | 'no-answer' | 'cancelled' | 'wrong-pin';

const texts: Readonly<Record<string, string>> = { 'no-answer': 'no answer', 'wrong-pin': 'wrong PIN three times' };

/** Returns the outcome in words. Events written before outcomes had codes contain the words already. */
export function outcomeText(outcome: string): string {
  return Object.hasOwn(texts, outcome) ? (texts[outcome] ?? outcome) : outcome;
}
