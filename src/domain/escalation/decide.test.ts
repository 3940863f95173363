// Stories of the rules of calling, told to the engine that decides from what is stored.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Story } from '../../../test/harness/escalation/story.ts';

const pumps = { people: { ana: [{}], bo: [{}] }, groups: { pumps: { members: ['ana'] } }, administrators: ['bo'] };

test('an alarm that joins while a phone rings is called for when the phone rings out', () => {
  const story = new Story(pumps);
  story.raise(1, 'pumps');
  story.raise(2, 'pumps');
  assert.deepEqual(story.began, ['ana for 1: raised']);
  story.pass(20);
  story.ringsOut('ana');
  story.pass(60);
  assert.deepEqual(story.began, ['bo for 1: last-resort', 'ana for 2: raised']);
  story.ringsOut('ana');
  assert.deepEqual(story.began, []);
  story.ringsOut('bo');
  story.pass(60);
  assert.deepEqual(story.began, ['bo for 2: last-resort']);
  story.ringsOut('bo');
  assert.deepEqual(story.stateOf(1), ['group: exhausted, in-vain', 'last-resort: exhausted, in-vain']);
  assert.deepEqual(story.stateOf(2), ['group: exhausted, in-vain', 'last-resort: exhausted, in-vain']);
});

test('an alarm of priority 1 that joins is called for as soon as the person is free, once without the rest of the number', () => {
  const story = new Story({ ...pumps, people: { ana: [{ countTry: 3, timeToRetrySeconds: 300 }], bo: [{}] } });
  story.raise(1, 'pumps');
  story.pass(10);
  story.raise(2, 'pumps', { priority: 1 });
  story.ringsOut('ana');
  assert.deepEqual(story.began, ['ana for 1: raised', 'ana for 1 2: raised']);
  story.ringsOut('ana');
  story.pass(299);
  assert.deepEqual(story.began, []);
  story.pass(1);
  assert.deepEqual(story.began, ['ana for 1 2: unanswered']);
});

test('a storm of 505 alarms rings a person who does not answer six times in five minutes at most, and names all of them', () => {
  const story = new Story({ ...pumps, people: { ana: [{ countTry: 9 }], bo: [{}] } });
  for (let id = 1; id <= 505; id++) {
    story.raise(id, 'pumps', { priority: id % 101 === 0 ? 1 : 3 });
    if (id % 8 === 0) story.passUnanswered(1);
  }
  story.passUnanswered(240);
  const calls = story.attempts.filter(({ kind, userId }) => kind === 'call' && userId === 1);
  assert.ok(calls.length <= 6, `${calls.length} calls`);
  assert.equal(new Set(calls.flatMap(({ tries }) => tries.map(({ causeId }) => causeId))).size, 505);
});

test('deciding again without a change writes nothing, at any moment before the next look', () => {
  const story = new Story(pumps);
  story.raise(1, 'pumps', { priority: 1 });
  for (const seconds of [1, 7, 40, 100, 300, 900]) {
    story.passUnanswered(seconds);
    assert.equal(story.decide(), 0);
  }
});

test('after the acknowledgement nothing is called, whatever waited', () => {
  const story = new Story({ ...pumps, people: { ana: [{ countTry: 3 }], bo: [{}] } });
  story.raise(1, 'pumps', { priority: 1 });
  story.providerFails('ana');
  story.take(1);
  story.passUnanswered(3_600);
  assert.deepEqual(story.began, ['ana for 1: raised', 'bo for 1: last-resort']);
  assert.deepEqual(story.live, []);
});

test('a ringing phone stops when its alarm is taken, and goes on while another alarm of the person is open', () => {
  const story = new Story(pumps);
  story.raise(1, 'pumps');
  story.raise(2, 'pumps');
  story.take(1);
  assert.deepEqual(story.live, ['ana']);
  story.take(2);
  assert.deepEqual(story.live, []);
});

test('each alarm of a group without anybody on call opens the last resort, and is called when somebody comes on duty', () => {
  const story = new Story(pumps);
  story.alterPerson('ana', { onDuty: false });
  story.raise(1, 'pumps');
  assert.deepEqual(story.stateOf(1), ['group: open, nobody-on-call', 'last-resort: open']);
  story.reads('bo', [1]);
  story.hangsUp('bo', 'heard');
  story.raise(2, 'pumps', { priority: 1 });
  assert.deepEqual(story.began, ['bo for 1: last-resort', 'bo for 2: last-resort']);
  story.alterPerson('ana', { onDuty: true });
  assert.deepEqual(story.began, ['ana for 1 2: on-duty-now']);
  assert.equal(story.stateOf(2)[0], 'group: open');
});

