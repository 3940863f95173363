// The type of query keys: what is no JSON, such as a Map, would be the same key whatever it has in it.

import type {} from '@tanstack/react-query';

type KeyPart = string | number | boolean | null | undefined | readonly KeyPart[] | { readonly [name: string]: KeyPart };

declare module '@tanstack/react-query' {
  interface Register {
    queryKey: readonly KeyPart[];
  }
}
