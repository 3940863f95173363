// The texts of the message catalogue, by name: every text that people hear on the telephone or read on their phones. Pure.

/** An alarm can be taken; a message and a test can only be confirmed. */
export type ItemKind = 'alarm' | 'message' | 'test';

/** The alarms of a bundle at one station. */
export type StationCount = { readonly station: string; readonly count: number };

/** How a person was answered who declined or only listened: who is called for it now. */
export type OthersCalled = 'next' | 'others' | 'nobody';

/** The texts of one language. Texts that are spoken and those that are written are the same where that reads well. */
export type Words = {
  /** Begins a telephone call. Names no alarm: an answering machine may have picked up. */
  readonly greeting: (firstName: string, kind: ItemKind, site: string) => string;
  readonly pressOne: string;
  readonly pin: string;
  readonly wrongPin: string;
  readonly locked: string;
  /** What a call with several items announces before it reads the first. */
  readonly bundle: (total: number, stations: readonly StationCount[]) => string;
  /** Before an item that is read: `Alarm 2 of 3:`. */
  readonly nth: (n: number, total: number, kind: ItemKind) => string;
  readonly menu: string;
  /** After the beginning of a long text, before the menu. */
  readonly allOfIt: string;
  readonly takeAllKey: string;
  readonly newsMenu: string;
  /** Reads back how many alarms key 9 takes. */
  readonly takeAll: (count: number, stations: readonly StationCount[]) => string;
  readonly notTaken: string;
  readonly taken: (count: number) => string;
  readonly takenBy: (name: string) => string;
  readonly takenByYou: string;
  /** Of several alarms that somebody took, what became of the others. */
  readonly othersTakenBy: (name: string, count: number) => string;
  readonly othersOver: (count: number) => string;
  readonly somebodyElse: string;
  readonly over: string;
  readonly confirmed: string;
  readonly thanks: string;
  readonly heard: (others: OthersCalled) => string;
  readonly declined: (others: OthersCalled) => string;
  readonly later: string;
  /** For somebody who has asked too often to be called later. */
  readonly notLater: (others: OthersCalled) => string;
  readonly onlyTest: string;
  readonly goodbye: string;
  /** Before an item that is written: `2 of 3:`. */
  readonly ofTotal: (n: number, total: number) => string;
  readonly more: (count: number) => string;
  readonly moreCharacters: (count: number) => string;
  readonly replyToConfirm: (code: string) => string;
  readonly replyToTake: (code: string, alarms: number, isAll: boolean) => string;
  readonly howToAnswer: string;
  readonly sendCode: string;
  readonly nothingToAnswer: string;
  /** Begins the text of an alarm that has returned to normal. */
  readonly back: (text: string) => string;
  /** Begins the text of an alarm of which the last resort is told, because nobody else has taken it. */
  readonly untaken: (text: string) => string;
  readonly acknowledged: (text: string) => string;
  readonly test: (text: string) => string;
  readonly testCall: string;
  readonly drill: string;
  readonly number: (number: number) => string;
  /** For somebody who comes on or goes off duty: in which group, and until when. */
  readonly onDuty: (text: string) => string;
  readonly offDuty: (text: string) => string;
  readonly until: (time: string) => string;
  /** A spoken message and its number. */
  readonly withCode: (text: string, code: string) => string;
  /** To somebody who rings in, before they have proved who they are. */
  readonly ringIn: (site: string) => string;
  /** Does not say whether the number or the PIN was wrong. */
  readonly ringInRefused: string;
  readonly nothingOpen: string;
  /** A recording, where it is shown as text: what it stands for. */
  readonly recording: (text: string) => string;
  /** Sent to a number that is being verified. */
  readonly verificationCode: (code: string) => string;
  /** The subject of a mail with such a code. */
  readonly confirmAddress: string;
  readonly tooManyCodes: string;
  /** Before the place and text of an item in a mail: `Priority 1`. */
  readonly priority: (priority: number) => string;
  /** In mails, below an alarm that has instructions. */
  readonly whatToDo: (instructions: string) => string;
  /** The answers that a page offers; a message can only be confirmed. */
  readonly takeIt: string;
  readonly heardIt: string;
  readonly declineIt: string;
  readonly confirmIt: string;
  /** Before the link of a mail. */
  readonly answerHere: string;
  /** Before the address of the page of an alarm. */
  readonly whatHappened: string;
  readonly replyToMail: (code: string, hasAlarms: boolean) => string;
  readonly fileMissing: (name: string) => string;
  readonly fileTooLarge: (name: string) => string;
  /** On the page that a link opens. */
  readonly notTakenYet: string;
  readonly wrongLink: string;
  /** To somebody who was removed, or whose number or address was, since the message was sent. */
  readonly noLongerYours: string;
  readonly closePage: string;
};