test('a relief group that is added while nobody is on call is called at once', () => {
  const story = new Story({ people: { ana: [{}], bo: [{}] }, groups: { pumps: {}, site: { members: ['bo'] } } });
  story.raise(1, 'pumps');
  assert.deepEqual(story.began, []);
  story.alter((world) => {
    const groups = new Map(world.snapshot.groups);
    const group = groups.get(1);
    if (group !== undefined) groups.set(1, { ...group, reliefGroupId: 2 });
    return { ...world, snapshot: { ...world.snapshot, groups } };
  });
  assert.deepEqual(story.began, ['bo for 1: on-duty-now']);
});

test('the list of numbers is looked at anew for every try', () => {
  const day = { scheduleId: undefined, priorities: { from: 2, to: 9 }, channel: 'sms', address: '+49301' } as const;
  const story = new Story({
    ...pumps,
    people: { ana: [day, { priorities: { from: 1, to: 1 } }], bo: [{}] },
    providers: [{}, { channel: 'sms' }],
  });
  story.raise(1, 'pumps', { priority: 1 });
  story.raise(2, 'pumps', { priority: 3 });
  assert.deepEqual(story.began, ['ana 2 for 1: raised', 'ana by sms for 2: raised']);
});

test('somebody who goes off duty while the phone rings is not rung again, and the replacement is called at once', () => {
  const story = new Story({ people: { ana: [{ countTry: 3 }], bo: [{}] }, groups: { pumps: { members: ['ana'] } } });
  story.raise(1, 'pumps');
  story.alterPerson('ana', { replacedById: 2 });
  assert.deepEqual(story.live, ['ana', 'bo']);
  story.ringsOut('ana');
  story.pass(600);
  assert.deepEqual(story.began, ['ana for 1: raised', 'bo for 1: raised']);
});

test("a deleted person's phone stops", () => {
  const story = new Story(pumps);
  story.raise(1, 'pumps');
  story.alterPerson('ana', undefined);
  assert.deepEqual(story.live, ['bo']);
});

test('a provider that fails uses up no try: the next level is called, and the number is tried again at growing times', () => {
  const story = new Story(pumps);
  story.raise(1, 'pumps');
  story.providerFails('ana');
  assert.deepEqual(story.began, ['ana for 1: raised', 'bo for 1: last-resort']);
  story.reads('bo', [1]);
  story.pass(14);
  assert.deepEqual(story.began, []);
  story.pass(1);
  story.providerFails('ana');
  story.pass(29);
  assert.deepEqual(story.began, ['ana for 1: tried-again']);
  story.pass(1);
  assert.deepEqual(story.began, ['ana for 1: tried-again']);
  assert.equal(story.stateOf(1)[0], 'group: open, in-vain');
});

test('a channel that recovers is used at once by those who waited for it, and ends no pause of others', () => {
  const story = new Story(pumps);
  story.raise(1, 'pumps', { priority: 1 });
  story.providerFails('ana');
  story.reads('bo', [1]);
  story.hangsUp('bo', 'heard');
  story.pass(2);
  story.alter((world) => ({ ...world, recoveries: new Map([['voice', story.now]]) }));
  assert.deepEqual(story.began, ['ana for 1: raised', 'bo for 1: last-resort', 'ana for 1: tried-again']);
});

test('one full trunk holds up nobody who has another way', () => {
  const story = new Story({
    people: { ana: [{ address: '+33199' }], bo: [{ address: '+33198' }], cleo: [{ address: '+49301' }] },
    groups: { pumps: { members: ['ana', 'bo', 'cleo'] } },
    providers: [{ lines: 1, countries: ['+33'] }, { countries: ['+49'] }],
  });
  story.raise(1, 'pumps');
  assert.deepEqual(story.began, ['ana for 1: raised', 'cleo for 1: raised']);
});

test('who waits for a line for a minute is passed over without using a try, and stays owed the call', () => {
  const story = new Story({
    people: { ana: [{}], bo: [{}] },
    groups: { pumps: { members: ['ana'] }, tanks: { members: ['bo'] } },
    providers: [{ lines: 1 }],
  });
  story.raise(1, 'pumps');
  story.alter((world) => ({
    ...world,
    providers: {
      ...world.providers,
      uses: new Map([
        [
          1,
          { health: { state: 'up', since: 0, failures: 0, probeAt: 0, reason: '' }, inUse: 1, lastSecond: 0, today: 1 },
        ],
      ]),
    },
  }));
  story.raise(2, 'tanks');
  story.pass(59);
  assert.deepEqual(story.stateOf(2), ['group: open']);
  story.pass(1);
  assert.deepEqual(story.stateOf(2), ['group: open', 'last-resort: open, nobody-on-call']);
  story.ringsOut('ana');
  story.alter((world) => ({ ...world, providers: { ...world.providers, uses: new Map() } }));
  assert.deepEqual(story.began, ['ana for 1: raised', 'bo for 2: raised']);
  story.ringsOut('bo');
  assert.deepEqual(story.stateOf(2).slice(0, 1), ['group: exhausted, in-vain'], 'in vain once nobody is owed a call');
});

