// A second user of the plant, who raises, acknowledges and masks alarms at random while the first one works.

import type { Chance } from '../chance.ts';
import type { Plant } from './plant.ts';

const places = 40;

export class SecondUser {
  readonly #plant: Plant;
  readonly #chance: Chance;
  readonly #ids: number[] = [];

  constructor(plant: Plant, chance: Chance) {
    this.#plant = plant;
    this.#chance = chance;
  }

  /** Raises every alarm once. */
  async begin(): Promise<void> {
    for (let place = 0; place < places; place++) this.#ids.push(await this.#report(place, true));
  }

  /** Some alarms come, go, are acknowledged or masked. */
  async work(): Promise<void> {
    const { int, pick } = this.#chance;
    const { call } = this.#plant;
    for (let deed = int(1, 4); deed > 0; deed--) {
      const what = int(0, 100);
      const id = pick(this.#ids);
      if (what < 50) await this.#report(int(0, places), true);
      else if (what < 70) await this.#report(int(0, places), false);
      // What somebody else did meanwhile is refused.
      else if (what < 85) await call('POST', 'alarms/acknowledge', { ids: [id] });
      else if (what < 92) await call('POST', 'alarms/mask', { ids: [id], minutes: 240, reason: 'Sensor faulty' });
      else await call('POST', 'alarms/unmask', { ids: [id] });
    }
  }

  #report(place: number, raised: boolean): Promise<number> {
    const path = `Place ${place}`;
    return this.#plant.call('POST', 'alarms', { path, alarmMessage: path, priority: 1 + (place % 4), raised });
  }
}
