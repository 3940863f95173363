// The texts of system alarms in English. They are also what is stored, searched, and read by those who name no language. Pure.

import { printTime } from '../../time-range.ts';
import { becauseIn, linesOf, type RoundedTime, type SystemTextParameters, type SystemTextWords } from './texts.ts';

const more = 'There is more of this kind.';
const tryAgain = 'It is tried again every minute; everything else goes on.';

function setAside(what: string): string {
  return `${what} because of a fault in Tocsin, which its log describes. ${tryAgain}`;
}

function calledName({ kind, id, name }: SystemTextParameters['set-aside-call']): string {
  if (kind === 'last-resort') return 'the last resort';
  if (kind === 'number') return 'a number';
  if (kind === 'group') return name === '' ? `call group ${id}` : `call group "${name}"`;
  return name === '' ? `user ${id}` : `user ${id} "${name}"`;
}

function capital(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function aboutAlarm({ alarmId, alarm }: { readonly alarmId: number; readonly alarm: string }): string {
  return `Alarm ${alarmId}, "${alarm}"`;
}

function calendarOf({ scheduleId, schedule }: { readonly scheduleId: number; readonly schedule: string }): string {
  return `The calendar of holidays of schedule ${scheduleId}, "${schedule}",`;
}

function rounded({ amount, unit }: RoundedTime): string {
  return `${amount} ${unit}`;
}

function scriptsOf({ node, scripts }: SystemTextParameters['scripts-differ']['nodes'][number]): string {
  if (scripts === null) return `${node} has no folder of scripts`;
  return `${node} has ${scripts.map(([id, pattern]) => (pattern === null ? id : `${id} (${pattern})`)).join(', ') || 'none'}`;
}

const noWay: Readonly<Record<SystemTextParameters['no-way']['why'], string>> = {
  'not-set-up': 'it is not set up',
  'switched-off': 'all its providers are switched off',
  'not-served': 'no provider of it serves the number',
  down: 'none of its providers works',
  limited: 'its providers have carried as much as they may in a day',
};

const works: { readonly [K in SystemTextParameters['work-given-up']['kind']]: (id: number) => string } = {
  acknowledgement: () => 'acknowledging many occurrences',
  alarm: (id) => `what is due for alarm ${id}`,
  audit: () => 'looking for calls that nobody sees to',
  calendar: (id) => `reading the holiday calendar of schedule ${id}`,
  cause: (id) => `calling somebody (call ${id})`,
  demo: () => 'moving the demo plant',
  'hand-over': () => 'telling people that they come on or go off duty',
  mail: () => 'reading a mail',
  move: () => 'changing many tags that move to another data server, or take the new name of theirs',
  purge: () => 'removing what is older than it is kept',
  seal: () => 'sealing the audit trail',
  source: () => 'looking for sources that are silent',
};

export const english: SystemTextWords = {
  'attempt-failed': ({ userId, name }) =>
    `A call to ${name === '' ? `user ${userId}` : name} could not be made because of a fault in Tocsin, which its log describes. The next number or person is called.`,
  'attempt-given-up': ({ userId, name }) =>
    `Tocsin ended unexpectedly each time it called ${name === '' ? `user ${userId}` : name} for an alarm, and has given up that call. The next number or person is called. Its log, and the page System, say more.`,
  auditor: ({ count, kinds }) =>
    `The auditor found ${count === 1 ? 'a call' : `${count} calls`} that nobody was seeing to, and has mended it: ${kinds.map((one) => `${one.kind} ${one.count}`).join(', ')}.`,
  'backup-old': ({ goodAt, folder, stuckSince, problem }) => {
    const failed = problem === '' ? '' : ` The last try failed: ${problem}.`;
    const why = stuckSince === null ? failed : ` The one that was begun at ${printTime(stuckSince)} has not ended.`;
    return `Since ${printTime(goodAt)} no good backup was made in ${folder}.${why}`;
  },
  'bad-number': ({ name, channel }) => `A number of ${name} (${channel}) does not exist: correct it in the directory.`,
  budget: ({ cost, budgetDay }) =>
    `Calls and messages have cost ${cost} of ${budgetDay} today. When the budget is spent, only alarms of priority 1 are called.`,
  'called-in-vain': (called) =>
    `${capital(calledName(called))} was called in vain: nobody has taken what was called for.`,
  'cannot-be-used': ({ actor, ...growing }) =>
    `Part of what ${actor} sends cannot be used, so others may be called than it asks for.\n${linesOf(growing, (line) => `${aboutAlarm(line)}: ${line.sentence}.`, more)}`,
  'channel-down': ({ channel, ...because }) => `Nobody can be reached by ${channel}: ${becauseIn('en', because)}.`,
  chattering: ({ actor, ...growing }) =>
    `${actor} sends more than one source may have stored; what is beyond that is collapsed.\n${linesOf(
      growing,
      (line) =>
        `${aboutAlarm(line)}: it has begun more than 60 occurrences within a minute, so its return to normal counts when it has lasted 10 s.`,
      more,
    )}`,
  clock: ({ direction, seconds }) =>
    `The clock was set ${direction === 'forward' ? 'ahead' : 'back'} by ${seconds} s. Delays, pauses and other waits last as long as before; shifts, masks and other times of the day follow the clock.`,
  command: ({ scriptId, alarmId, alarm, detail }) => `Script ${scriptId} for alarm ${alarmId}, "${alarm}": ${detail}.`,
  'disk-low': ({ node, percent }) =>
    `The disk that holds the data of ${node} is ${percent} % full. When it is full no alarm can be taken any more: make room.`,
  'duty-locked': (called) => `The duty of ${calledName(called)} is locked: nobody is called.`,
  'events-delayed': ({ node, seconds }) =>
    `On the node ${node} changes of the last ${seconds} s are stored but not pushed: consoles show an old state, and an acknowledgement stops no telephone there. Look at its connection to the database.`,
  'few-descriptors': ({ node, open, limit }) =>
    `${open} of ${limit} file descriptors are in use on ${node}. When none is free no client can connect any more: find out who keeps so many connections open, or raise the limit (ulimit -n).`,
  'holidays-left-out': ({ count, first, ...calendar }) =>
    `${calendarOf(calendar)} was read without ${count} of its events: ${first}${count > 1 ? `, and ${count - 1} more` : ''}. The others count.`,
  'holidays-unread': ({ problem, ...calendar }) =>
    `${calendarOf(calendar)} cannot be read: ${problem}. Those read before count on.`,
  'intake-refused': ({ actor, name, route, reason, code, address }) =>
    `Alarms of ${actor}, "${name}", are being refused at ${route}: ${reason} (${code}; from ${address}). What was sent is kept: see /api/v1/intake/refusals.`,
  'key-expiring': ({ keyId, name, days }) =>
    `The API key ${keyId}, "${name}", ends in ${days === 1 ? 'a day' : `${days} days`}: whoever uses it needs a new one.`,
  'no-free-line': ({ channel }) =>
    `Calls wait for a free line of the channel "${channel}" for more than a minute; the people's other numbers and the next level are called meanwhile.`,
  'nobody-on-call': (called) => `Nobody is on call for ${calledName(called)}.`,
  'no-attempts': () =>
    'Nobody can be called at present because of a fault in Tocsin, which its log describes. It is tried again every few seconds.',
  'no-way': ({ channel, why }) =>
    `${why === 'not-served' ? 'Somebody could not' : 'Nobody can'} be reached by ${channel}: ${noWay[why]}.`,
  'not-served': ({ channel, ...because }) =>
    `Somebody could not be reached by ${channel}: ${becauseIn('en', because)}.`,
  'provider-down': ({ provider, ...because }) => `The provider ${provider} is down: ${becauseIn('en', because)}.`,
  'provider-mailbox': ({ provider, ...because }) =>
    `Replies to mails of the provider ${provider} are not read: ${becauseIn('en', because)}.`,
  'provider-refused': ({ provider, isSpoken, ...because }) =>
    `The provider ${provider} refuses ${isSpoken ? 'calls' : 'messages'}: ${becauseIn('en', because)}.`,
  'provider-ring-in': ({ provider, ...because }) =>
    `Nobody can ring in by the provider ${provider}: ${becauseIn('en', because)}.`,
  'provider-voice': ({ provider, ...because }) =>
    `Calls by the provider ${provider} are spoken by another voice: ${becauseIn('en', because)}.`,
  'providers-unopened': ({ node, providers }) =>
    `The server ${node} cannot use these providers: ${providers.join(', ')}. Other servers carry their calls. Mostly its key for the secrets is another one: give all servers the same TOCSIN_SECRETS_KEY. The page System says why.`,
  'purge-waits': ({ clock, days }) =>
    `Old records are not removed for now: the clock says ${printTime(clock)}, ${days} days later than when they last were. If the clock is wrong, put it right, and none are lost. If the server was off for that long, all is well: in a day it begins to remove a week's worth a day.`,
  'refusal-not-kept': (growing) =>
    linesOf(
      growing,
      ({ caller, route, code }) =>
        `A request of ${caller} to ${route} was refused (${code}) and could not be kept; the log of the server says why.`,
      more,
    ),
  'scripts-differ': ({ nodes }) =>
    `The nodes do not have the same scripts: ${nodes.map(scriptsOf).join('; ')}. A command runs on a node that has its script, and not while that node is away: give all nodes the same TOCSIN_SCRIPTS_DIR.`,
  'set-aside-acknowledgement': () =>
    setAside('The acknowledgement of many occurrences cannot be written to all of them'),
  'set-aside-alarm': ({ alarmId }) => setAside(`What is due for alarm ${alarmId} cannot be done`),
  'set-aside-call': (called) => setAside(`Calling ${calledName(called)} cannot go on`),
  'set-aside-move': () =>
    setAside('Many tags that move to another data server, or take the new name of theirs, cannot all be changed'),
  'source-silent': ({ kind, id, name, silentFor, usually }) =>
    `Nothing has come from ${kind === 'key' ? 'API key' : 'data server'} ${id}, "${name}", for ${rounded(silentFor)}; usually something comes every ${rounded(usually)}. Its alarms may not arrive: look at the source and at the way from there.`,
  'store-damaged': () =>
    'The database of Tocsin is damaged, and no more alarms are taken: stop Tocsin, take out what can be read with "tocsin rescue FILE", and restore that or a backup.',
  'tags-not-moved': ({ count, from, to, toName, paths }) =>
    `${count} tags of data server ${from} stay where they are, because data server ${to}, "${toName}", has tags of the same path: ${paths.map((path) => `"${path}"`).join(', ')}${count > paths.length ? ' and others' : ''}.`,
  'telephony-ended': ({ node }) =>
    `Telephone calls on ${node} were cut off by a fault in Tocsin, which its log describes. Telephony was started again, and the people are called once more.`,
  'work-given-up': ({ kind, id }) =>
    `Tocsin ended unexpectedly each time it was at this: ${works[kind](id)}. It is not done any more, until an administrator releases it. The log, and the page System, say more.`,
};
