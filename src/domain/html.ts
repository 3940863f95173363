// HTML template without injection: it escapes every value that is not HTML made by the template itself. Pure.

export type Html = { readonly html: string };
type Part = string | number | Html | readonly Html[] | undefined;

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return { html: strings.map((string, index) => string + print(parts[index])).join('') };
}

function print(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return 'html' in part ? part.html : part.map((piece) => piece.html).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
