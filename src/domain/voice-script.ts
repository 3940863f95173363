// The conversation of a call: proof that a human listens, the PIN, the messages, and what to do with them. Pure.

export type ScriptState = {
  readonly step: 'human' | 'pin' | 'menu' | 'over';
  readonly pinTries: number;
  /** The digits of the PIN so far. */
  readonly digits: string;
  /** The message that was read last. */
  readonly place: number;
};

/** What the call is about, and how it is told. */
export type ScriptScene = {
  readonly language: string;
  readonly firstName: string;
  readonly texts: readonly string[];
  readonly total: number;
  readonly hasPin: boolean;
};

/** What a key asks for beyond the conversation. */
type ScriptEffect = 'take' | 'heard' | 'decline' | 'later' | 'check-pin';

export type ScriptStep = { readonly state: ScriptState; readonly say: string; readonly effect?: ScriptEffect };

const mostPinTries = 3;

/** What is said when the call is answered: a machine that answers hears no alarm. */
export function greet({ language, firstName }: ScriptScene): ScriptStep {
  const words = wordsIn(language);
  return { state: { step: 'human', pinTries: 0, digits: '', place: 0 }, say: words.greeting(firstName) };
}

export function press(state: ScriptState, key: string, scene: ScriptScene): ScriptStep {
  const words = wordsIn(scene.language);
  switch (state.step) {
    case 'human':
      if (key !== '1') return { state, say: words.pressOne };
      return scene.hasPin ? { state: { ...state, step: 'pin' }, say: words.pin } : read(state, 0, scene);
    case 'pin':
      return key === '#' ? { state, say: '', effect: 'check-pin' } : { state: withDigit(state, key), say: '' };
    case 'menu':
      return choose(state, key, scene);
    case 'over':
      return { state, say: '' };
  }
}

/** What is said to somebody who was not the first. */
export function sayTakenAlready({ language }: ScriptScene): string {
  return wordsIn(language).takenAlready;
}

/** After the PIN was compared; three wrong ones end the call. */
export function afterPin(state: ScriptState, isRight: boolean, scene: ScriptScene): ScriptStep {
  if (isRight) return read({ ...state, digits: '' }, 0, scene);
  const words = wordsIn(scene.language);
  const pinTries = state.pinTries + 1;
  const isOver = pinTries >= mostPinTries;
  return {
    state: { ...state, step: isOver ? 'over' : 'pin', digits: '', pinTries },
    say: isOver ? words.locked : words.wrongPin,
  };
}

/** Whether the call ended because the PIN was wrong too often. */
export function isLockedOut({ step, pinTries }: ScriptState): boolean {
  return step === 'over' && pinTries >= mostPinTries;
}

function withDigit(state: ScriptState, key: string): ScriptState {
  return /^\d$/.test(key) && state.digits.length < 9 ? { ...state, digits: state.digits + key } : state;
}

function read(state: ScriptState, place: number, scene: ScriptScene): ScriptStep {
  const words = wordsIn(scene.language);
  const text = scene.texts[place] ?? '';
  const said = scene.total > 1 ? `${words.nth(place + 1, scene.total)} ${text}` : text;
  return { state: { ...state, step: 'menu', place }, say: `${said}\n${words.menu}` };
}

/** 1 take, 2 heard, 3 decline, 4 repeat, 5 next, 6 later, 0 help. What was done is read back. */
function choose(state: ScriptState, key: string, scene: ScriptScene): ScriptStep {
  const words = wordsIn(scene.language);
  const over: ScriptState = { ...state, step: 'over' };
  switch (key) {
    case '1':
      return { state: over, say: words.taken, effect: 'take' };
    case '2':
      return { state: over, say: words.heard, effect: 'heard' };
    case '3':
      return { state: over, say: words.declined, effect: 'decline' };
    case '4':
      return read(state, state.place, scene);
    case '5':
      return read(state, (state.place + 1) % Math.max(1, scene.texts.length), scene);
    case '6':
      return { state: over, say: words.later, effect: 'later' };
    default:
      return { state, say: words.menu };
  }
}

