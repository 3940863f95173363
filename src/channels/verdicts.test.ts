// Every channel has a table of stages and answers that blames nobody for what came before them, and nothing else judges a failure.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { smtpStages } from './mail/smtp-stages.ts';
import { badNumber, down, failedBy, type StageTable, statusNames, type Verdict, verdictOf } from './verdicts.ts';
import { voiceStages } from './voice/voice-stages.ts';
import { webhookStages } from './webhook/outcomes.ts';

const tables: Readonly<Record<string, StageTable>> = {
  mail: smtpStages,
  webhook: webhookStages,
  voice: voiceStages,
};

/** Returns what contradicts itself in a table, a sentence each. */
function problemsOf(table: StageTable): readonly string[] {
  return Object.entries(table).flatMap(([stage, { reaches, answers, other }]) =>
    Object.entries({ ...answers, other }).flatMap(([answer, verdict]) => [
      ...contradictionsOf(verdict).map((text) => `${stage} ${answer}: ${text}`),
      ...(verdict.blames === 'person' && !mayBlamePerson(reaches, answer)
        ? [`${stage} ${answer}: blames the person before anything came from them`]
        : []),
    ]),
  );
}

function mayBlamePerson(reaches: StageTable[string]['reaches'], answer: string): boolean {
  return reaches === 'person' || (reaches === 'address' && /^\d/.test(answer));
}

function contradictionsOf({ blames, isTry, next }: Verdict): readonly string[] {
  const isOfPerson = blames === 'person' || blames === 'tocsin';
  const goesOn = next === 'next-provider' || next === 'smaller';
  return [
    ...(isTry === isOfPerson ? [] : ['a try is used for what the person is not to blame for, or the reverse']),
    ...(goesOn === isOfPerson ? ['the next provider is asked for what no provider can help, or the reverse'] : []),
  ];
}

for (const [channel, table] of Object.entries(tables))
  test(`the table of ${channel} blames nobody for what came before them`, () => {
    assert.deepEqual(problemsOf(table), []);
  });

test('a table that blames the recipient for a greeting is found', () => {
  const planted = {
    ...smtpStages,
    greeting: { reaches: 'server', answers: { '5xx': badNumber }, other: down },
  } as const;
  assert.deepEqual(problemsOf(planted), ['greeting 5xx: blames the person before anything came from them']);
});

test('a table that uses a try for a provider, or blames the person for silence, is found', () => {
  const answers = { '503': { ...down, isTry: true }, silence: { ...badNumber, next: 'again' } } as const;
  assert.deepEqual(problemsOf({ trying: { reaches: 'address', answers, other: down } }), [
    'trying 503: a try is used for what the person is not to blame for, or the reverse',
    'trying silence: blames the person before anything came from them',
  ]);
});

test('the narrowest name of an answer counts, and an unknown one is every other', () => {
  const { recipient } = smtpStages;
  assert.equal(verdictOf(recipient, ['5.1.1', '5.1', ...statusNames(550)]).outcome, 'badNumber');
  assert.equal(verdictOf(recipient, ['5.2.1', '5.2', ...statusNames(550)]).outcome, 'undeliverable');
  assert.equal(verdictOf(recipient, ['toString']).outcome, 'providerDown');
});

test('a telephone that never rang was not left unanswered', () => {
  for (const status of [408, 487]) {
    assert.equal(verdictOf(voiceStages.trying, statusNames(status)).blames, 'provider');
    assert.equal(verdictOf(voiceStages.ringing, statusNames(status)).outcome, 'noAnswer');
  }
  assert.equal(verdictOf(voiceStages.ringing, ['transport']).blames, 'provider');
  assert.equal(failedBy(voiceStages.ringing.other, { code: 'no-answer' }).fault, 'down');
});

/** Lines that say what a failure means without a table. */
function ownJudgements(source: string): readonly string[] {
  return source.split('\n').filter((line) => /\b(?:fault: '|retry: '|outcome: ')/.test(line));
}

/** Where tables are written; the simulator plays what its user has chosen. */
const judges = /(?:verdicts|stages|webhook\/outcomes|simulator\/simulator)\.ts$/;

test('no channel judges a failure beside its table', () => {
  const folder = 'src/channels';
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  );
  assert.ok(files.length > 20, String(files.length));
  const judging = files.filter(
    (name) => !judges.test(name) && ownJudgements(readFileSync(join(folder, name), 'utf8')).length > 0,
  );
  assert.deepEqual(judging, []);
  assert.equal(
    ownJudgements(`  return { kind: 'failed', retry: 'later', reason };`).length,
    1,
    'a planted judgement is found',
  );
});
