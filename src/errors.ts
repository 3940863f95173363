// The refusals Tocsin can return: a table of codes, and the error class that carries them to an edge.

type ErrorEntry = {
  readonly status: number;
  readonly title: string;
  /** Whether the same request may succeed later without being changed. */
  readonly retryable: boolean;
};

export const errorCodes = {
  'malformed-json': { status: 400, title: 'The body is not valid JSON', retryable: false },
  'invalid-input': { status: 400, title: 'A field is malformed or out of bounds', retryable: false },
  'not-signed-in': { status: 401, title: 'No valid access token was given', retryable: false },
  'scope-missing': { status: 403, title: 'The token lacks the scope for this', retryable: false },
  'bad-signature': { status: 403, title: 'The signature is not valid', retryable: false },
  'not-found': { status: 404, title: 'There is nothing at this address', retryable: false },
  'method-not-allowed': { status: 405, title: 'This address does not take that method', retryable: false },
  'request-timeout': { status: 408, title: 'The request did not arrive in time', retryable: true },
  'name-taken': { status: 409, title: 'The name is taken already', retryable: false },
  'already-done': { status: 409, title: 'This has been done already', retryable: false },
  'changed-since': { status: 409, title: 'This has changed since', retryable: false },
  'still-referred-to': { status: 409, title: 'Something else still refers to this', retryable: false },
  'not-empty': { status: 409, title: 'The installation is in use already', retryable: false },
  'not-acknowledged': { status: 409, title: 'The alarm is not acknowledged yet', retryable: false },
  'precondition-failed': { status: 412, title: 'This is not the version that was named', retryable: false },
  'body-too-large': { status: 413, title: 'The body is too large', retryable: false },
  'unsupported-media-type': { status: 415, title: 'The content type is not accepted here', retryable: false },
  unprocessable: {
    status: 422,
    title: 'The request names something that does not exist or is not allowed',
    retryable: false,
  },
  'headers-too-large': { status: 431, title: 'The headers are too large', retryable: false },
  'too-many-requests': { status: 429, title: 'Too many requests', retryable: true },
  internal: { status: 500, title: 'Something went wrong inside Tocsin', retryable: true },
  unavailable: { status: 503, title: 'Tocsin cannot take this right now', retryable: true },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof errorCodes;

/** One field of the input and what is wrong with it. */
export type FieldError = { readonly field: string; readonly message: string };

type AppErrorOptions = {
  readonly errors?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
};

/** A refusal shown to the caller: its sentence must never contain a secret, a file path or SQL. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[];
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, sentence: string, options: AppErrorOptions = {}) {
    super(sentence, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.errors = options.errors ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  get status(): number {
    return errorCodes[this.code].status;
  }
}

/** Returns the result of `work`, or the AppError it throws. */
export function attempt<T>(work: () => T): T | AppError {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error;
  }
}

/** Exit codes by the reason why Tocsin cannot start (after sysexits.h). */
export const exitCodes = {
  'bad-usage': 64,
  'data-unusable': 65,
  'database-unreachable': 69,
  fault: 70,
  'cannot-write': 73,
  'storage-failed': 74,
  'already-running': 75,
  /** Of `tocsin send`: sysexits.h has one code for what may succeed later. */
  'not-sent': 75,
  'needs-migration': 76,
  'bad-settings': 78,
  /** As shells report a program that SIGINT ended. */
  interrupted: 130,
} as const;

/** The program cannot start or continue: one sentence for the person at the terminal, and an exit code. */
export class StartError extends Error {
  readonly exitCode: number;

  constructor(sentence: string, reason: keyof typeof exitCodes, cause?: unknown) {
    super(sentence, cause === undefined ? undefined : { cause });
    this.name = 'StartError';
    this.exitCode = exitCodes[reason];
  }
}
