// Notes the events of a call, and waits for one of them.

import type { CallEvents, Ended, OutgoingCall } from '../../src/index.ts';
import { until } from './until.ts';

export type Noted = { readonly [Name in keyof CallEvents]: readonly [Name, CallEvents[Name][0]] }[keyof CallEvents];

export class CallLog {
  readonly events: Noted[] = [];

  constructor(call: Pick<OutgoingCall, 'on'>) {
    call.on('ringing', (event) => this.events.push(['ringing', event]));
    call.on('answered', (event) => this.events.push(['answered', event]));
    call.on('digit', (event) => this.events.push(['digit', event]));
    call.on('ended', (event) => this.events.push(['ended', event]));
  }

  /** The first event of that name, as soon as it is there. */
  async first<Name extends keyof CallEvents>(name: Name): Promise<CallEvents[Name][0]> {
    const found = await until(
      () => this.events.find(([each]) => each === name),
      (event) => event !== undefined,
    );
    return found?.[1] as CallEvents[Name][0];
  }

  ended(): Promise<Ended> {
    return this.first('ended');
  }

  names(): string[] {
    return this.events.map(([name]) => name);
  }
}
