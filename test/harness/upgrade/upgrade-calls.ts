// Starts calls and leaves one under way in each state a call can wait in: the second half of an upgrade fixture.

import type { Site } from '../site/site.ts';
import { type Person, sms, voice } from '../site/site-phones.ts';

/** The cap holds finn back after three attempts. */
export const callSettings = { TOCSIN_CALL_CAP: '3/15' } as const;

export const pin = '4321';

/** Ids by the name of the person a call is for; `due` has the times at which waiting people are called. */
export type UnderWay = {
  readonly people: Readonly<Record<string, number>>;
  readonly alarms: Readonly<Record<string, number>>;
  readonly groups: Readonly<Record<string, number>>;
  readonly due: Readonly<Record<string, number>>;
};

/** A number that is tried again after ten minutes. */
const patient = { countTry: 3, timeToRetry: 600 };
/** Nora's call is delayed by half an hour, and otto's duty begins at that time of the day. */
const delaySeconds = 1_800;
const dutyBegins = '13:00';

export async function leaveCallsUnderWay(site: Site): Promise<UnderWay> {
  const calls = new Calls(site);
  await answerSomeCalls(calls);
  await startLongWaits(calls);
  await site.advance('180s');
  await endOneRound(calls);
  await startConversations(calls);
  await ringPhones(calls);
  await site.advance('5s');
  return calls.underWay();
}

class Calls {
  readonly site: Site;
  readonly #people: Record<string, number> = {};
  readonly #alarms: Record<string, number> = {};
  readonly #groups: Record<string, number> = {};
  readonly #due: Record<string, number> = {};

  constructor(site: Site) {
    this.site = site;
  }

  async person(name: string, more: object = {}): Promise<Person> {
    const person = await this.site.person(name, more);
    this.#people[name] = person.id;
    return person;
  }

  async group(name: string, members: readonly Person[], more: object = {}, relief: readonly Person[] = []) {
    const id = await this.site.group(name, [await this.site.team(name, members, relief)], more);
    this.#groups[name] = id;
    return id;
  }

  /** Raises an alarm of priority 2 for the group of that name, which is also in its path and its text. */
  async raise(name: string, more: object = {}): Promise<void> {
    const id = this.#groups[name] ?? 0;
    const body = { path: `Calls/${name}`, alarmMessage: `${name} is needed`, priority: 2, ...more };
    this.#alarms[name] = await this.site.alarms.raise(id, body);
  }

  /** Creates a person, a group of that person, and an alarm that calls it. */
  async callFor(name: string, more: object = {}, alarm: object = {}): Promise<Person> {
    const person = await this.person(name, more);
    await this.group(name, [person]);
    await this.raise(name, alarm);
    await this.site.settle();
    return person;
  }

  expect(name: string, at: number): void {
    this.#due[name] = at;
  }

