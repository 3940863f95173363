// A table as CSV (RFC 4180), safe to open in a spreadsheet.

type Cell = string | number | undefined;

export function csvOf(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [head, ...rows].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('');
}

/**
 * A text that a spreadsheet would take for a formula gets an apostrophe before it: at its beginning, and after whatever some
 * country's spreadsheet takes for the end of a cell, as it does with semicolons in French and German. Every text is quoted.
 */
function csvCell(cell: Cell): string {
  if (typeof cell === 'number') return String(cell);
  const safe = (cell ?? '').replaceAll(/(^|[;\t\r\n,|]\s*["']?)(?=[=+\-@])/g, "$1'");
  return `"${safe.replaceAll('"', '""')}"`;
}

/** The mark at the beginning tells spreadsheets that it is UTF-8. */
export function downloadText(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(['\ufeff', text], { type: 'text/csv;charset=utf-8' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
