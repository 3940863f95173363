// Posts one report to the server.

export type Server = { readonly url: string; readonly key: string };

export type Posted = {
  /** Undefined without an answer. */
  readonly status: number | undefined;
  /** What the server says of a refusal, or why there is no answer. */
  readonly detail: string;
};

const timeoutMs = 30_000;

/** `name` is the key by which the server knows a repetition. */
export async function post({ url, key }: Server, body: string, name: string): Promise<Posted> {
  try {
    const answer = await fetch(`${url}/api/v1/alarms`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': name },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    // The status is the answer, also when the rest of it is cut off.
    const text = await answer.text().catch(() => '');
    return { status: answer.status, detail: `${answer.status} ${text}`.trim().slice(0, 500) };
  } catch (error) {
    const { cause, message } = error as Error;
    return { status: undefined, detail: cause instanceof Error ? cause.message || cause.name : message };
  }
}
