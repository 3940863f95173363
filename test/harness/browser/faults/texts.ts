// What a page of the console says to whoever looks at it, and where, but for what passes by itself: the clock and ages.

/** Stands between the place of a line and what it says. */
const between = '\t';

/**
 * Runs in the page: the lines on screen with their places, without the clock, how long ago news came, and lists of choices. A place is what
 * surrounds the line: the regions with their headings, the item by what stands first in it, and the column.
 */
export const linesOnScreen = `(() => {
  const skipped = 'script, noscript, option, [aria-live], [data-link] .figures, header > :last-child';
  const regions = 'header, nav, main, aside, section, article, table, [role=grid], dl, figure, form';
  const items = 'li, tr, [role=row], dd, a, button, label';
  const cells = 'td, th, [role=gridcell]';
  const lines = [];
  const isWord = (text) => /\\p{L}{2}/u.test(text);
  const firstIn = (element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) if (isWord(walker.currentNode.data)) return walker.currentNode.data.trim();
    return '';
  };
  const nameOf = (element) => {
    const heading = element.matches('header, main') ? null : element.querySelector(':scope > :is(h1, h2, h3, caption), :scope > * > :is(h1, h2, h3)');
    return element.localName + ':' + (element.getAttribute('aria-label') ?? heading?.textContent ?? '');
  };
  // What follows a colon are figures, as in "Priority 1: 2 active".
  const keyOf = (element) =>
    element.dataset.id ?? String((element.localName === 'dd' ? element.previousElementSibling?.textContent : firstIn(element)) ?? '').split(': ')[0];
  const styled = (element) => String(element.getAttribute('class') ?? '').replaceAll(/_([A-Za-z]+)_\\w+/g, '$1');
  const placeOf = (element, place) => {
    if (element.matches(regions)) return place + '/' + nameOf(element);
    if (element.matches(cells)) return place + '/' + [...element.parentElement.children].indexOf(element);
    if (element.matches(items)) return place + '/' + element.localName + '«' + keyOf(element) + '»';
    return place;
  };
  const read = (node, place, kind) => {
    for (const child of node.childNodes) {
      if (child.nodeType === 3 && child.data.trim() !== '') lines.push([place + kind, child.data.trim()]);
      if (child.nodeType !== 1 || child.matches(skipped)) continue;
      const { display, visibility } = getComputedStyle(child);
      if (display === 'none' || visibility === 'hidden') continue;
      // Of a dialog its title: the rest is a form.
      if (child.matches('dialog, [role=dialog]'))
        lines.push([place, child.querySelector('h1, h2')?.textContent ?? 'dialog']);
      else read(child, placeOf(child, place), '.' + styled(child));
    }
  };
  read(document.body, '', '');
  return lines.map((line) => line.join('\\t'));
})()`;

/** A line as it is compared, of what was found on the page. */
export function comparable(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const at = line.indexOf(between);
    const place = withoutTime(line.slice(0, at));
    return (
      line
        .slice(at + 1)
        .split(' · ')
        // What an estimate is shown as depends on it, too.
        .map((part) => (part.startsWith('≈ ') ? `${between}≈` : place + between + withoutTime(part)))
    );
  });
}

/** What a line says, without its place. */
export function textOf(line: string): string {
  return line.slice(line.indexOf(between) + 1);
}

/** Without ages, as `3 s`, what goes on, as `0:41 left`, and what is measured anew each time. */
function withoutTime(text: string): string {
  return text.replaceAll(/\b\d+ (?:ms|s|min|h|d)\b|^\d+:\d\d(?=$| left$)/g, '…');
}
