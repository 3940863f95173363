// The voice menu of a telephone call: confirm that a human listens, enter the PIN, hear and answer each message. Pure.

import { type AnnouncedItem, isAlarmItem } from './announced.ts';

export type VoiceMenuState = {
  readonly step: 'human' | 'pin' | 'menu' | 'over';
  readonly pinTries: number;
  /** The digits of the PIN so far. */
  readonly digits: string;
  /** Index of the text that was read last. */
  readonly index: number;
  /** Indexes of the texts that were taken or heard. */
  readonly done: readonly number[];
};

/** The messages of the call, and the language and name used to read them. */
export type VoiceMenuContext = {
  readonly language: string;
  readonly firstName: string;
  readonly texts: readonly string[];
  /** The announced item of each text. */
  readonly items: readonly AnnouncedItem[];
  readonly total: number;
  readonly hasPin: boolean;
};

/** The effect of a key outside the menu. */
type MenuEffect = 'take' | 'heard' | 'decline' | 'later' | 'check-pin';

export type VoiceMenuStep = {
  readonly state: VoiceMenuState;
  readonly say: string;
  readonly effect?: MenuEffect;
  /** The item the effect is for; without it, the effect is for every item that was neither taken nor heard. */
  readonly item?: AnnouncedItem;
  /** The text read after `say`. */
  readonly next?: string;
};

const mostPinTries = 3;

/** Starts the menu. The greeting names no alarm: an answering machine may have picked up. */
export function greet({ language, firstName, items }: VoiceMenuContext): VoiceMenuStep {
  const words = phrasesIn(language);
  const say = words.greeting(firstName, items.some(isAlarmItem));
  return { state: { step: 'human', pinTries: 0, digits: '', index: 0, done: [] }, say };
}

export function press(state: VoiceMenuState, key: string, context: VoiceMenuContext): VoiceMenuStep {
  const words = phrasesIn(context.language);
  switch (state.step) {
    case 'human':
      if (key !== '1') return { state, say: words.pressOne };
      return context.hasPin ? { state: { ...state, step: 'pin' }, say: words.pin } : read(state, 0, context);
    case 'pin':
      return key === '#' ? { state, say: '', effect: 'check-pin' } : { state: withDigit(state, key), say: '' };
    case 'menu':
      return choose(state, key, context);
    case 'over':
      return { state, say: '' };
  }
}

/** Returns the sentence for a person whose key took nothing: the alarm was taken by another person, or has ended. */
export function sayMissed(missed: 'taken-already' | 'over', { language }: VoiceMenuContext): string {
  const { takenAlready, overAlready } = phrasesIn(language);
  return missed === 'over' ? overAlready : takenAlready;
}

/** Advances the menu after the PIN was compared; three wrong PINs end the call. */
export function afterPin(state: VoiceMenuState, isRight: boolean, context: VoiceMenuContext): VoiceMenuStep {
  if (isRight) return read({ ...state, digits: '' }, 0, context);
  const words = phrasesIn(context.language);
  const pinTries = state.pinTries + 1;
  const isOver = pinTries >= mostPinTries;
  return {
    state: { ...state, step: isOver ? 'over' : 'pin', digits: '', pinTries },
    say: isOver ? words.locked : words.wrongPin,
  };
}

/** Whether the call ended because the PIN was wrong too often. */
export function isLockedOut({ step, pinTries }: VoiceMenuState): boolean {
  return step === 'over' && pinTries >= mostPinTries;
}

function withDigit(state: VoiceMenuState, key: string): VoiceMenuState {
  return /^\d$/.test(key) && state.digits.length < 9 ? { ...state, digits: state.digits + key } : state;
}

function read(state: VoiceMenuState, index: number, context: VoiceMenuContext): VoiceMenuStep {
  const words = phrasesIn(context.language);
  const text = context.texts[index] ?? '';
  const said = context.total > 1 ? `${words.nth(index + 1, context.total, isAlarmAt(index, context))} ${text}` : text;
  return { state: { ...state, step: 'menu', index }, say: `${said}\n${menuAt(index, context)}` };
}

