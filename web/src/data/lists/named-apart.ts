// Data servers by names that tell them apart: each station has its own of the same name.

type Named = { readonly id: number; readonly name: string };
type Server = Named & { readonly stationId: number };

/** Returns them in the order of their names, with the station where several have the same. */
export function namedApart(servers: Iterable<Server>, stations: ReadonlyMap<number, Named>): readonly Named[] {
  const all = [...servers];
  const counts = Map.groupBy(all, ({ name }) => name);
  const named = all.map(({ id, name, stationId }) => {
    const isAlone = counts.get(name)?.length === 1;
    return { id, name: isAlone ? name : `${name} · ${stations.get(stationId)?.name ?? `#${stationId}`}` };
  });
  return named.toSorted((one, other) => one.name.localeCompare(other.name) || one.id - other.id);
}
