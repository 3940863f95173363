// Carries out what happens on a simulated day besides calling, by the operations of the server.

import { systemCaller } from '../../../src/domain/access/access.ts';
import type { CallTarget } from '../../../src/domain/calls/call.ts';
import { AppError } from '../../../src/errors.ts';
import { reportAlarm } from '../../../src/operations/alarms/intake/report.ts';
import { commandAlarm } from '../../../src/operations/alarms/operator-commands.ts';
import { callUsers, drillGroup } from '../../../src/operations/calls/call-by-request.ts';
import { escalateAlarm } from '../../../src/operations/calls/escalate.ts';
import { noteCheck } from '../../../src/operations/providers/health.ts';
import { noteClockStep } from '../../../src/operations/system/clock-step.ts';
import { directoryAfter } from '../escalation/directory-changes.ts';
import type { AlarmChange, Happening } from '../escalation/random-day.ts';
import type { Surroundings } from '../escalation/surroundings.ts';
import { type Deliveries, longestDownMs, type Node, type Site } from './deliveries.ts';
import type { StoreClock } from './store-clock.ts';
import { changeDirectory, changePolicy, readSnapshot } from './stored-organisation.ts';

type Report = Parameters<typeof reportAlarm.run>[2];
type Of<K extends Happening['kind']> = Extract<Happening, { readonly kind: K }>;

const maskMs = 36 * 3_600_000;
const callers = { caller: systemCaller };
const operator = { name: 'operator', userId: undefined };

type Parts = {
  readonly site: Site;
  readonly clock: StoreClock;
  readonly surroundings: Surroundings;
  readonly deliveries: Deliveries;
  readonly crash: (node: Node, lastsMs: number | undefined) => void;
  readonly restart: (node: Node) => void;
};

