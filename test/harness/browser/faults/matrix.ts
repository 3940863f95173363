// Tries cases of faults on the console beside one without faults, and counts what came back and what sounded.

import type { TestContext } from 'node:test';
import { type Case, nameOf, type View } from './cases.ts';
import { hubTarget, type Target } from './faulty-link.ts';
import type { FiguresPlant } from './figures-plant.ts';
import { isSame, untrueIn } from './judge.ts';
import { openStepped, type SteppedConsole } from './stepped-console.ts';

const p1Hertz = 880;
const ownHertz = 330;
const looksAtMs = [0, 5_000, 40_000];
const backAfterMs = [300, 1_000, 2_000, 4_000, 4_000, 5_000, 10_000, 10_000, 10_000];
/** What is older must be told as such so long after the beginning of a fault: a request was given up then, and a link is stale. */
const toldWithinMs = 40_000;
const soundWithinMs = 2_000;

type Times = { readonly raisedAt: number; readonly endedAt: number };
type Find = (text: string) => void;

function isOfHub(target: Target): boolean {
  return target.startsWith('hub') || target.includes('/alarmHub');
}

export class MatrixRun {
  readonly #plant: FiguresPlant;
  readonly #tried: SteppedConsole;
  readonly #true: SteppedConsole;
  #trueView: View | undefined;
  readonly findings: string[] = [];
  readonly #back: number[] = [];
  #looks = 0;
  #heard = 0;
  #lossesHeard = 0;

  private constructor(plant: FiguresPlant, tried: SteppedConsole, truth: SteppedConsole) {
    this.#plant = plant;
    this.#tried = tried;
    this.#true = truth;
  }

  static async begin(t: TestContext, plant: FiguresPlant): Promise<MatrixRun> {
    const [tried, truth] = await Promise.all([openStepped(t, plant, plant.now()), openStepped(t, plant, plant.now())]);
    return new MatrixRun(plant, tried, truth);
  }

  /** What the screen asks the server for when it is opened. */
  async requestsOf(view: View): Promise<readonly Target[]> {
    const { asked } = this.#tried.link;
    asked.clear();
    await this.#tried.load(view);
    await this.#tried.untilRead();
    return [...asked].filter((target) => !isOfHub(target)).toSorted();
  }

  async try(one: Case): Promise<void> {
    const { view, target, kind, forMs, moment } = one;
    const find = (text: string): void => {
      this.findings.push(`${nameOf(one)}: ${text}`);
    };
    const tried = this.#tried;
    const isLive = moment === 'open' && tried.page.url().endsWith(view);
    const known = await this.#truth(view);
    if (moment === 'open' && !isLive) await tried.load(view);
    const before = [...known, ...(moment === 'open' ? await tried.untilRead() : [])];
    tried.link.begin({ target, kind });
    if (moment === 'opening') await tried.load(view);
    else if (!isOfHub(target)) tried.link.cutHub();
    const raisedAt = await tried.now();
    const leak = await this.#plant.change();
    const between = target === hubTarget('onAlarmRemoved') ? await this.#truth(view) : [];
    if (target === hubTarget('onAlarmRemoved')) await this.#plant.remove();
    const truth = await this.#truth(view);
    const seen = { truth, before: [...before, ...between], isBetween: isOfHub(target) };
    let past = 0;
    for (const until of looksAtMs.filter((at) => at < forMs).concat(forMs)) {
      await tried.pass(until - past);
      past = until;
      this.#looks++;
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
    await this.#plant.pass(Math.max(0, (await tried.now()) - this.#plant.now()));
  }

  /** The same as it was, but for what goes on with the time of the page. */
  async #truthNow(): Promise<readonly string[]> {
    const ms = (await this.#tried.now()) - (await this.#true.now());
    if (ms > 0) await this.#true.pass(ms);
    return this.#true.untilRead();
  }

  /** What a console without faults shows of the view now. */
  async #truth(view: View): Promise<readonly string[]> {
    if (this.#trueView === view) this.#true.link.cutHub();
    else await this.#true.load(view);
    this.#trueView = view;
    await this.#true.pass(1_000);
    return this.#true.untilRead();
  }

  /** A hub that was away for long has sounded. */
  async #hearLoss({ target, forMs }: Case, since: number, find: Find): Promise<void> {
    if (!isOfHub(target) || forMs < toldWithinMs || (await this.#tried.liveAt()) > 0) return;
    const tones = await this.#tried.tones();
    if (tones.some(({ hertz, at }) => hertz === ownHertz && at >= since)) this.#lossesHeard++;
    else find('the loss did not sound');
  }

  /** What the hub tells sounds when it is back, and when somebody has signed in again; all else at once. */
  async #hear({ target, kind }: Case, { raisedAt, endedAt }: Times, find: Find): Promise<void> {
    const since = isOfHub(target) || kind === '401' ? Math.max(endedAt, await this.#tried.liveAt()) : raisedAt;
    const tone = (await this.#tried.tones()).find(({ hertz, at }) => hertz === p1Hertz && at >= raisedAt);
    if (tone === undefined) find('the priority 1 alarm did not sound');
    else if (tone.at - since > soundWithinMs) find(`it sounded after ${tone.at - since} ms`);
    else this.#heard++;
  }

  async #isBack(view: View, known: readonly string[], find: Find): Promise<boolean> {
    const tried = this.#tried;
    const begun = await tried.now();
    let truth = known;
    let shown: readonly string[] = [];
    for (const ms of backAfterMs) {
      await this.#signInAgain();
      await tried.pass(ms);
      shown = await tried.settle();
      if (!isSame(shown, truth)) await this.#truthNow();
      if (!isSame(shown, truth)) truth = await this.#truth(view);
      if (!isSame(shown, truth)) continue;
      this.#back.push((await tried.now()) - begun);
      return true;
    }
    const has = shown.filter((line) => !truth.includes(line));
    const lacks = truth.filter((line) => !shown.includes(line));
    find(`not back: has ${JSON.stringify(has)}, lacks ${JSON.stringify(lacks)}`);
    return false;
  }

  async #signInAgain(): Promise<void> {
    const password = this.#tried.page.locator('input[name=password]');
    if (!(await password.isVisible())) return;
    await password.fill(this.#plant.password);
    await this.#tried.page.locator('button[type=submit]').click();
    await this.#tried.settle();
  }

  counts(): string {
    const back = this.#back.toSorted((one, other) => one - other);
    const at = (share: number) => Math.round((back[Math.floor((back.length - 1) * share)] ?? 0) / 100) / 10;
    return `${this.#looks} looks, ${this.#back.length} came back (median ${at(0.5)} s, longest ${at(1)} s), ${this.#heard} alarms and ${this.#lossesHeard} losses sounded in time`;
  }
}
