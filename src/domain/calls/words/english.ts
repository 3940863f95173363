// The message catalogue in English. Pure.

import type { ItemKind, StationCount, Words } from './words.ts';

const nouns: Readonly<Record<ItemKind, string>> = { alarm: 'an alarm', message: 'a message', test: 'a test' };
const items: Readonly<Record<ItemKind, string>> = { alarm: 'Alarm', message: 'Message', test: 'Test' };

function perStation(stations: readonly StationCount[]): string {
  const [only] = stations;
  if (stations.length < 2) return only === undefined ? '' : `, all of ${only.station}`;
  return `: ${stations.map(({ station, count }) => `${count} of ${station}`).join(', ')}`;
}

export const english: Words = {
  greeting: (name, kind, site) =>
    `Hello${name === '' ? '' : ` ${name}`}, this is ${site} with ${nouns[kind]}. Press 1 to hear it.`,
  pressOne: 'Press 1 to hear it.',
  pin: 'Enter your PIN and end with the hash key.',
  wrongPin: 'That PIN is wrong. Try again.',
  locked: 'That PIN is wrong. Goodbye.',
  bundle: (total, stations) => `There are ${total}${perStation(stations)}.`,
  nth: (n, total, kind) => `${items[kind]} ${n} of ${total}:`,
  menu: 'Press 1 to take it, 2 heard but keep calling others, 3 decline, 4 repeat, 5 next, 6 call me later.',
  allOfIt: 'This is the beginning. Press 4 for all of it.',
  takeAllKey: 'Press 9 to take all.',
  newsMenu: 'Press 1 to confirm that you have heard it, 3 decline, 4 repeat, 5 next, 6 call me later.',
  takeAll: (count, stations) =>
    `You are about to take ${count === 1 ? 'one alarm' : `${count} alarms`}${perStation(stations)}. Press 1 to confirm, another key to go back.`,
  notTaken: 'Nothing was taken.',
  taken: (count) => `You have taken ${count === 1 ? 'it' : `${count} alarms`}. Thank you.`,
  takenBy: (name) => `${name} has taken it.`,
  takenByYou: 'You have taken it already.',
  othersTakenBy: (name, count) => `${name} has taken ${count === 1 ? 'another one' : `${count} others`}.`,
  othersOver: (count) => `${count === 1 ? 'Another one is' : `${count} others are`} over already.`,
  somebodyElse: 'Somebody else',
  over: 'It is over already.',
  confirmed: 'Confirmed. Thank you.',
  thanks: 'Thank you.',
  heard: (others) => `Heard.${others === 'nobody' ? ' Nobody else is called now.' : ' Others are still being called.'}`,
  declined: (others) =>
    `Declined.${{ next: ' The next one is called now.', others: ' Others are being called.', nobody: ' Nobody else is called now.' }[others]}`,
  later: 'You will be called again in five minutes.',
  notLater: (others) => `You will not be called again for it.${others === 'nobody' ? '' : ' Others are being called.'}`,
  onlyTest: 'This was only a test.',
  goodbye: 'Goodbye.',
  ofTotal: (n, total) => `${n} of ${total}:`,
  more: (count) => `and ${count} more`,
  moreCharacters: (count) => `... (${count} more characters)`,
  replyToConfirm: (code) => `Reply ${code} to confirm that you have read it.`,
  replyToTake: (code, alarms, isAll) => {
    if (isAll) return `Reply ${code} to take ${alarms === 1 ? 'it' : 'them'}.`;
    return `Reply ${code} to take the ${alarms === 1 ? 'alarm' : `${alarms} alarms`} above.`;
  },
  howToAnswer: 'Send 1 to take it, 2 heard, 3 decline, and the code of the message.',
  sendCode: 'Send the code of the message you answer as well.',
  nothingToAnswer: 'There is nothing to answer.',
  untaken: (text) => `Nobody has taken this: ${text}`,
  back: (text) => `Back to normal: ${text}`,
  acknowledged: (text) => `Acknowledged: ${text}`,
  test: (text) => `Test: ${text}`,
  testCall: 'this is a test call',
  drill: 'this is a drill',
  number: (number) => `Message ${number}`,
  onDuty: (text) => `You are on call now: ${text}`,
  offDuty: (text) => `You are no longer on call: ${text}`,
  until: (time) => `until ${time}`,
  withCode: (text, code) => `${text}\nThe code is ${code}.`,
  ringIn: (site) => `This is ${site}. Enter your user number and end with the hash key.`,
  ringInRefused: 'That is not right.',
  nothingOpen: 'Nothing is open for you.',
  recording: (text) => `Recording: ${text}`,
  verificationCode: (code) => `Your code to confirm this number: ${code}. It is valid for 15 minutes.`,
  confirmAddress: 'Confirm your address',
  tooManyCodes: 'Too many wrong codes were sent from your address. Answer by the link or by telephone.',
  priority: (priority) => `Priority ${priority}`,
  whatToDo: (instructions) => `What to do: ${instructions}`,
  takeIt: 'Take it',
  heardIt: 'Heard, keep calling others',
  declineIt: 'Decline',
  confirmIt: 'Confirm that I have read it',
  answerHere: 'Answer here:',
  whatHappened: 'What happened:',
  replyToMail: (code, hasAlarms) =>
    hasAlarms
      ? `Reply to this mail with 1 to take it, 2 heard, 3 decline (code ${code}).`
      : `Reply to this mail with 1 to confirm that you have read it (code ${code}).`,
  fileMissing: (name) => `The file ${name} is not attached: it does not exist.`,
  fileTooLarge: (name) => `The file ${name} is not attached: it is too large for a mail.`,
  notTakenYet: 'Nobody has taken it yet.',
  wrongLink: 'This link is wrong or too old. Nothing was changed.',
  noLongerYours: 'You are no longer called here. Nothing was changed.',
  closePage: 'You can close this page.',
};
