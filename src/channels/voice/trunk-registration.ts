// The registration of a trunk's account at its PBX, by the node that holds the trunk.

import type { AccountOptions, UserAgent } from '@tocsin/sip';

type RegistrationParts = {
  readonly agent: () => Promise<UserAgent>;
  /** The account as it is set now; undefined if none is to be registered, or it has no password. */
  readonly account: () => AccountOptions | undefined;
  readonly onTrouble: (error: unknown) => void;
};

/** The answer of the PBX to an account that it does not register; without a status it did not answer. */
type Refusal = { readonly status?: number; readonly reason: string };

/** An account that was refused is not asked about more often: exchanges ban who shows wrong passwords. */
const rememberRefusedMs = 300_000;

type Registered = { readonly registration: ReturnType<UserAgent['register']>; readonly account: AccountOptions };

export class TrunkRegistration {
  readonly #parts: RegistrationParts;
  #registered: Registered | undefined;
  #refusal: Refusal | undefined;
  /** The account that was asked about and refused last, and when. */
  #refused: { readonly key: string; readonly refusal: Refusal; readonly at: number } | undefined;
  #isHeld = false;
  #isClosed = false;
  #last: Promise<void> = Promise.resolve();

  constructor(parts: RegistrationParts) {
    this.#parts = parts;
  }

  get isRegistering(): boolean {
    return this.#registered !== undefined;
  }

  /** Registers the account if this node holds the trunk, or takes it off the PBX. */
  setHeld(isHeld: boolean): void {
    this.#isHeld = isHeld;
    this.follow();
  }

  /** Registers again, by the account and the agent as they are now; each after the one before, so that the last one counts. */
  follow(): void {
    this.#last = this.#last.then(() => this.#register()).catch(this.#parts.onTrouble);
  }

  /** Registers nothing more; closing the agent takes the account off. */
  close(): void {
    this.#isClosed = true;
  }

  /** Returns why the account is not registered. A node that does not hold the trunk, and a command, ask whether it would be. */
  async findRefusal(account: AccountOptions): Promise<Refusal | undefined> {
    if (this.#registered?.registration.isRegistered === true) return undefined;
    if (this.#refusal !== undefined) return this.#refusal;
    const key = JSON.stringify(account);
    const known = this.#refused;
    if (known?.key === key && performance.now() - known.at < rememberRefusedMs) return known.refusal;
    const check = await (await this.#parts.agent()).checkAccount(account);
    if (check.isAccepted) return undefined;
    if (check.status !== undefined) this.#refused = { key, refusal: check, at: performance.now() };
    return check;
  }

  async #register(): Promise<void> {
    const former = this.#registered;
    this.#registered = undefined;
    this.#refusal = undefined;
    const account = this.#parts.account();
    await this.#takeOff(former, account);
    const agent = await this.#parts.agent();
    if (this.#isClosed || !this.#isHeld || account === undefined) return;
    const registration = agent.register(account);
    this.#registered = { registration, account };
    const note = (refusal: Refusal | undefined): void => {
      if (this.#registered?.registration === registration) this.#refusal = refusal;
    };
    registration.on('registered', () => note(undefined));
    registration.on('failed', note);
  }

  /**
   * Takes the former account off its PBX. Waits for that at the same PBX only, where it might take the next account off as well:
   * another PBX that is dead would hold up the registration for half a minute.
   */
  async #takeOff(former: Registered | undefined, next: AccountOptions | undefined): Promise<void> {
    const closed = former?.registration.close();
    if (placeOf(former?.account) === placeOf(next)) await closed;
    else closed?.catch(this.#parts.onTrouble);
  }
}

function placeOf(account: AccountOptions | undefined): string {
  const { host = '', port, protocol } = account?.trunk ?? {};
  return `${protocol} ${host}:${port}`;
}
