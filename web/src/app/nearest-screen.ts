// The screen that an address may have meant: that of the most similar name. Pure.

/** Returns the path whose letters are nearest to those of the address; undefined if none is near. */
export function nearestPath(
  address: string,
  named: readonly (readonly [path: string, name: string])[],
): string | undefined {
  const meant = lettersOf(address.split('/').find((part) => part !== '') ?? '');
  const [nearest] = named
    .flatMap(([path, name]) => [path, name].map((text) => ({ path, steps: stepsBetween(meant, lettersOf(text)) })))
    .toSorted((one, other) => one.steps - other.steps);
  return nearest !== undefined && nearest.steps <= meant.length / 2 ? nearest.path : undefined;
}

function lettersOf(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}

/** How many letters are added, left out or exchanged. */
function stepsBetween(one: string, other: string): number {
  let before = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...one].entries()) {
    const steps = [row + 1];
    for (const [index, otherLetter] of [...other].entries()) {
      const [diagonal = 0, above = 0] = [before[index], before[index + 1]];
      steps.push(Math.min(above + 1, (steps.at(-1) ?? 0) + 1, diagonal + (letter === otherLetter ? 0 : 1)));
    }
    before = steps;
  }
  return before.at(-1) ?? 0;
}
