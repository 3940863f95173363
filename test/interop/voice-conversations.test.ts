// Conversations with SIPp as the telephone: taking all, being told who took it, an answering machine that talks, and one line for two.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { printWav } from '@tocsin/sip';
import {
  pause,
  receive,
  respondInDialog,
  respondToInvite,
  type SippOptions,
  sippMissing,
  startSipp,
  waitsForSign,
} from '../../packages/sip/test/harness/sipp.ts';
import { CommandSpeech } from '../../src/channels/voice/speech.ts';
import { ProcessPool } from '../../src/channels/voice/speech-process.ts';
import { readConfig } from '../../src/config.ts';
import { withoutProgram } from '../harness/server/tools.ts';
import { type Site, startSite } from '../harness/site/site.ts';
import { voice } from '../harness/site/site-phones.ts';
import { isSoak } from '../harness/soak.ts';
import {
  called,
  hangsUp,
  hearsSome,
  hungUpThere,
  keys,
  phoneSdp,
  playsAlaw,
  pressesUntilHungUp,
  rings,
  takesTheCall,
} from '../harness/telephone/sipp-phone.ts';
import { spokenLog } from '../harness/telephone/spoken-log.ts';
import { untilSaid } from '../harness/telephone/until-said.ts';
import { until } from '../harness/until.ts';

const skip = sippMissing || withoutProgram('espeak-ng') || withoutProgram('ffmpeg');

/** Makes a trunk to SIPp, which plays the steps; numbers of the country go over it. */
async function trunkTo(
  t: TestContext,
  site: Site,
  country: string,
  steps: readonly string[],
  more: object = {},
  options: SippOptions = {},
) {
  const sipp = await startSipp([called, ...steps], options);
  t.after(() => sipp.stop());
  const settings = { host: '127.0.0.1', port: sipp.port, user: 'tocsin' };
  const provider = { name: `PBX ${country}`, channel: 'voice', kind: 'sip', countries: [country], settings, ...more };
  await site.create('/providers', provider);
  return sipp;
}

async function expectPlayed({ ended }: Awaited<ReturnType<typeof trunkTo>>): Promise<string> {
  const { code, log } = await ended;
  assert.equal(code, 0, log);
  return log;
}

const ackUser = async (site: Site, alarm: number) => (await site.alarms.get(alarm)).ackUser;

