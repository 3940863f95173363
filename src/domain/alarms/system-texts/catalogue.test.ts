// Tests what system alarms say: each code in each language with the same facts, the English as sources of rules and searches know
// it, and texts that grow.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { languages } from '../../language.ts';
import { changedDefinition, emptyDefinition } from '../definition.ts';
import { englishOf, grownSystemText, messageIn, systemTextIn, systemTextWords } from './catalogue.ts';
import type { SystemText, SystemTextCode, SystemTextParameters } from './texts.ts';

type Example<C extends SystemTextCode> = readonly [parameters: SystemTextParameters[C], english: string];

const at = Date.UTC(2026, 10, 15, 12);
const ofProvider = { provider: 'Trunk', reason: 'no response' };
const calendar = { scheduleId: 4, schedule: 'Nights' };
const about = { alarmId: 9, alarm: 'Pump' };
const setAside =
  'because of a fault in Tocsin, which its log describes. It is tried again every minute; everything else goes on.';

const examples: { readonly [C in SystemTextCode]: readonly Example<C>[] } = {
  'attempt-given-up': [
    [
      { userId: 3, name: 'Ana' },
      'Tocsin ended unexpectedly each time it called Ana for an alarm, and has given up that call. The next number or person is called. Its log, and the page System, say more.',
    ],
    [
      { userId: 3, name: '' },
      'Tocsin ended unexpectedly each time it called user 3 for an alarm, and has given up that call. The next number or person is called. Its log, and the page System, say more.',
    ],
  ],
  'attempt-failed': [
    [
      { userId: 3, name: 'Ana' },
      'A call to Ana could not be made because of a fault in Tocsin, which its log describes. The next number or person is called.',
    ],
    [
      { userId: 3, name: '' },
      'A call to user 3 could not be made because of a fault in Tocsin, which its log describes. The next number or person is called.',
    ],
  ],
  auditor: [
    [
      { count: 1, kinds: [{ kind: 'call-waits', count: 1 }] },
      'The auditor found a call that nobody was seeing to, and has mended it: call-waits 1.',
    ],
    [
      {
        count: 3,
        kinds: [
          { kind: 'call-waits', count: 1 },
          { kind: 'call-stands', count: 2 },
        ],
      },
      'The auditor found 3 calls that nobody was seeing to, and has mended it: call-waits 1, call-stands 2.',
    ],
  ],
  'backup-old': [
    [
      { goodAt: at, folder: '/backups', stuckSince: null, problem: 'the disk is full' },
      'Since 2026-11-15T12:00:00.000Z no good backup was made in /backups. The last try failed: the disk is full.',
    ],
    [
      { goodAt: at, folder: '/backups', stuckSince: at + 3_600_000, problem: '' },
      'Since 2026-11-15T12:00:00.000Z no good backup was made in /backups. The one that was begun at 2026-11-15T13:00:00.000Z has not ended.',
    ],
    [
      { goodAt: at, folder: '/backups', stuckSince: null, problem: '' },
      'Since 2026-11-15T12:00:00.000Z no good backup was made in /backups.',
    ],
  ],
  'bad-number': [
    [{ name: 'Ana', channel: 'fax' }, 'A number of Ana (fax) does not exist: correct it in the directory.'],
  ],
  budget: [
    [
      { cost: '8.10', budgetDay: 10 },
      'Calls and messages have cost 8.10 of 10 today. When the budget is spent, only alarms of priority 1 are called.',
    ],
  ],
  'cannot-be-used': [
    [
      { actor: 'key:7', lines: [{ ...about, sentence: 'priority: too low' }], hasMore: true },
      'Part of what key:7 sends cannot be used, so others may be called than it asks for.\nAlarm 9, "Pump": priority: too low.\nThere is more of this kind.',
    ],
  ],
  'channel-down': [[{ channel: 'fax', reason: 'busy' }, 'Nobody can be reached by fax: busy.']],
  chattering: [
    [
      { actor: 'key:7', lines: [about], hasMore: false },
      'key:7 sends more than one source may have stored; what is beyond that is collapsed.\nAlarm 9, "Pump": it has begun more than 60 occurrences within a minute, so its return to normal counts when it has lasted 10 s.',
    ],
  ],
  clock: [
    [
      { direction: 'forward', seconds: 60 },
      'The clock was set ahead by 60 s. Delays, pauses and other waits last as long as before; shifts, masks and other times of the day follow the clock.',
    ],
    [
      { direction: 'back', seconds: 60 },
      'The clock was set back by 60 s. Delays, pauses and other waits last as long as before; shifts, masks and other times of the day follow the clock.',
    ],
  ],
  command: [[{ scriptId: 5, ...about, detail: 'it ended with 1' }, 'Script 5 for alarm 9, "Pump": it ended with 1.']],
  'disk-low': [
    [
      { node: 'plant', percent: 93 },
      'The disk that holds the data of plant is 93 % full. When it is full no alarm can be taken any more: make room.',
    ],
  ],
  'events-delayed': [
    [
      { node: 'plant', seconds: 20 },
      'On the node plant changes of the last 20 s are stored but not pushed: consoles show an old state, and an acknowledgement stops no telephone there. Look at its connection to the database.',
    ],
  ],
  'few-descriptors': [
    [
      { node: 'plant', open: 950, limit: 1_000 },
      '950 of 1000 file descriptors are in use on plant. When none is free no client can connect any more: find out who keeps so many connections open, or raise the limit (ulimit -n).',
    ],
  ],
  'holidays-left-out': [
    [
      { ...calendar, count: 1, first: 'Easter' },
      'The calendar of holidays of schedule 4, "Nights", was read without 1 of its events: Easter. The others count.',
    ],
    [
      { ...calendar, count: 3, first: 'Easter' },
      'The calendar of holidays of schedule 4, "Nights", was read without 3 of its events: Easter, and 2 more. The others count.',
    ],
  ],
  'holidays-unread': [
    [
      { ...calendar, problem: 'no response' },
      'The calendar of holidays of schedule 4, "Nights", cannot be read: no response. Those read before count on.',
    ],
  ],
  'intake-refused': [
    [
      { actor: 'key:7', name: 'Scada', route: 'POST /alarms', reason: 'no JSON', code: 'malformed', address: '::1' },
      'Alarms of key:7, "Scada", are being refused at POST /alarms: no JSON (malformed; from ::1). What was sent is kept: see /api/v1/intake/refusals.',
    ],
  ],
  'key-expiring': [
    [{ keyId: 7, name: 'Scada', days: 1 }, 'The API key 7, "Scada", ends in a day: whoever uses it needs a new one.'],
    [
      { keyId: 7, name: 'Scada', days: 30 },
      'The API key 7, "Scada", ends in 30 days: whoever uses it needs a new one.',
    ],
  ],
  'no-attempts': [
    [
      {},
      'Nobody can be called at present because of a fault in Tocsin, which its log describes. It is tried again every few seconds.',
    ],
  ],
  'no-way': [
    [{ channel: 'fax', why: 'not-set-up' }, 'Nobody can be reached by fax: it is not set up.'],
    [{ channel: 'fax', why: 'down' }, 'Nobody can be reached by fax: none of its providers works.'],
    [
      { channel: 'fax', why: 'not-served' },
      'Somebody could not be reached by fax: no provider of it serves the number.',
    ],
  ],
  'not-served': [[{ channel: 'fax', reason: 'busy' }, 'Somebody could not be reached by fax: busy.']],
  'provider-down': [[ofProvider, 'The provider Trunk is down: no response.']],
  'provider-mailbox': [[ofProvider, 'Replies to mails of the provider Trunk are not read: no response.']],
  'provider-refused': [
    [{ ...ofProvider, isSpoken: true }, 'The provider Trunk refuses calls: no response.'],
    [{ ...ofProvider, isSpoken: false }, 'The provider Trunk refuses messages: no response.'],
  ],
  'provider-ring-in': [[ofProvider, 'Nobody can ring in by the provider Trunk: no response.']],
  'provider-voice': [[ofProvider, 'Calls by the provider Trunk are spoken by another voice: no response.']],
  'providers-unopened': [
    [
      { node: 'plant', providers: ['Trunk', 'Mail'] },
      'The server plant cannot use these providers: Trunk, Mail. Other servers carry their calls. Mostly its key for the secrets is another one: give all servers the same TOCSIN_SECRETS_KEY. The page System says why.',
    ],
  ],
  'purge-waits': [
    [
      { clock: at, days: 40 },
      "Old records are not removed for now: the clock says 2026-11-15T12:00:00.000Z, 40 days later than when they last were. If the clock is wrong, put it right, and none are lost. If the server was off for that long, all is well: in a day it begins to remove a week's worth a day.",
    ],
  ],
  'refusal-not-kept': [
    [
      { lines: [{ caller: 'key:7', route: 'POST /alarms', code: 'malformed' }], hasMore: false },
      'A request of key:7 to POST /alarms was refused (malformed) and could not be kept; the log of the server says why.',
    ],
  ],
  'scripts-differ': [
    [
      {
        nodes: [
          {
            node: 'alpha',
            scripts: [
              [1, null],
              [2, 'a+'],
            ],
          },
          { node: 'beta', scripts: [] },
          { node: 'gamma', scripts: null },
        ],
      },
      'The nodes do not have the same scripts: alpha has 1, 2 (a+); beta has none; gamma has no folder of scripts. A command runs on a node that has its script, and not while that node is away: give all nodes the same TOCSIN_SCRIPTS_DIR.',
    ],
  ],
  'called-in-vain': [
    [
      { kind: 'group', id: 6, name: 'Pumps' },
      'Call group "Pumps" was called in vain: nobody has taken what was called for.',
    ],
    [
      { kind: 'last-resort', id: 0, name: '' },
      'The last resort was called in vain: nobody has taken what was called for.',
    ],
  ],
  'duty-locked': [
    [{ kind: 'group', id: 6, name: 'Pumps' }, 'The duty of call group "Pumps" is locked: nobody is called.'],
  ],
  'no-free-line': [
    [
      { channel: 'voice' },
      'Calls wait for a free line of the channel "voice" for more than a minute; the people\'s other numbers and the next level are called meanwhile.',
    ],
  ],
  'nobody-on-call': [
    [{ kind: 'group', id: 6, name: 'Pumps' }, 'Nobody is on call for call group "Pumps".'],
    [{ kind: 'user', id: 3, name: '' }, 'Nobody is on call for user 3.'],
  ],
  'set-aside-acknowledgement': [
    [{}, `The acknowledgement of many occurrences cannot be written to all of them ${setAside}`],
  ],
  'set-aside-alarm': [[{ alarmId: 9 }, `What is due for alarm 9 cannot be done ${setAside}`]],
  'set-aside-call': [
    [{ kind: 'group', id: 6, name: 'Pumps' }, `Calling call group "Pumps" cannot go on ${setAside}`],
    [{ kind: 'group', id: 6, name: '' }, `Calling call group 6 cannot go on ${setAside}`],
    [{ kind: 'user', id: 3, name: 'Ana' }, `Calling user 3 "Ana" cannot go on ${setAside}`],
    [{ kind: 'user', id: 3, name: '' }, `Calling user 3 cannot go on ${setAside}`],
    [{ kind: 'last-resort', id: 0, name: '' }, `Calling the last resort cannot go on ${setAside}`],
    [{ kind: 'number', id: 8, name: '' }, `Calling a number cannot go on ${setAside}`],
  ],
  'set-aside-move': [
    [
      {},
      `Many tags that move to another data server, or take the new name of theirs, cannot all be changed ${setAside}`,
    ],
  ],
  'source-silent': [
    [
      { kind: 'key', id: 7, name: 'Scada', silentFor: { amount: 17, unit: 'min' }, usually: { amount: 5, unit: 's' } },
      'Nothing has come from API key 7, "Scada", for 17 min; usually something comes every 5 s. Its alarms may not arrive: look at the source and at the way from there.',
    ],
    [
      {
        kind: 'dataServer',
        id: 2,
        name: 'API',
        silentFor: { amount: 3, unit: 'd' },
        usually: { amount: 2, unit: 'h' },
      },
      'Nothing has come from data server 2, "API", for 3 d; usually something comes every 2 h. Its alarms may not arrive: look at the source and at the way from there.',
    ],
  ],
  'store-damaged': [
    [
      {},
      'The database of Tocsin is damaged, and no more alarms are taken: stop Tocsin, take out what can be read with "tocsin rescue FILE", and restore that or a backup.',
    ],
  ],
  'tags-not-moved': [
    [
      { count: 2, from: 4, to: 6, toName: 'West', paths: ['pump'] },
      '2 tags of data server 4 stay where they are, because data server 6, "West", has tags of the same path: "pump" and others.',
    ],
    [
      { count: 1, from: 4, to: 6, toName: 'West', paths: ['pump'] },
      '1 tags of data server 4 stay where they are, because data server 6, "West", has tags of the same path: "pump".',
    ],
  ],
  'telephony-ended': [
    [
      { node: 'plant' },
      'Telephone calls on plant were cut off by a fault in Tocsin, which its log describes. Telephony was started again, and the people are called once more.',
    ],
  ],
  'work-given-up': [
    [
      { kind: 'calendar', id: 4 },
      'Tocsin ended unexpectedly each time it was at this: reading the holiday calendar of schedule 4. It is not done any more, until an administrator releases it. The log, and the page System, say more.',
    ],
    [
      { kind: 'purge', id: 0 },
      'Tocsin ended unexpectedly each time it was at this: removing what is older than it is kept. It is not done any more, until an administrator releases it. The log, and the page System, say more.',
    ],
  ],
};

