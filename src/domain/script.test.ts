// Tests script.ts: which commands run, which parameters a script accepts, and which patterns are accepted.

import assert from 'node:assert/strict';
import { it } from 'node:test';
import { processorMs } from '../../test/harness/server/processor-time.ts';
import { type AlarmAction, emptyDefinition } from './alarms/definition.ts';
import { patternMistake, permittedChange, permittedList, plainPath, whyNotRun, whyNotTaken } from './script.ts';

const execute: AlarmAction = { type: 'ExecuteCommand', id: 0, scriptId: 7, parameter: 'a', flags: 0 };
const call: AlarmAction = { type: 'CallUser', id: 1, scriptId: 0, parameter: '', flags: 0 };
const allowed: AlarmAction = { ...execute, allowed: true };

it('a command runs if commands are enabled, it is allowed, its script exists and accepts the parameter', () => {
  const scripts = new Map([
    [7, undefined],
    [8, '[a-c]+'],
  ]);
  const table: readonly [action: AlarmAction, scripts: typeof scripts | undefined, why: string | undefined][] = [
    [allowed, scripts, undefined],
    [allowed, undefined, 'commands are switched off'],
    [execute, scripts, 'whoever asks for a command needs the scope commands:run'],
    [{ ...allowed, scriptId: 9 }, scripts, 'script 9 does not exist'],
    [{ ...allowed, scriptId: 8, parameter: 'abc' }, scripts, undefined],
    [{ ...allowed, scriptId: 8, parameter: 'abcd' }, scripts, 'the parameter is not one that script 8 takes'],
    [{ ...allowed, type: 'StopCommand', scriptId: 8, parameter: 'abcd' }, scripts, undefined],
  ];
  for (const [action, there, why] of table) assert.equal(whyNotRun(action, there), why, JSON.stringify(action));
});

it('a parameter has at most 1 KB and no NUL, and matches as a whole', () => {
  const why = (parameter: string, pattern?: string) => whyNotTaken({ scriptId: 7, parameter }, pattern);
  assert.equal(why('ü'.repeat(512)), undefined);
  assert.match(why(`${'ü'.repeat(512)}a`) ?? '', /longer than 1024 bytes/);
  assert.match(why('a\0b') ?? '', /NUL/);
  assert.equal(why('b', 'a|b'), undefined);
  for (const parameter of ['ab', 'b\n', '\nb', 'b\nb', '']) assert.match(why(parameter, 'a|b') ?? '', /script 7/);
});

it('patterns that could backtrack for long are rejected', () => {
  const fine = [
    '',
    'open|close',
    '\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}\\.\\d{1,3}',
    '[\\w -]*',
    '.+=.+',
    '(?:left|right) door',
    'a\\+b',
  ];
  for (const pattern of fine) assert.equal(patternMistake(pattern), undefined, pattern);
  const bad: readonly [pattern: string, mistake: RegExp][] = [
    ['(', /no regular expression/],
    ['a'.repeat(257), /longer/],
    ['(a+)+', /repeats a group/],
    ['(a|a)*', /repeats a group/],
    ['(?:ab){2,9}', /repeats a group/],
    ['(a)\\1', /looks back/],
    ['(?=a)a', /looks back/],
    ['a*a*a*', /too many ways/],
    ['a{1,}b+c*', /too many ways/],
    [`${'a?'.repeat(23)}`, /too many ways/],
    [`${'a{1,9}'.repeat(8)}`, /too many ways/],
    [`${'(?:a|a)'.repeat(23)}`, /too many ways/],
  ];
  for (const [pattern, mistake] of bad) assert.match(patternMistake(pattern) ?? '', mistake, pattern);
});

it('the worst accepted pattern matches the longest parameter quickly', () => {
  const longest = { scriptId: 7, parameter: 'a'.repeat(1_024) };
  const took = processorMs(() => assert.match(whyNotTaken(longest, 'a*a*a?a?b') ?? '', /script 7/));
  assert.ok(took < 2_000, `${took} ms`);
});

it('commands are marked as allowed for authorised senders; an unchanged list keeps its marks', () => {
  assert.deepEqual(permittedList([execute, call], true, []), [allowed, call]);
  assert.deepEqual(permittedList([execute, call], false, []), [execute, call]);
  assert.deepEqual(permittedList([execute, call], false, [allowed, call]), [allowed, call]);
  for (const before of [[allowed], [call, allowed], [{ ...allowed, parameter: 'b' }, call]])
    assert.deepEqual(permittedList([execute, call], false, before), [execute, call]);
  assert.deepEqual(
    permittedList([execute, execute], false, [allowed]),
    [execute, execute],
    'a longer list does not inherit the marks',
  );
  const change = { temporary: true, reset: { message: 'm', actions: [execute] }, ack: { actions: [call] } };
  assert.deepEqual(permittedChange(change, true, emptyDefinition), {
    ...change,
    reset: { message: 'm', actions: [allowed] },
  });
  assert.equal(permittedChange({ temporary: true }, false, emptyDefinition).alarm, undefined);
});

it('plainPath replaces characters that are special to a shell', () => {
  assert.equal(plainPath('Plant/Pümpe 7\\T:1#2@x+y-z_.'), 'Plant/Pümpe 7\\T:1#2@x+y-z_.');
  assert.equal(plainPath('$(id);`x`\n"\'*?<>|&\u202e'), '__id___x___________');
});