test('heard and declined call the next level at once, and the last resort does not ring those who answered', () => {
  const story = new Story({
    people: { ana: [{}], bo: [{}], cleo: [{}] },
    groups: { pumps: { members: ['ana'], reliefMembers: ['bo'] } },
    administrators: ['ana', 'bo', 'cleo'],
  });
  story.raise(1, 'pumps', { priority: 1 });
  story.reads('ana', [1]);
  story.hangsUp('ana', 'heard');
  story.reads('bo', [1]);
  story.hangsUp('bo', 'declined');
  assert.deepEqual(story.began, ['ana for 1: raised', 'bo for 1: nobody-took-it', 'cleo for 1: last-resort']);
  assert.deepEqual(story.stateOf(1), ['group: open, in-vain', 'last-resort: open']);
});

test('if everybody of the last resort has heard it in the group, the last resort waits', () => {
  const story = new Story({ ...pumps, administrators: ['ana'] });
  story.raise(1, 'pumps', { priority: 1 });
  story.reads('ana', [1]);
  story.hangsUp('ana', 'heard');
  assert.deepEqual(story.stateOf(1), ['group: open, in-vain', 'last-resort: open']);
  story.pass(299);
  assert.deepEqual(story.began, ['ana for 1: raised']);
  story.pass(1);
  assert.deepEqual(story.began, ['ana for 1: new-round']);
});

test('an alarm made more urgent than ever is called for at once; a priority that flaps begins no further rounds', () => {
  const story = new Story({ ...pumps, people: { ana: [{ countTry: 1 }], bo: [{}] } });
  story.raise(1, 'pumps');
  story.passUnanswered(70);
  story.change(1, { priority: 2 });
  story.passUnanswered(120);
  assert.deepEqual(story.began.slice(0, 3), ['ana for 1: raised', 'bo for 1: last-resort', 'ana for 1: more-urgent']);
  const rounds = story.escalations(1)[0]?.round;
  story.change(1, { priority: 3 });
  story.change(1, { priority: 2 });
  assert.equal(story.escalations(1)[0]?.round, rounds);
});

test('a priority that flaps between 3 and 2 every minute is called like a steady 2', () => {
  const ringsIn = (flaps: boolean): number => {
    const story = new Story(pumps);
    story.raise(1, 'pumps', { priority: 2 });
    for (let minute = 0; minute < 120; minute++) {
      story.passUnanswered(60);
      if (flaps) story.change(1, { priority: minute % 2 === 0 ? 3 : 2 });
    }
    return story.attempts.length;
  };
  const steady = ringsIn(false);
  const flapping = ringsIn(true);
  assert.ok(Math.abs(steady - flapping) <= 2, `${steady} and ${flapping} calls`);
});

test('in turn the next one is called at once after a decline, and a new alarm begins with who is being called', () => {
  const story = new Story({
    people: { ana: [{}], bo: [{}], cleo: [{}] },
    groups: { pumps: { members: ['ana', 'bo', 'cleo'], callMode: 'turn' } },
  });
  story.raise(1, 'pumps');
  story.reads('ana', [1]);
  story.hangsUp('ana', 'declined');
  story.raise(2, 'pumps');
  assert.deepEqual(story.began, ['ana for 1: raised', 'bo for 1: in-turn']);
  story.ringsOut('bo');
  story.pass(60);
  assert.deepEqual(story.began, ['cleo for 1: in-turn', 'bo for 2: raised']);
});

test('with perUser one relief member is called for each person who was not reached; who declined was reached', () => {
  const story = new Story({
    people: { ana: [{}], bo: [{}], cleo: [{}], dan: [{}], eva: [{}] },
    groups: { pumps: { members: ['ana', 'bo', 'cleo'], reliefMembers: ['dan', 'eva'], reliefMode: 'perUser' } },
  });
  story.raise(1, 'pumps');
  story.ringsOut('ana');
  assert.deepEqual(story.live, ['bo', 'cleo', 'dan']);
  story.reads('bo', [1]);
  story.hangsUp('bo', 'declined');
  assert.deepEqual(story.live, ['cleo', 'dan']);
});