function isAlarmAt(index: number, { items }: VoiceMenuContext): boolean {
  const item = items[index];
  return item !== undefined && isAlarmItem(item);
}

/** Returns the menu of the item: a cause that is not an alarm can only be confirmed. */
function menuAt(index: number, context: VoiceMenuContext): string {
  const words = phrasesIn(context.language);
  return isAlarmAt(index, context) ? words.menu : words.newsMenu;
}

/**
 * 1 take, 2 heard, 3 decline, 4 repeat, 5 next, 6 later, 0 help. 1 and 2 apply to the text read last, and the next text
 * is read; 3 and 6 apply to all texts not taken or heard. The menu confirms each choice in words.
 */
function choose(state: VoiceMenuState, key: string, context: VoiceMenuContext): VoiceMenuStep {
  const words = phrasesIn(context.language);
  const over: VoiceMenuState = { ...state, step: 'over' };
  switch (key) {
    case '1':
      return confirmAndReadNext(state, 'take', context);
    case '2':
      return confirmAndReadNext(state, 'heard', context);
    case '3':
      return { state: over, say: words.declined, effect: 'decline' };
    case '4':
      return read(state, state.index, context);
    case '5':
      return read(state, nextIndex(state, context) ?? state.index, context);
    case '6':
      return { state: over, say: words.later, effect: 'later' };
    default:
      return { state, say: menuAt(state.index, context) };
  }
}

/** Applies the effect to the text read last and reads the next; ends the call after the last text. */
function confirmAndReadNext(state: VoiceMenuState, effect: 'take' | 'heard', context: VoiceMenuContext): VoiceMenuStep {
  const words = phrasesIn(context.language);
  const news = { effect: 'heard', say: words.confirmed } as const;
  const alarm = { effect, say: effect === 'take' ? words.taken : words.heard };
  const item = context.items[state.index];
  const answer = {
    ...(isAlarmAt(state.index, context) ? alarm : news),
    ...(item === undefined ? {} : { item }),
  };
  const updated: VoiceMenuState = { ...state, done: [...state.done, state.index] };
  const index = nextIndex(updated, context);
  if (index === undefined) return { ...answer, state: { ...updated, step: 'over' } };
  const next = read(updated, index, context);
  return { ...answer, state: next.state, next: next.say };
}

/** Returns the index of the next text that was neither taken nor heard, wrapping around at the end. */
function nextIndex({ index, done }: VoiceMenuState, { texts }: VoiceMenuContext): number | undefined {
  const left = texts.map((_, at) => at).filter((at) => !done.includes(at));
  return left.find((at) => at > index) ?? left[0];
}

type Phrases = {
  readonly greeting: (firstName: string, isAlarm: boolean) => string;
  readonly pressOne: string;
  readonly pin: string;
  readonly wrongPin: string;
  readonly locked: string;
  readonly nth: (n: number, total: number, isAlarm: boolean) => string;
  readonly menu: string;
  readonly newsMenu: string;
  readonly taken: string;
  readonly takenAlready: string;
  readonly overAlready: string;
  readonly confirmed: string;
  readonly heard: string;
  readonly declined: string;
  readonly later: string;
};

