// Reads all pages of a list of the interface.

type Page = { readonly limit: number; readonly offset: number };
type List<T> = { readonly items: T[]; readonly paging: { readonly total: number } };

const pageSize = 1000;

export async function readAll<T>(read: (page: Page) => Promise<List<T>>): Promise<T[]> {
  const items: T[] = [];
  for (;;) {
    const page = await read({ limit: pageSize, offset: items.length });
    items.push(...page.items);
    if (page.items.length === 0 || items.length >= page.paging.total) return items;
  }
}
