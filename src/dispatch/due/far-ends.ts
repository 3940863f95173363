// Releases the far ends of calls that a lost node had under way, before their attempts are taken, ended or given up: no telephone
// rings for nothing.

import type { Clock } from '../../clock.ts';
import { type LostCall, listLostCalls } from '../../operations/calls/delivery/lost-calls.ts';
import type { Store } from '../../store/store.ts';
import type { ProviderPool } from '../channels/provider-pool.ts';

type Parts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly pool: Pick<ProviderPool, 'get'>;
  readonly onTrouble: (error: unknown) => void;
};

export class FarEnds {
  readonly #parts: Parts;
  readonly #underWay = new Set<number>();
  /** What was released, by attempt, for as long as nobody has taken the attempt. */
  #released: ReadonlyMap<number, string> = new Map();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The attempts whose far ends are being released. */
  get underWay(): readonly number[] {
    return [...this.#underWay];
  }

  /** Begins to release what was lost since the last look. `heldIds`: attempts that this node carries. */
  async look(heldIds: readonly number[]): Promise<void> {
    const { store, clock } = this.#parts;
    const lost = (await store.read(listLostCalls, { now: clock.now() })).filter(({ id }) => !heldIds.includes(id));
    const before = this.#released;
    this.#released = new Map(lost.map(({ id, ref }) => [id, ref]));
    for (const call of lost) if (before.get(call.id) !== call.ref) void this.#release(call);
  }

  async #release({ id, providerId, ref }: LostCall): Promise<void> {
    const { pool, onTrouble } = this.#parts;
    this.#underWay.add(id);
    try {
      await pool.get(providerId)?.release?.(ref);
    } catch (error) {
      onTrouble(error);
    } finally {
      this.#underWay.delete(id);
    }
  }
}
