// Tries cases of faults on the console beside one without faults, and counts what came back and what sounded.

import type { TestContext } from 'node:test';
import { type Case, type Moment, nameOf, type View } from './cases.ts';
import { hubTarget, type Target } from './faulty-link.ts';
import { type FiguresPlant, startFiguresPlant } from './figures-plant.ts';
import { isSame, untrueIn } from './judge.ts';
import { openStepped, type SteppedConsole } from './stepped-console.ts';

const p1Hertz = 880;
const ownHertz = 330;
const looksAtMs = [0, 5_000, 40_000];
const backAfterMs = [300, 1_000, 2_000, 4_000, 4_000, 5_000, 10_000, 10_000, 10_000];
/** What is older must be told as such so long after the beginning of a fault: a request was given up then, and a link is stale. */
const toldWithinMs = 40_000;
const soundWithinMs = 2_000;
/** What comes after a fault is timed in such steps. */
const timedMs = 500;
/** What an open screen asks for some time after an alarm, as the counts of the history, is asked by then. */
const askedWithinMs = 30_000;
const onSubscribing: ReadonlySet<Target> = new Set(['answer', 'onHealth'].map(hubTarget));

type Times = { readonly raisedAt: number; readonly endedAt: number };
type Find = (text: string) => void;

/** What became of some cases; the times in milliseconds of the page. */
export type Tally = {
  readonly findings: string[];
  readonly back: number[];
  cases: number;
  looks: number;
  heard: number;
  lossesDue: number;
  lossesHeard: number;
};

export const newTally = (): Tally => ({
  findings: [],
  back: [],
  cases: 0,
  looks: 0,
  heard: 0,
  lossesDue: 0,
  lossesHeard: 0,
});

function isOfHub(target: Target): boolean {
  return target.startsWith('hub') || target.includes('/alarmHub');
}

/** A server with two consoles: one that is tried, and one that says what is true. */
export class MatrixStand {
  readonly #plant: FiguresPlant;
  readonly #tried: SteppedConsole;
  readonly #true: SteppedConsole;
  readonly #tally: Tally;
  #trueView: View | undefined;

  private constructor(plant: FiguresPlant, tried: SteppedConsole, truth: SteppedConsole, tally: Tally) {
    this.#plant = plant;
    this.#tried = tried;
    this.#true = truth;
    this.#tally = tally;
  }

  static async begin(t: TestContext, tally: Tally): Promise<MatrixStand> {
    const plant = await startFiguresPlant(t);
    const [tried, truth] = await Promise.all([openStepped(t, plant, plant.now()), openStepped(t, plant, plant.now())]);
    return new MatrixStand(plant, tried, truth, tally);
  }

  /** What the screen asks the server for when it is opened, or when all is read again and an alarm has come. */
  async requestsOf(view: View, moment: Moment): Promise<readonly Target[]> {
    const tried = this.#tried;
    tried.link.asked.clear();
    await tried.load(view);
    await tried.untilRead();
    if (moment === 'open') {
      tried.link.asked.clear();
      tried.link.cutHub();
      const leak = await this.#plant.change();
      await tried.pass(askedWithinMs);
      await tried.untilRead();
      await this.#plant.end(leak);
      await this.#catchUp();
    }
    return [...tried.link.asked].filter((target) => !isOfHub(target)).toSorted();
  }

