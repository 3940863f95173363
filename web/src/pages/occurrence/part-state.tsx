// Says of a part of the page that it is being read, or why it is not there.

import type { ReactElement } from 'react';
import { ListNote } from '../../components/list-note.tsx';
import { mayPass } from '../../data/lists/query-failures.ts';
import { reasonOf } from '../../data/server.ts';

type Part = { readonly data: unknown; readonly error: unknown };

export function PartState({ data, error }: Part): ReactElement {
  const isRefused = error !== null && error !== undefined && !mayPass(error);
  if (data === undefined && isRefused) return <p>{reasonOf(error)}</p>;
  return <ListNote isRead={data !== undefined} error={error} />;
}
