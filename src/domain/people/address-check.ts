// Checks the address of a contact number by its channel when it is saved. Pure.

import { isMailAddress } from '../channels/kinds/smtp.ts';
import { strictLimits, type WebhookLimits, webhookAddressProblem } from '../channels/webhook-address.ts';
import { isEmergencyNumber } from './emergency-numbers.ts';
import type { ContactNumber } from './person.ts';
import { dearService, isAllowed, isE164, isExtension, isTelephone, plainNumber } from './telephone-number.ts';

/** Returns the address as it is stored: telephone numbers without spaces and brackets. */
export function storedAddress(channel: string, address: string): string {
  const trimmed = address.trim();
  if (!isTelephone(channel)) return trimmed;
  const plain = plainNumber(trimmed);
  return isE164(plain) || isExtension(plain) ? plain : trimmed;
}

type Address = Pick<ContactNumber, 'channel' | 'address'>;

export type AddressRules = {
  /** The prefixes of telephone numbers that may be called; empty: all. */
  readonly allowedPrefixes: readonly string[];
  /** The limits of the providers of webhooks; a URL that one of them may request is taken. */
  readonly webhooks: readonly WebhookLimits[];
};

/** Returns why the address cannot be used; undefined if it can. */
export function addressProblem({ channel, address }: Address, rules: AddressRules): string | undefined {
  if (isTelephone(channel)) return telephoneProblem(channel, address, rules.allowedPrefixes);
  if (channel === 'webhook') return webhookProblem(address, rules.webhooks);
  if (channel === 'email' && !isMailAddress(address)) return 'must be a mail address such as ana@example.org';
  return undefined;
}

function telephoneProblem(channel: string, address: string, allowedPrefixes: readonly string[]): string | undefined {
  const mayBeExtension = channel === 'voice';
  const emergency = emergencyProblem(address, allowedPrefixes);
  if (emergency !== undefined) return emergency;
  if (!isE164(address) && !(mayBeExtension && isExtension(address)))
    return mayBeExtension
      ? 'must be a telephone number with its country, such as +33123456789, or an extension of two to six digits'
      : 'must be a telephone number with its country, such as +33123456789';
  const service = dearService(address);
  if (service !== undefined) return `must not be a number of ${service}`;
  return isAllowed(address, allowedPrefixes) ? undefined : 'is in a country that the call policy does not allow';
}

/**
 * Whether a stored number may be dialled: it may be older than the rules by which it would be saved now. The list of countries
 * is a toll limit, and none of those holds back priority 1; an emergency number is never dialled.
 */
export function mayBeDialled(address: string, allowedPrefixes: readonly string[], priority?: number): boolean {
  if (isEmergencyNumber(plainNumber(address), allowedPrefixes)) return false;
  return (priority !== undefined && priority <= 1) || isAllowed(address, allowedPrefixes);
}

/** As long as nobody has said which countries are called, the emergency numbers of all of them are refused. */
function emergencyProblem(address: string, allowedPrefixes: readonly string[]): string | undefined {
  const number = plainNumber(address);
  if (isEmergencyNumber(number, allowedPrefixes)) return 'is an emergency number, which a machine must not call';
  if (allowedPrefixes.length > 0 || !isEmergencyNumber(number, 'any')) return undefined;
  return 'is an emergency number in some countries: if it is none in yours, name the countries that may be called in the call policy first (tolls.allowedPrefixes)';
}

function webhookProblem(address: string, webhooks: readonly WebhookLimits[]): string | undefined {
  const limits = webhooks.length === 0 ? [strictLimits] : webhooks;
  const problems = limits.map((one) => webhookAddressProblem(address, one));
  return problems.includes(undefined) ? undefined : problems[0];
}

/** Returns the field errors of the numbers whose address is new or has changed: those stored before stay as they are. */
export function addressErrors(
  numbers: readonly ContactNumber[],
  before: readonly ContactNumber[],
  rules: AddressRules,
): readonly { readonly field: string; readonly message: string }[] {
  const isKnown = ({ channel, address }: Address): boolean =>
    before.some((number) => number.channel === channel && number.address === address);
  return numbers.flatMap((number, index) => {
    const message = isKnown(number) ? undefined : addressProblem(number, rules);
    return message === undefined ? [] : [{ field: `numbers[${index}].address`, message }];
  });
}