const texts: readonly (readonly [SystemText, string])[] = Object.entries(examples).flatMap(([code, list]) =>
  list.map(([parameters, english]) => [{ code, parameters } as SystemText, english] as const),
);

test('the English of every system alarm is the one that clients have read so far', () => {
  for (const [text, english] of texts) assert.equal(englishOf(text), english);
});

test('every system alarm is said in every language, with the same names and numbers', () => {
  assert.deepEqual(Object.keys(systemTextWords), languages);
  const facts = (text = ''): readonly string[] =>
    (
      text.match(
        /\d+|\b(?:Ana|Pumps?|Trunk|Scada|West|API|Nights|Easter|plant|malformed|busy|fax|alpha|beta|gamma)\b|no response|rescue FILE/g,
      ) ?? []
    ).toSorted();
  for (const language of ['de', 'fr'] as const)
    for (const [text, english] of texts) {
      const said = systemTextIn(language, text);
      assert.notEqual(said, english, `${language} ${text.code}`);
      assert.deepEqual(new Set(facts(said)), new Set(facts(english)), `${language} ${text.code}: ${said}`);
    }
});

test('channels have their names in French and German, and others are called as in the interface', () => {
  const down = (channel: string): SystemText => ({ code: 'channel-down', parameters: { channel, reason: 'x' } });
  assert.equal(systemTextIn('de', down('voice')), 'Niemand ist über Telefon erreichbar: x.');
  assert.equal(systemTextIn('fr', down('email')), 'Personne n’est joignable par e-mail : x.');
  assert.equal(systemTextIn('fr', down('constructor')), 'Personne n’est joignable par constructor : x.');
});