export class Happenings {
  readonly #parts: Parts;
  /** By id of an alarm. */
  readonly #reports = new Map<number, Report>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async happen(happening: Happening): Promise<void> {
    switch (happening.kind) {
      case 'raise':
        return this.#raise(happening);
      case 'take':
      case 'mask':
      case 'return':
      case 'escalate':
      case 'priority':
        return this.#changeAlarm(happening);
      case 'provider':
        return this.#setProvider(happening);
      case 'node':
      case 'restart':
        return this.#setNode(happening);
      case 'policy':
        return this.#changePolicy(happening);
      case 'clock':
        return this.#stepClock(happening);
      case 'lock-number': {
        const number = this.#parts.surroundings.snapshot.people.get(happening.userId)?.numbers[happening.place];
        if (number?.channel === 'voice') this.#parts.deliveries.wrongPins.add(number.id);
        return;
      }
      default:
        return this.#changeDirectory(happening);
    }
  }

  async #raise({ priority, asks, targets, delayMs }: Of<'raise'>): Promise<void> {
    const { site } = this.#parts;
    if (!asks) return this.#tell(targets);
    const path = `tag ${this.#reports.size}`;
    const actions = targets.map(({ kind, id }) => ({
      ...{ type: kind === 'group' ? 'CallGroup' : 'CallUser', id, scriptId: 0, flags: 0 },
      parameter: delayMs === 0 ? '' : String(delayMs / 1_000),
    }));
    const none = { stationId: undefined, dataServerId: undefined, tagGroupId: undefined, value: undefined };
    const condition = { value: '', transitory: false, reactivatable: false, resettable: false };
    const change = { condition, alarm: { message: path, actions } };
    const report: Report = { ...callers, ...none, path, priority, raised: true, change };
    const { id } = await site.write(reportAlarm, report);
    this.#reports.set(id, report);
  }

  /** What need not be taken: a message to people, a drill of groups. */
  async #tell(targets: readonly CallTarget[]): Promise<void> {
    const { site } = this.#parts;
    const userIds = targets.flatMap(({ kind, id }) => (kind === 'user' ? [id] : []));
    const message = { text: 'Hello', num: 0, audio: '', file: '' };
    if (userIds.length > 0)
      await this.#tolerate(site.write(callUsers, { ...callers, userIds, message, kind: 'message' }));
    for (const { kind, id } of targets)
      if (kind === 'group')
        await this.#tolerate(site.write(drillGroup, { ...callers, callGroupId: id, text: 'Drill' }));
  }

  async #changeAlarm(happening: AlarmChange): Promise<void> {
    const { site, surroundings } = this.#parts;
    const { watch } = site;
    const all = [...watch.causes.values()];
    const open = all.filter(({ asks, endedAt }) => asks && endedAt === undefined);
    // A flapping priority stays with its alarm, as long as that is open.
    const same = all[happening.pick % Math.max(1, all.length)];
    const cause = happening.kind === 'priority' && same?.asks ? same : open[happening.pick % Math.max(1, open.length)];
    const id = cause?.endedAt === undefined ? watch.alarmIds.get(cause?.id ?? 0) : undefined;
    const report = this.#reports.get(id ?? 0);
    if (cause === undefined || id === undefined) return;
    const until = site.clockNow + maskMs;
    switch (happening.kind) {
      case 'take':
        return this.#command(id, { kind: 'acknowledge', by: 'operator', comment: '' });
      case 'mask':
        return this.#command(id, { kind: 'mask', until, reason: 'works', by: 'operator' });
      case 'return':
        if (report !== undefined) await this.#comeAndGo(report);
        return;
      case 'priority':
        if (report !== undefined)
          await site.write(reportAlarm, { ...report, raised: undefined, priority: happening.priority, change: {} });
        return;
      case 'escalate': {
        const isDone = await this.#tolerate(site.write(escalateAlarm, { ...callers, id, by: 'operator' }));
        if (isDone) watch.escalated.push({ at: surroundings.now, causeId: cause.id });
      }
    }
  }

  /** Two of three alarms come again, half of those as often as a float switch in a wave. */
  async #comeAndGo(report: Report): Promise<void> {
    const { site } = this.#parts;
    const { chance } = site;
    await site.write(reportAlarm, { ...report, raised: false, change: {} });
    let times = chance.pick([0, 1, 30]);
    const comeAgain = async (): Promise<void> => {
      if (times-- <= 0) return;
      await site.write(reportAlarm, report);
      site.later(chance.int(1_000, 30_000), async () => {
        if (times <= 0) return;
        await site.write(reportAlarm, { ...report, raised: false, change: {} });
        site.later(chance.int(1_000, 30_000), comeAgain);
      });
    };
    site.later(chance.int(1_000, 600_000), comeAgain);
  }

  async #command(id: number, command: Parameters<typeof commandAlarm.run>[2]['command']): Promise<void> {
    await this.#tolerate(this.#parts.site.write(commandAlarm, { ...callers, id, command, by: operator }));
  }

  async #setProvider({ providerId, isUp, noticedAfterMs }: Of<'provider'>): Promise<void> {
    const { site, deliveries } = this.#parts;
    if (isUp) deliveries.dead.delete(providerId);
    else deliveries.dead.add(providerId);
    if (noticedAfterMs === undefined) return;
    site.later(noticedAfterMs, async () => {
      if (deliveries.dead.has(providerId) !== isUp)
        await site.write(noteCheck, { providerId, isUp, reason: isUp ? '' : 'no answer' });
    });
  }

  async #setNode(happening: Of<'node'> | Of<'restart'>): Promise<void> {
    const { site, crash, restart } = this.#parts;
    const last = site.nodes.at(-1) as Node;
    if (happening.kind === 'restart') {
      const node = site.chance.pick(site.nodes);
      if (node.isUp) crash(node, site.chance.int(1, longestDownMs));
    } else if (site.nodes.length > 1 && happening.isUp) restart(last);
    else if (site.nodes.length > 1 && last.isUp) crash(last, undefined);
  }

  async #changePolicy({ policy }: Of<'policy'>): Promise<void> {
    const { site, surroundings } = this.#parts;
    const isDone = await this.#tolerate(site.write(changePolicy, policy));
    if (isDone) surroundings.changePolicy(policy);
  }

  async #stepClock({ byMs }: Of<'clock'>): Promise<void> {
    const { site, clock } = this.#parts;
    const before = clock.now;
    const step = clock.set(byMs);
    if (step !== undefined)
      await site.write({ ...noteClockStep, run: (tx, _, input) => noteClockStep.run(tx, before, input) }, step);
  }

  async #changeDirectory(change: Parameters<typeof directoryAfter>[0]): Promise<void> {
    const { site, clock, surroundings } = this.#parts;
    const before = surroundings.snapshot;
    const changes = directoryAfter(change, before, clock.civil);
    if (changes === undefined) return;
    const isDone = await this.#tolerate(site.write(changeDirectory, { before, after: { ...before, ...changes } }));
    if (isDone) surroundings.changeDirectory(await site.read(readSnapshot, {}));
  }

  /** Returns whether it was done: some changes are refused, as the last resort must have somebody. */
  async #tolerate(work: Promise<unknown>): Promise<boolean> {
    try {
      await work;
      return true;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }
}