const languages: Readonly<Record<string, Phrases>> = {
  en: {
    greeting: (name, isAlarm) =>
      `Hello${name === '' ? '' : ` ${name}`}, this is Tocsin with ${isAlarm ? 'an alarm' : 'a message'}. Press 1 to hear it.`,
    pressOne: 'Press 1 to hear it.',
    pin: 'Enter your PIN and end with the hash key.',
    wrongPin: 'That PIN is wrong. Try again.',
    locked: 'That PIN is wrong. Goodbye.',
    nth: (n, total, isAlarm) => `${isAlarm ? 'Alarm' : 'Message'} ${n} of ${total}:`,
    menu: 'Press 1 to take it, 2 heard but keep calling others, 3 decline, 4 repeat, 5 next, 6 call me later.',
    newsMenu: 'Press 1 to confirm that you have heard it, 3 decline, 4 repeat, 5 next, 6 call me later.',
    taken: 'You have taken it. Thank you.',
    takenAlready: 'Somebody else has taken it already. Thank you.',
    overAlready: 'It is over already. Thank you.',
    confirmed: 'Confirmed. Thank you.',
    heard: 'Heard. Others are still being called.',
    declined: 'Declined. The next one is called now.',
    later: 'You will be called again in five minutes.',
  },
  fr: {
    greeting: (name, isAlarm) =>
      `Bonjour${name === '' ? '' : ` ${name}`}, ici Tocsin avec ${isAlarm ? 'une alarme' : 'un message'}. Appuyez sur 1 pour l’écouter.`,
    pressOne: 'Appuyez sur 1 pour l’écouter.',
    pin: 'Entrez votre code puis dièse.',
    wrongPin: 'Ce code est faux. Réessayez.',
    locked: 'Ce code est faux. Au revoir.',
    nth: (n, total, isAlarm) => `${isAlarm ? 'Alarme' : 'Message'} ${n} sur ${total} :`,
    menu: 'Appuyez sur 1 pour la prendre, 2 entendu mais continuer à appeler, 3 refuser, 4 répéter, 5 suivante, 6 me rappeler plus tard.',
    newsMenu:
      'Appuyez sur 1 pour confirmer que vous l’avez entendu, 3 refuser, 4 répéter, 5 suivant, 6 me rappeler plus tard.',
    taken: 'Vous l’avez prise. Merci.',
    takenAlready: 'Quelqu’un d’autre l’a déjà prise. Merci.',
    overAlready: 'C’est déjà terminé. Merci.',
    confirmed: 'Confirmé. Merci.',
    heard: 'Entendu. Les autres sont encore appelés.',
    declined: 'Refusé. La personne suivante est appelée.',
    later: 'Vous serez rappelé dans cinq minutes.',
  },
  de: {
    greeting: (name, isAlarm) =>
      `Guten Tag${name === '' ? '' : ` ${name}`}, hier ist Tocsin mit ${isAlarm ? 'einem Alarm. Drücken Sie 1, um ihn' : 'einer Nachricht. Drücken Sie 1, um sie'} zu hören.`,
    pressOne: 'Drücken Sie 1, um zu hören, worum es geht.',
    pin: 'Geben Sie Ihre PIN ein und enden Sie mit der Rautetaste.',
    wrongPin: 'Diese PIN ist falsch. Versuchen Sie es noch einmal.',
    locked: 'Diese PIN ist falsch. Auf Wiederhören.',
    nth: (n, total, isAlarm) => `${isAlarm ? 'Alarm' : 'Nachricht'} ${n} von ${total}:`,
    menu: 'Drücken Sie 1, um ihn zu übernehmen, 2 gehört, aber weiter rufen, 3 ablehnen, 4 wiederholen, 5 nächster, 6 später anrufen.',
    newsMenu:
      'Drücken Sie 1, um zu bestätigen, dass Sie es gehört haben, 3 ablehnen, 4 wiederholen, 5 nächste, 6 später anrufen.',
    taken: 'Sie haben ihn übernommen. Danke.',
    takenAlready: 'Jemand anderes hat ihn schon übernommen. Danke.',
    overAlready: 'Es ist schon vorbei. Danke.',
    confirmed: 'Bestätigt. Danke.',
    heard: 'Gehört. Andere werden weiter gerufen.',
    declined: 'Abgelehnt. Der Nächste wird gerufen.',
    later: 'Sie werden in fünf Minuten wieder angerufen.',
  },
};

/** Selects by the primary tag of the person's language; English if there is no translation. */
function phrasesIn(language: string): Phrases {
  const [primary = ''] = language.toLowerCase().split(/[-_]/);
  return (Object.hasOwn(languages, primary) ? languages[primary] : undefined) ?? (languages.en as Phrases);
}
