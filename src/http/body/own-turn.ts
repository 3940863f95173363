// Shares the event loop between long bodies and everything else: however many are read at once, each turn has one slice.

let last: Promise<unknown> = Promise.resolve();

/** Resolves in a turn of the event loop that no other caller has. */
export function ownTurn(): Promise<void> {
  const turn = last.then(() => new Promise<void>((resolve) => void setImmediate(resolve)));
  last = turn;
  return turn;
}