  underWay(): UnderWay {
    return { people: this.#people, alarms: this.#alarms, groups: this.#groups, due: this.#due };
  }
}

/** Calls that have ended: one taken in turn, one by somebody with a second number after three wrong PINs, a group by request. */
async function answerSomeCalls(calls: Calls): Promise<void> {
  const { site } = calls;
  const [toni, tara] = [await calls.person('toni'), await calls.person('tara')];
  await calls.group('turn', [toni, tara], { callMode: 'turn' });
  await calls.raise('turn');
  await toni.isCalled();
  await toni.takes();
  const numbers = [voice('+33100000001', { countTry: 1 }), voice('+33600000001', { countTry: 1 })];
  const hugo = await calls.callFor('hugo', { pin, numbers });
  await hugo.isCalled();
  await hugo.answers('1', '1#', '2#', '3#');
  await hugo.isCalled();
  await hugo.answers('1', `${pin}#`, '1');
  const wim = await calls.person('wim');
  const group = await calls.group('wim', [wim]);
  await site.ask('POST', '/call/groups', { callGroupIds: [group], msgText: 'Come to the gate', msgNum: 7 });
  await wim.isCalled();
  await wim.takes();
}

/** Calls that wait for minutes or hours, each for another reason. */
async function startLongWaits(calls: Calls): Promise<void> {
  const { site } = calls;
  const nora = await calls.person('nora');
  const delayed = await calls.group('nora', [nora]);
  await calls.raise('nora', { alarmActions: [{ type: 'CallGroup', id: delayed, parameter: String(delaySeconds) }] });

  const otto = await calls.person('otto');
  const shift = await site.team('Shift', [otto]);
  const scheduleId = await site.schedule(shift, dutyBegins, '24:00');
  await calls.group('otto', [otto], { scheduleId, teamIds: [shift] });
  await calls.raise('otto');
  await site.admin.isCalled();
  await site.admin.takes();
  calls.expect('nora', site.app.clock.now() + delaySeconds * 1_000);
  calls.expect('otto', Date.parse(`${new Date(site.app.clock.now()).toISOString().slice(0, 10)}T${dutyBegins}Z`));

  await calls.callFor('finn', { numbers: [voice('+33100000002', { countTry: 9, timeToRetry: 30 })] });
  await calls.callFor('cleo', { numbers: [voice('+33100000003', patient)] });
  await calls.callFor('iris', { numbers: [sms('+33600000004', { timeToAck: 7_200 })] });

  const [jack, kim] = [await calls.person('jack'), await calls.person('kim')];
  const leo = await calls.person('leo', { numbers: [voice('+33100000005', patient)] });
  await calls.group('leo', [jack, kim, leo]);
  await calls.raise('leo');
  await jack.isCalled();
  await jack.hears();
  await kim.isCalled();
  await kim.declines();

  const [quin, rosa] = [
    await calls.person('quin'),
    await calls.person('rosa', { numbers: [voice('+33100000009', patient)] }),
  ];
  const relief = await calls.group('relief of rosa', [rosa]);
  await calls.group('rosa', [quin], { reliefGroupId: relief });
  await calls.raise('rosa');
  await quin.isCalled();
  await quin.declines();
}

/** A round that reached nobody, so that the call pauses before the next. */
async function endOneRound(calls: Calls): Promise<void> {
  await calls.callFor('mia', { numbers: [voice('+33100000006', { countTry: 1 })] });
  await calls.site.advance('30s');
  await calls.site.admin.isCalled();
  await calls.site.admin.takes();
}

/**
 * Dan asked to be called later, gina has entered two wrong PINs, una has taken the first of two alarms, and yan has a text
 * about twelve, which names ten of them.
 */
async function startConversations(calls: Calls): Promise<void> {
  const { site } = calls;
  const dan = await calls.callFor('dan');
  await dan.answers('1', '6');
  const una = await calls.person('una');
  const group = await calls.group('una', [una]);
  const alarmActions = [{ type: 'CallGroup', id: group, parameter: '5' }];
  await calls.raise('una', { alarmActions, path: 'Calls/una first', alarmMessage: 'una is needed first', priority: 1 });
  await calls.raise('una', { alarmActions, priority: 3 });
  const yan = await calls.person('yan', { numbers: [sms('+33600000008', { timeToAck: 7_200 })] });
  const calling = [{ type: 'CallUser', id: yan.id, parameter: '5' }];
  const twelve = Array.from({ length: 12 }, (_, index) => ({ path: `Calls/yan ${index}`, alarmActions: calling }));
  await site.ask('POST', '/alarms/batch', twelve);
  await site.advance('5s');
  await yan.hasText(/and 2 more\n/);
  await una.isCalled();
  await una.answers('1', '1');
  const numbers = [voice('+33100000007', { countTry: 1 }), voice('+33600000007', { countTry: 1 })];
  const gina = await calls.callFor('gina', { pin, numbers });
  await gina.answers('1', '1#', '2#');
}

/** Four phones ring; eve's rings for one alarm while another waits for her line. */
async function ringPhones(calls: Calls): Promise<void> {
  const { site } = calls;
  const eve = await calls.callFor('eve');
  await calls.group('eve again', [eve]);
  await calls.raise('eve again');
  const [ana, bo] = [await calls.person('ana'), await calls.person('bo')];
  await calls.group('ana', [ana], {}, [bo]);
  await calls.raise('ana');
  const [paul, vera] = [await calls.person('paul'), await calls.person('vera')];
  await site.ask('POST', '/call/users', { userIds: [paul.id], msgText: 'Bring the key' });
  await site.ask('POST', '/call/test', { userIds: [vera.id] });
  await site.settle();
}