type Words = {
  readonly greeting: (firstName: string) => string;
  readonly pressOne: string;
  readonly pin: string;
  readonly wrongPin: string;
  readonly locked: string;
  readonly nth: (n: number, total: number) => string;
  readonly menu: string;
  readonly taken: string;
  readonly takenAlready: string;
  readonly heard: string;
  readonly declined: string;
  readonly later: string;
};

const languages: Readonly<Record<string, Words>> = {
  en: {
    greeting: (name) => `Hello${name === '' ? '' : ` ${name}`}, this is Tocsin with an alarm. Press 1 to hear it.`,
    pressOne: 'Press 1 to hear the alarm.',
    pin: 'Enter your PIN and end with the hash key.',
    wrongPin: 'That PIN is wrong. Try again.',
    locked: 'That PIN is wrong. Goodbye.',
    nth: (n, total) => `Alarm ${n} of ${total}:`,
    menu: 'Press 1 to take it, 2 heard but keep calling others, 3 decline, 4 repeat, 5 next, 6 call me later.',
    taken: 'You have taken it. Thank you.',
    takenAlready: 'Somebody else has taken it already. Thank you.',
    heard: 'Heard. Others are still being called.',
    declined: 'Declined. The next one is called now.',
    later: 'You will be called again in five minutes.',
  },
  fr: {
    greeting: (name) =>
      `Bonjour${name === '' ? '' : ` ${name}`}, ici Tocsin avec une alarme. Appuyez sur 1 pour l’écouter.`,
    pressOne: 'Appuyez sur 1 pour écouter l’alarme.',
    pin: 'Entrez votre code puis dièse.',
    wrongPin: 'Ce code est faux. Réessayez.',
    locked: 'Ce code est faux. Au revoir.',
    nth: (n, total) => `Alarme ${n} sur ${total} :`,
    menu: 'Appuyez sur 1 pour la prendre, 2 entendu mais continuer à appeler, 3 refuser, 4 répéter, 5 suivante, 6 me rappeler plus tard.',
    taken: 'Vous l’avez prise. Merci.',
    takenAlready: 'Quelqu’un d’autre l’a déjà prise. Merci.',
    heard: 'Entendu. Les autres sont encore appelés.',
    declined: 'Refusé. La personne suivante est appelée.',
    later: 'Vous serez rappelé dans cinq minutes.',
  },
  de: {
    greeting: (name) =>
      `Guten Tag${name === '' ? '' : ` ${name}`}, hier ist Tocsin mit einem Alarm. Drücken Sie 1, um ihn zu hören.`,
    pressOne: 'Drücken Sie 1, um den Alarm zu hören.',
    pin: 'Geben Sie Ihre PIN ein und enden Sie mit der Rautetaste.',
    wrongPin: 'Diese PIN ist falsch. Versuchen Sie es noch einmal.',
    locked: 'Diese PIN ist falsch. Auf Wiederhören.',
    nth: (n, total) => `Alarm ${n} von ${total}:`,
    menu: 'Drücken Sie 1, um ihn zu übernehmen, 2 gehört, aber weiter rufen, 3 ablehnen, 4 wiederholen, 5 nächster, 6 später anrufen.',
    taken: 'Sie haben ihn übernommen. Danke.',
    takenAlready: 'Jemand anderes hat ihn schon übernommen. Danke.',
    heard: 'Gehört. Andere werden weiter gerufen.',
    declined: 'Abgelehnt. Der Nächste wird gerufen.',
    later: 'Sie werden in fünf Minuten wieder angerufen.',
  },
};

/** The language of the person, by its first part; English where there is none. */
function wordsIn(language: string): Words {
  const [primary = ''] = language.toLowerCase().split(/[-_]/);
  return (Object.hasOwn(languages, primary) ? languages[primary] : undefined) ?? (languages.en as Words);
}