describe('a conversation with SIPp', { skip, concurrency: 5 }, () => {
  it('takes all alarms with 9 and, after the read-back, 1', async (t) => {
    const { overrides, texts } = await spokenLog(t as TestContext);
    const site = await startSite(t as TestContext, 'sqlite', { overrides });
    const steps = [
      ...[...takesTheCall, keys('1'), waitsForSign, hearsSome, keys('9')],
      ...[waitsForSign, pause(1_500), ...pressesUntilHungUp('1')],
    ];
    const sipp = await trunkTo(t as TestContext, site, '+33', steps);
    const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
    const alarmActions = [{ type: 'CallUser', id: ana.id }];
    const alarms = ['Pump1', 'Pump2'].map((path) => ({
      path,
      alarmMessage: `${path} is hot`,
      priority: 2,
      alarmActions,
    }));
    const ids = await site.ask<readonly number[]>('POST', '/alarms/batch', alarms);
    for (const phrase of ['Press 9 to take all', 'You are about to take 2 alarms']) {
      await untilSaid({ site, sipp, texts }, phrase);
      await sipp.sign();
    }
    await expectPlayed(sipp);
    for (const id of ids) assert.equal(await ackUser(site, id), 'ana');
    assert.match(await texts(), /You have taken 2 alarms/);
  });

  it('is told who has taken the alarm meanwhile', async (t) => {
    const { overrides, texts } = await spokenLog(t as TestContext);
    const site = await startSite(t as TestContext, 'sqlite', { overrides });
    const anas = await trunkTo(t as TestContext, site, '+33', [
      rings,
      waitsForSign,
      respondToInvite(200, 'OK', phoneSdp),
      receive('ACK'),
      pause(200),
      ...pressesUntilHungUp('1'),
    ]);
    const beas = await trunkTo(t as TestContext, site, '+49', [...takesTheCall, keys('1'), ...hungUpThere]);
    const people = [
      await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] }),
      await site.person('bea', { numbers: [voice('+49100000001', { countTry: 1 })] }),
    ];
    const alarm = await site.alarms.raise(await site.group('Pumps', [await site.team('Night', people)]));
    await untilSaid({ site, sipp: beas, texts }, 'Press 1 to take it');
    await anas.sign();
    await Promise.all([expectPlayed(anas), expectPlayed(beas)]);
    assert.equal(await ackUser(site, alarm), 'ana');
    assert.match(await texts(), /ana has taken it\. Goodbye\./);
  });

  it('with an answering machine that talks and hangs up acknowledges nothing, and the next number is called', async (t) => {
    const site = await startSite(t as TestContext, 'sqlite');
    const machine = await trunkTo(t as TestContext, site, '+33', [
      ...takesTheCall,
      playsAlaw(await greetingFile(t as TestContext)),
      pause(7_000),
      ...hangsUp,
    ]);
    const mobile = await trunkTo(t as TestContext, site, '+49', [...takesTheCall, ...pressesUntilHungUp('1')]);
    const once = { countTry: 1, countAck: 0, timeToAck: 1 };
    const ana = await site.person('ana', { numbers: [voice('+33100000001', once), voice('+49100000001', once)] });
    const alarm = await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]));
    await expectPlayed(machine);
    assert.equal(await ackUser(site, alarm), '');
    await untilClockBrings(site, mobile.ended);
    await expectPlayed(mobile);
    assert.equal(await ackUser(site, alarm), 'ana');
  });

  it('with an answering machine that never hangs up ends by itself', {
    skip: !isSoak && 'takes 40 s: npm run test:soak',
  }, async (t) => {
    const site = await startSite(t as TestContext, 'sqlite');
    // It records without a sound of its own, and is asked whether it is still there.
    const isThere = [receive('OPTIONS'), respondInDialog(200, 'OK')];
    const greeting = playsAlaw(await greetingFile(t as TestContext));
    const steps = [...takesTheCall, greeting, ...isThere, ...hungUpThere];
    const machine = await trunkTo(t as TestContext, site, '+33', steps, {}, { withinSeconds: 120 });
    const ana = await site.person('ana', { numbers: [voice('+33100000001', { countTry: 1 })] });
    const alarm = await site.alarms.raise(await site.group('Pumps', [await site.team('Night', [ana])]));
    await expectPlayed(machine);
    const [row] = await until(
      async () => (await site.list(`/call/histories?alarmId=${alarm}`)).items,
      ([one]) => one?.endTime !== undefined,
    );
    assert.deepEqual([row?.outcome, await ackUser(site, alarm)], ['voicemail', '']);
    await site.expectWhatRings();
  });

  it('waits for the only line: two people are rung one after the other', async (t) => {
    const { overrides } = await spokenLog(t as TestContext);
    const site = await startSite(t as TestContext, 'sqlite', { overrides });
    const sipp = await trunkTo(
      t as TestContext,
      site,
      '+33',
      [...takesTheCall, keys('1'), hearsSome, ...pressesUntilHungUp('2')],
      { lines: 1 },
      { calls: 2 },
    );
    const people = [1, 2].map((n) => site.person(`p${n}`, { numbers: [voice(`+3310000000${n}`, { countTry: 1 })] }));
    const team = await site.team('Night', await Promise.all(people));
    await site.alarms.raise(await site.group('Pumps', [team]));
    const log = await expectPlayed(sipp);
    const order = [...log.matchAll(/^(INVITE|BYE) sip:/gm)].map(([, method]) => method);
    assert.deepEqual(order, ['INVITE', 'BYE', 'INVITE', 'BYE']);
    await site.expectWhatRings();
  });
});

/** The greeting of an answering machine, as A-law without a header. */
async function greetingFile(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tocsin-machine-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const speech = new CommandSpeech({ ...readConfig({}).speech, cacheDir: folder }, new ProcessPool(1), () => {});
  const text =
    'Hello, this is the mailbox of 1 2 3 4 5 6 7 8 9. Nobody is here. Please leave a message after the tone.';
  const [wav, file] = [join(folder, 'greeting.wav'), join(folder, 'greeting.al')];
  await writeFile(wav, printWav(await speech.say(text, 'en', new AbortController().signal)));
  const { status, stderr } = spawnSync('ffmpeg', ['-loglevel', 'error', '-i', wav, '-f', 'alaw', file]);
  assert.equal(status, 0, String(stderr));
  return file;
}

/** Advances the clock until that is done. */
async function untilClockBrings(site: Site, done: Promise<unknown>): Promise<void> {
  let isDone = false;
  void done.then(() => (isDone = true));
  await until(
    () => {
      if (!isDone) site.app.clock.advance(20);
      void site.app.poll();
      return isDone;
    },
    (is) => is,
  );
}