  async try(one: Case): Promise<void> {
    const { view, target, kind, forMs, moment } = one;
    const find = (text: string): void => {
      this.#tally.findings.push(`${nameOf(one)}: ${text.replaceAll('\t', ' ⟩ ')}`);
    };
    this.#tally.cases++;
    const tried = this.#tried;
    const isLive = moment === 'open' && tried.isAt(view);
    const before = [await this.#truth(view)];
    if (moment === 'open' && !isLive) await tried.load(view);
    if (moment === 'open') before.push(await tried.untilRead());
    tried.link.begin({ target, kind });
    if (moment === 'opening') await tried.load(view);
    else if (!isOfHub(target) || onSubscribing.has(target)) tried.link.cutHub();
    const raisedAt = await tried.now();
    const leak = await this.#plant.change();
    if (target === hubTarget('onPhone')) await this.#plant.text();
    if (target === hubTarget('onAlarmRemoved')) {
      before.push(await this.#truth(view));
      await this.#plant.remove();
    }
    const seen = { truth: await this.#truth(view), before, isBetween: isOfHub(target) };
    if (!(await this.#happens())) find('the fault did not happen');
    let past = 0;
    for (const until of looksAtMs.filter((at) => at < forMs).concat(forMs)) {
      await tried.pass(until - past);
      past = until;
      this.#tally.looks++;
      const shown = await tried.settle();
      const isLate = past >= toldWithinMs;
      if (untrueIn({ shown, ...seen }, isLate).length === 0) continue;
      seen.truth = await this.#truthNow();
      for (const line of untrueIn({ shown, ...seen }, isLate)) find(`after ${past / 1_000} s: ${line}`);
    }
    await this.#hearLoss(one, raisedAt, find);
    const endedAt = await tried.now();
    tried.link.end();
    const isBack = await this.#isBack(view, seen.truth, find);
    await this.#hear(one, { raisedAt, endedAt }, find);
    if (!isBack) await tried.load(view);
    await this.#plant.end(leak);
    await this.#catchUp();
  }

  async #catchUp(): Promise<void> {
    await this.#plant.pass(Math.max(0, (await this.#tried.now()) - this.#plant.now()));
  }

  /** Waits until the fault has happened; some requests are made only some time after the alarm. */
  async #happens(): Promise<boolean> {
    const { link } = this.#tried;
    await this.#tried.settle();
    for (let ms = 0; ms < askedWithinMs && link.hits === 0; ms += 1_000) await this.#tried.pass(1_000);
    return link.hits > 0;
  }

  /** The same as it was, but for what goes on with the time of the page. */
  async #truthNow(): Promise<readonly string[]> {
    await this.#bringTruthUp();
    return this.#true.untilRead();
  }

  /** A page whose clock is behind that of the server counts without what came last. */
  async #bringTruthUp(): Promise<void> {
    const ms = (await this.#tried.now()) - (await this.#true.now());
    if (ms > 0) await this.#true.pass(ms);
  }

  /** What a console without faults shows of the view now. */
  async #truth(view: View): Promise<readonly string[]> {
    await this.#bringTruthUp();
    if (this.#trueView === view) return this.#true.readAgain();
    await this.#true.load(view);
    this.#trueView = view;
    return this.#true.untilRead();
  }

  /** A hub that was away for long has sounded. */
  async #hearLoss({ target, forMs }: Case, since: number, find: Find): Promise<void> {
    if (!isOfHub(target) || forMs < toldWithinMs || (await this.#tried.liveAt()) > 0) return;
    this.#tally.lossesDue++;
    const tones = await this.#tried.tones();
    if (tones.some(({ hertz, at }) => hertz === ownHertz && at >= since)) this.#tally.lossesHeard++;
    else find('the loss did not sound');
  }

  /** What the hub tells sounds when it is back, and when somebody has signed in again; all else at once. */
  async #hear({ target, kind }: Case, { raisedAt, endedAt }: Times, find: Find): Promise<void> {
    const since = isOfHub(target) || kind === '401' ? Math.max(endedAt, await this.#tried.liveAt()) : raisedAt;
    const tone = (await this.#tried.tones()).find(({ hertz, at }) => hertz === p1Hertz && at >= raisedAt);
    if (tone === undefined) find('the priority 1 alarm did not sound');
    else if (tone.at - since > soundWithinMs) find(`it sounded after ${tone.at - since} ms`);
    else this.#tally.heard++;
  }

  async #isBack(view: View, known: readonly string[], find: Find): Promise<boolean> {
    const tried = this.#tried;
    const begun = await tried.now();
    let truth = known;
    let shown: readonly string[] = [];
    for (const ms of backAfterMs) {
      await this.#signInAgain();
      await tried.pass(ms, timedMs);
      shown = await tried.settle();
      if (!isSame(shown, truth)) truth = await this.#truthNow();
      if (!isSame(shown, truth)) truth = await this.#truth(view);
      if (!isSame(shown, truth)) continue;
      this.#tally.back.push((await tried.now()) - begun);
      return true;
    }
    const has = shown.filter((line) => !truth.includes(line));
    const lacks = truth.filter((line) => !shown.includes(line));
    find(`not back: has ${JSON.stringify(has)}, lacks ${JSON.stringify(lacks)}`);
    return false;
  }

  async #signInAgain(): Promise<void> {
    if (await this.#tried.page.locator('input[name=password]').isVisible())
      await this.#tried.signIn(this.#plant.password);
  }
}

export function countsOf({ cases, back, looks, heard, lossesDue, lossesHeard }: Tally): string {
  const times = back.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round((times[Math.floor((times.length - 1) * share)] ?? 0) / 100) / 10;
  return `${looks} looks, ${times.length} of ${cases} came back (median ${at(0.5)} s, longest ${at(1)} s), ${heard} alarms sounded in time, ${lossesHeard} of ${lossesDue} losses`;
}
