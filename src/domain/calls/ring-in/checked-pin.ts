// A PIN that was compared before the transaction in which it counts. Pure.

/** `userNumber`: the number that somebody who rings in has entered, whose PIN it was compared with. */
export type CheckedPin = { readonly digits: string; readonly userNumber?: string; readonly isRight: boolean };

/**
 * Whether the entry is the one whose PIN was compared, and it was right: keys that came in between may have entered another
 * number or other digits.
 */
export function isRightPin(
  checked: CheckedPin | undefined,
  entered: { readonly digits: string; readonly userNumber?: string },
): boolean {
  return checked?.isRight === true && checked.digits === entered.digits && checked.userNumber === entered.userNumber;
}
