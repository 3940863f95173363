// Converts errors to HTTP responses: RFC 9457 problems for refusals, a generic sentence and a request id for faults.

import { STATUS_CODES } from 'node:http';
import { type Static, Type } from 'typebox';
import { AppError, type ErrorCode, errorCodes } from '../errors.ts';
import { uint } from '../wire/paging.ts';

export const problemType = 'application/problem+json';

export const problemSchema = Type.Object(
  {
    type: Type.String({ description: 'Where this kind of problem is explained.' }),
    title: Type.String({ description: 'The kind of problem in a few words; the same for each code.' }),
    status: uint({ description: 'The HTTP status again.', examples: [404] }),
    detail: Type.String({ description: 'What was wrong with this request.' }),
    // No closed list: a new code must not break the programs that were generated before.
    code: Type.String({
      description: `The kind of problem, for programs; there may be others later. ${Object.entries(errorCodes)
        .map(([code, { title }]) => `\`${code}\`: ${title}`)
        .join('; ')}.`,
      examples: ['not-found'],
    }),
    requestId: Type.String({ description: 'Identifies this request in the server log.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object(
          {
            field: Type.String({ description: 'The field, as in `alarmActions[2].id`.' }),
            message: Type.String({ description: 'What it must be, or why it is refused.' }),
          },
          { title: 'FieldProblem', description: 'A field that was refused.' },
        ),
        { description: 'The fields that were refused, at most 20.' },
      ),
    ),
  },
  { title: 'Problem', description: 'Why a request was refused (RFC 9457).' },
);

/** The part of the failed request that the response needs. */
type ProblemContext = { readonly basePath: string; readonly requestId: string; readonly authorization?: string };
export type Problem = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Returns the anchor of an error code on the reference page. */
export const errorAnchor = (code: ErrorCode): string => `error-${code}`;

const frameworkRefusals: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported-media-type', 'The Content-Type header is not one this address takes.'],
  FST_ERR_BAD_URL: ['invalid-input', 'The address holds a percent sign that escapes nothing.'],
  FST_ERR_MAX_PARAM_LENGTH: ['not-found', 'There is nothing at this address.'],
  ECONNRESET: ['invalid-input', 'The connection was closed before the whole body had arrived.'],
  HPE_HEADER_OVERFLOW: ['headers-too-large', 'The address and the headers together may have 16 KiB.'],
  HPE_INVALID_METHOD: ['method-not-allowed', 'Only GET, HEAD, POST, PUT, PATCH and DELETE are understood.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request-timeout', 'The request took too long to arrive.'],
};

/** Returns the refusal for `error`; undefined for a fault, whose details only go to the log. */
export function refusalOf(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = Object.hasOwn(frameworkRefusals, code) ? frameworkRefusals[code] : undefined;
  return known === undefined ? undefined : new AppError(...known, { cause: error });
}

/** Returns the response to a refusal, or to a fault if there is no refusal. */
export function problemOf(refusal: AppError | undefined, context: ProblemContext): Problem {
  const body = printProblem(refusal ?? fault, context);
  const { status } = body;
  return {
    status,
    headers: { 'content-type': problemType, ...extraHeaders(status, refusal, context) },
    body: JSON.stringify(body),
  };
}

const fault = new AppError('internal', 'The request could not be completed; the log of the server says why.');

type Refusal = Pick<AppError, 'code' | 'message' | 'errors'>;

/** Prints a refusal as a problem. */
export function printProblem(
  { code, message: detail, errors }: Refusal,
  { basePath, requestId }: Pick<ProblemContext, 'basePath' | 'requestId'>,
): Static<typeof problemSchema> {
  const { status, title } = errorCodes[code];
  const problem = { type: `${basePath}/docs#${errorAnchor(code)}`, title, status, detail, code, requestId };
  return errors.length === 0 ? problem : { ...problem, errors: errors.map((error) => ({ ...error })) };
}

function extraHeaders(status: number, refusal: AppError | undefined, context: ProblemContext): Record<string, string> {
  if (status === 401) {
    const reason = context.authorization === undefined ? '' : ' error="invalid_token"';
    return { 'www-authenticate': `Bearer${reason}` };
  }
  // Do not wait for the rest of the body.
  if (status === 413 || status === 408) return { connection: 'close' };
  if (status === 429 || status === 503) return { 'retry-after': String(refusal?.retryAfterSeconds ?? 1) };
  return {};
}

/** Returns the complete response, including the status line, for a socket on which no valid request arrived. */
export function rawProblem(
  error: Error,
  context: ProblemContext,
  moreHeaders: Readonly<Record<string, string>>,
): string {
  const refusal = refusalOf(error) ?? new AppError('invalid-input', 'This is not a well-formed HTTP request.');
  const { status, headers, body } = problemOf(refusal, context);
  const allow: Record<string, string> = status === 405 ? { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' } : {};
  const all = {
    ...moreHeaders,
    ...headers,
    ...allow,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
