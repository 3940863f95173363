// `/.well-known/security.txt` (RFC 9116): whom to tell of a weakness of this installation.

import { Type } from 'typebox';
import { AppError } from '../errors.ts';
import { defineRoute, type Route } from '../http/route.ts';

/** The file is made anew for every request; RFC 9116 wants less than a year. */
const validMs = 180 * 86_400_000;

type SecurityContactParts = {
  /** The address of the contact, such as mailto:security@example.org; undefined if nobody named one. */
  readonly securityContact: string | undefined;
  readonly now: () => number;
};

export function securityContactRoute({ securityContact, now }: SecurityContactParts): Route {
  return defineRoute({
    method: 'GET',
    path: '/.well-known/security.txt',
    scope: 'public',
    tag: 'Service',
    operationId: 'getSecurityContact',
    summary: 'Whom to tell of a weakness',
    isPage: true,
    contentType: 'text/plain; charset=utf-8',
    responses: { 200: Type.String() },
    refusals: ['not-found'],
    handle: async () => {
      if (securityContact === undefined) throw new AppError('not-found', 'There is nothing at this address.');
      return `Contact: ${securityContact}\nExpires: ${new Date(now() + validMs).toISOString()}\n`;
    },
  });
}
