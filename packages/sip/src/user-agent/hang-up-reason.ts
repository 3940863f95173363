// Why a call is ended from here, as the peer may learn it: the Reason header of RFC 3326.

import { hasControls } from '../message/head.ts';
import { HeaderFields } from '../message/header-fields.ts';
import { quote } from '../message/tokens.ts';

/** 200 tells a ringing telephone that the call was taken elsewhere, so that it shows no missed call. */
export type HangUpReason = { readonly sip?: number; readonly q850?: number; readonly text?: string };

export function reasonHeader(reason: HangUpReason | undefined): HeaderFields {
  if (reason === undefined) return new HeaderFields();
  const { sip, q850, text } = reason;
  const protocol = q850 === undefined ? `SIP;cause=${sip ?? 487}` : `Q.850;cause=${q850}`;
  const isPrintable = text !== undefined && !hasControls(text) && text.isWellFormed();
  return HeaderFields.of({ Reason: `${protocol}${isPrintable ? `;text=${quote(text.slice(0, 100))}` : ''}` });
}

/** The reason that an abort signal carries: one of ours, or a text. */
export function reasonOfSignal(value: unknown): HangUpReason {
  if (typeof value === 'string') return { text: value };
  if (typeof value !== 'object' || value === null || value instanceof Error) return { text: 'cancelled' };
  const { sip, q850, text } = value as Record<string, unknown>;
  return {
    ...(typeof sip === 'number' && { sip }),
    ...(typeof q850 === 'number' && { q850 }),
    ...(typeof text === 'string' && { text }),
  };
}
