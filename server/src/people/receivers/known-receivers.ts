// The receivers that callers read last, in memory, as the response that they got: callers read a receiver again and again
// while its identity is checked. PostgreSQL is asked each time whether the row is still the same; a response is used only
// if it is.

/** Of each generation. */
const entriesMax = 8_192;
const generationMs = 60_000;

type Key = { subaccountId: string; id: string };

/** `version` stands for the content of the row: each change of the row gives it another. */
export type KnownReceiver = { subaccountId: string; version: string; response: string };

/** Two generations: what was used since the last change of generations is in the first. */
export class KnownReceivers {
  #recent = new Map<string, KnownReceiver>();
  #before = new Map<string, KnownReceiver>();
  #timer: NodeJS.Timeout | undefined;
  #server: object | undefined;

  /** Versions of one server mean nothing to another: all is forgotten. */
  belongTo(server: object): void {
    if (server === this.#server) return;
    this.#server = server;
    this.#recent.clear();
    this.#before.clear();
  }

  find({ subaccountId, id }: Key): KnownReceiver | undefined {
    const recent = this.#recent.get(id);
    const known = recent ?? this.#before.get(id);
    if (known?.subaccountId !== subaccountId) return undefined;
    if (!recent) this.#recent.set(id, known);
    return known;
  }

  keep({ subaccountId, id }: Key, version: string, response: string): KnownReceiver {
    const known = { subaccountId, version, response };
    if (this.#recent.size >= entriesMax) this.#age();
    this.#recent.set(id, known);
    this.#timer ??= setTimeout(() => this.#age(), generationMs).unref();
    return known;
  }

  /** Forgets what was not used for a while. */
  #age(): void {
    clearTimeout(this.#timer);
    this.#before = this.#recent;
    this.#recent = new Map();
    const isEmpty = this.#before.size === 0;
    this.#timer = isEmpty ? undefined : setTimeout(() => this.#age(), generationMs).unref();
  }
}