test('a reader gets the first of their languages that is offered, and English without one', () => {
  const alarm = { message: 'What clients have read so far' };
  const systemText: SystemText = { code: 'provider-down', parameters: ofProvider };
  const french = 'Le fournisseur Trunk est en panne : no response.';
  const table: readonly (readonly [wanted: readonly string[], message: string])[] = [
    [['fr-CA'], french],
    [['pt', 'FR', 'de'], french],
    [['en-GB', 'fr'], alarm.message],
    [['pt'], alarm.message],
    [[], alarm.message],
  ];
  for (const [wanted, message] of table) assert.equal(messageIn(wanted, { systemText, alarm }), message);
  assert.equal(messageIn(['fr'], { alarm }), alarm.message);
});

test('a code of a newer version is shown by the message that it stored', () => {
  const systemText = { code: 'from-the-future', parameters: {} } as unknown as SystemText;
  assert.equal(messageIn(['de'], { systemText, alarm: { message: 'It is late.' } }), 'It is late.');
});

const refused = (...routes: string[]): SystemText => ({
  code: 'refusal-not-kept',
  parameters: { lines: routes.map((route) => ({ caller: 'key:7', route, code: 'no' })), hasMore: false },
});

test('a text grows by the lines that it does not have, and ends with a word of more', () => {
  assert.deepEqual(grownSystemText(refused('a'), refused('a', 'b')), refused('a', 'b'));
  const known = refused('a');
  assert.equal(grownSystemText(known, refused('a')), known);
  const many = Array.from({ length: 100 }, (_, n) => `route ${n}`);
  const full = grownSystemText(refused('a'), refused(...many));
  const lines = englishOf(full).split('\n');
  assert.equal(lines.at(-1), 'There is more of this kind.');
  assert.ok(lines.slice(0, -1).join('\n').length <= 4_001);
  assert.deepEqual(grownSystemText(full, refused('a', 'z')), full);
  assert.match(systemTextIn('de', full) ?? '', /\nEs gibt mehr von dieser Art\.$/);
});

test('a text of another code, and one that does not grow, stay as they are', () => {
  const down: SystemText = { code: 'provider-down', parameters: ofProvider };
  assert.equal(grownSystemText(down, refused('a')), down);
  const known = refused('a');
  assert.equal(grownSystemText(known, down), known);
});

test('a message that comes without a code replaces what the code said', () => {
  const systemText: SystemText = { code: 'provider-down', parameters: ofProvider };
  const down = changedDefinition(emptyDefinition, { systemText, alarm: { message: englishOf(systemText) } });
  const same = JSON.parse(JSON.stringify({ systemText, alarm: { message: englishOf(systemText) } }));
  assert.equal(changedDefinition(down, same), down);
  assert.deepEqual(changedDefinition(down, { consequence: 'x' }).systemText, systemText);
  assert.equal(changedDefinition(down, { alarm: { message: 'Other' } }).systemText, undefined);
});
