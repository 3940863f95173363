// The simulated phones to show, those that ring first; read again with every event of a phone.

import { useQuery } from '@tanstack/react-query';
import { listPhones } from '@tocsin/client';
import { useEffect } from 'react';
import { type PhoneState, phoneAtRest, phoneStateOf } from '../../components/phone/phone-state.ts';
import { useUsers } from '../../data/directory.ts';
import { refetchEvery } from '../../data/lists/query-failures.ts';
import { useOnCallNow } from '../../data/on-call.ts';
import { useIdentity } from '../../data/rights.ts';
import { useLiveAlarms } from '../../data/use-live.ts';
import type { PhonesSearch } from './phones-search.ts';

const order = { ringing: 0, inCall: 1, text: 2, rest: 3 } as const;

type Phones = {
  readonly phones: readonly PhoneState[];
  /** Whether the phones that were used are among them. */
  readonly isRead: boolean;
  readonly error: unknown;
};

export function usePhones({ show }: PhonesSearch): Phones {
  const live = useLiveAlarms();
  const { data, error, refetch } = useQuery({
    queryKey: ['phones'],
    queryFn: () => listPhones(),
    refetchInterval: refetchEvery(10_000),
  });
  useEffect(() => live.onPhone(() => void refetch()), [live, refetch]);
  const quiet = useQuietOwners(show === 'everybody');
  // Before they are read, none is known to be at rest.
  if (data === undefined) return { phones: [], isRead: false, error };
  const used = data.map(phoneStateOf);
  const usedIds = new Set(used.map(({ userId }) => userId));
  const all = [...used, ...quiet.filter(({ userId }) => !usedIds.has(userId))];
  const phones = all.toSorted((a, b) => order[a.kind] - order[b.kind] || a.userId - b.userId);
  return { phones, isRead: true, error };
}

/** Phones that may have had no call: of those on duty now, or of everybody. Without `admin` one sees only one's own. */
function useQuietOwners(isEverybody: boolean): readonly PhoneState[] {
  const users = useUsers().data;
  const duties = useOnCallNow().data?.items ?? [];
  const identity = useIdentity().data;
  const onDuty = new Set(duties.flatMap(({ members }) => members.map(({ userId }) => userId)));
  const isAdministrator = identity?.scopes.includes('admin') ?? false;
  return [...(users?.values() ?? [])]
    .filter(({ id }) => isEverybody || onDuty.has(id))
    .filter(({ id }) => isAdministrator || id === identity?.userId)
    .map(({ id, name }) => phoneAtRest(id, name));
}
