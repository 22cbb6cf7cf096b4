// The persons that were opened last, in memory: callers read a receiver again and again while its identity is checked, and
// need not wait for its decryption each time. An entry is valid only for the encrypted bytes that it was opened from.

import type { PersonFields, StoredPerson } from "./person.ts";

/** Of each generation. */
const entriesMax = 8_192;
const generationMs = 60_000;

/** Where the nonce of an encrypted person is, counted from 1, as PostgreSQL counts. No two values have the same nonce. */
export const nonceAt = 2;
export const nonceBytes = 12;

type Key = { subaccountId: string; id: string };

type OpenedPerson = { subaccountId: string; nonce: string; fields: PersonFields };

/** Two generations: what was used since the last change of generations is in the first. */
export class OpenedPersons {
  #recent = new Map<string, OpenedPerson>();
  #before = new Map<string, OpenedPerson>();
  #timer: NodeJS.Timeout | undefined;

  /** What was opened of this receiver. It holds while the stored value has this nonce. */
  find({ subaccountId, id }: Key): OpenedPerson | undefined {
    const recent = this.#recent.get(id);
    const known = recent ?? this.#before.get(id);
    if (known?.subaccountId !== subaccountId) return undefined;
    if (!recent) this.#recent.set(id, known);
    return known;
  }

  keep({ subaccountId, id }: Key, row: StoredPerson & PersonFields): void {
    if (!row.person_sealed) return;
    const nonce = row.person_sealed.toString("hex", nonceAt - 1, nonceAt - 1 + nonceBytes);
    const { dob, dialcode, phone, address, address2, city, state, postcode } = row;
    const fields = { dob, dialcode, phone, address, address2, city, state, postcode };
    if (this.#recent.size >= entriesMax) this.#age();
    this.#recent.set(id, { subaccountId, nonce, fields });
    this.#timer ??= setTimeout(() => this.#age(), generationMs).unref();
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
