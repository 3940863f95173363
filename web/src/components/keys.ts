// Keys of single letters: they do nothing in fields and dialogs, and can be switched off (WCAG 2.1.4). Who listens to them
// begins in a layout effect, before the paint: a key is about what is seen, and counts as soon as it is.

const setting = 'tocsin.keys';

/** The key of commands as this machine has it. */
export const commandKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl ';

export function areKeysOn(): boolean {
  return localStorage.getItem(setting) !== 'off';
}

export function switchKeys(isOn: boolean): void {
  localStorage.setItem(setting, isOn ? 'on' : 'off');
}

export function isField(target: EventTarget | null): target is HTMLElement {
  return (
    target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select, [contenteditable]')
  );
}

type FieldKey = {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly currentTarget: HTMLTextAreaElement;
  preventDefault(): void;
};

/** Ctrl Enter in a field of several lines sends its form, as its button does. */
export function sendByKey(event: FieldKey): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.querySelector<HTMLElement>('button[type=submit]')?.click();
}

/** Whether a key press is meant for the screen: no field, no dialog, no chord, and keys are on. */
export function isForScreen(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || isField(event.target)) return false;
  return areKeysOn() && document.querySelector('dialog[open]') === null;
}
