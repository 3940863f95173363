// The difference between two clocks, of which one says only whole seconds. Pure.

/** The server's second is taken at its middle, and at the middle between question and answer. */
export function differenceOf(server: number, asked: number, answered: number): number {
  return (asked + answered) / 2 - (server + 500);
}