test('the time to take an alarm runs for each alarm and level from its beginning', () => {
  const story = new Story({
    people: { ana: [{ countTry: 9 }], bo: [{}] },
    groups: { pumps: { members: ['ana'], timeToTakeSeconds: 300, relief: 'site' }, site: { members: ['bo'] } },
  });
  story.raise(1, 'pumps');
  story.passUnanswered(200);
  story.raise(2, 'pumps');
  story.passUnanswered(99);
  assert.ok(!story.began.some((one) => one.startsWith('bo')));
  story.passUnanswered(2);
  assert.ok(story.began.includes('bo for 1: not-taken-in-time'));
});

test('later is a call back after five minutes that holds the next level once; a third time counts as heard', () => {
  const story = new Story(pumps);
  const asksForLater = (): void => {
    story.reads('ana', [1]);
    story.hangsUp('ana', 'later');
  };
  story.raise(1, 'pumps');
  asksForLater();
  story.pass(299);
  assert.deepEqual(story.began, ['ana for 1: raised']);
  story.pass(1);
  asksForLater();
  assert.deepEqual(story.began, ['ana for 1: called-later', 'bo for 1: last-resort']);
  story.ringsOut('bo');
  story.pass(300);
  asksForLater();
  assert.deepEqual(story.began, ['ana for 1: called-later']);
  assert.equal(story.stateOf(1)[0], 'group: exhausted, in-vain');
});

test('after everything was taken by key 9 the next call gathers for half a minute, but not for priority 1', () => {
  const story = new Story({ ...pumps, people: { ana: [{ timeToRetrySeconds: 0 }], bo: [{}] } });
  story.raise(1, 'pumps');
  story.reads('ana', [1]);
  story.takesAll('ana');
  story.raise(2, 'pumps');
  story.pass(29);
  assert.deepEqual(story.began, ['ana for 1: raised']);
  story.raise(3, 'pumps', { priority: 1 });
  assert.deepEqual(story.began, ['ana for 2 3: raised']);
});

test('a person whose cap is reached gets one text with a count in each window, and stays owed a call', () => {
  const cap = { attempts: 2, windowMs: 900_000 };
  const text = { channel: 'sms', address: '+49302' };
  const story = new Story({
    people: { ana: [{}, text] },
    groups: { pumps: { members: ['ana'] } },
    policy: { cap },
    providers: [{}, { channel: 'sms' }],
  });
  for (let id = 1; id <= 3; id++) {
    story.raise(id, 'pumps');
    story.passUnanswered(90);
  }
  const began = story.began;
  assert.equal(began.filter((one) => one.includes('bundle')).length, 1);
  assert.ok(!story.stateOf(3)[0]?.includes('exhausted'));
  story.take(1);
  story.take(2);
  story.passUnanswered(900);
  assert.ok(story.began.some((one) => one.startsWith('ana for 3')));
});

test('a number that is not final gets each alarm once, gathered to one message a minute, in whatever round', () => {
  const text = { channel: 'sms', address: '+49302', final: false };
  const story = new Story({
    ...pumps,
    people: { ana: [{}, text], bo: [{}] },
    providers: [{}, { channel: 'sms' }],
  });
  story.raise(1, 'pumps', { priority: 1 });
  assert.ok(story.began.includes('ana 2 (notice) by sms for 1: notice'));
  story.arrives('ana 2 (notice) by sms');
  story.raise(2, 'pumps');
  story.raise(3, 'pumps');
  assert.deepEqual(story.began, []);
  story.pass(60);
  assert.deepEqual(story.began, ['ana 2 (notice) by sms for 2 3: notice']);
  story.passUnanswered(3_600);
  const later: readonly string[] = story.began;
  assert.ok(!later.some((one) => one.includes('notice')));
});

test('a message is heard by one person, and nobody else is called then', () => {
  const story = new Story({ ...pumps, groups: { pumps: { members: ['ana', 'bo'] } } });
  story.raise(1, 'pumps', { asks: false });
  story.reads('ana', [1]);
  story.hangsUp('ana', 'heard');
  assert.deepEqual(story.live, []);
  assert.deepEqual(story.stateOf(1), ['group: done']);
});

test('twenty repeating alarms that nobody takes ring a person 25 times in the first hour and 10 times in the two after it', () => {
  const story = new Story({ ...pumps, administrators: [], people: { ana: [{ countTry: 1 }], bo: [{}] } });
  for (let id = 1; id <= 20; id++) {
    story.raise(id, 'pumps', { priority: 2 });
    story.passUnanswered(30);
  }
  story.passUnanswered(3_000);
  const first = story.attempts.length;
  story.passUnanswered(7_200);
  const after = story.attempts.length - first;
  assert.ok(first <= 25, `${first} in the first hour`);
  assert.ok(after <= 10, `${after} in the two hours after it`);
});
