// What `tocsin send` reports, and the body of POST /alarms that says it. Pure.

export const kinds = ['raise', 'return', 'value'] as const;

/** A value alone raises or returns as the condition of the alarm says. */
export type Kind = (typeof kinds)[number];

export type Report = {
  readonly path: string;
  readonly isNormal: boolean;
  readonly message?: string | undefined;
  readonly priority?: number | undefined;
  readonly value?: string | undefined;
  /** The group to call. */
  readonly group?: number | undefined;
};

export function kindOf({ isNormal, message, value }: Report): Kind {
  if (isNormal) return 'return';
  return value !== undefined && message === undefined ? 'value' : 'raise';
}

/** Returns the body as it is sent each time: a server knows a repeated request by its bytes. */
export function bodyOf({ path, isNormal, message, priority, value, group }: Report): string {
  return JSON.stringify({
    path,
    raised: isNormal ? false : undefined,
    [isNormal ? 'resetMessage' : 'alarmMessage']: message,
    priority,
    value,
    alarmActions: group === undefined ? undefined : [{ type: 'CallGroup', id: group }],
  });
}
