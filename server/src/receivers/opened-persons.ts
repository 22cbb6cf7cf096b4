// The persons that were opened last, in memory: callers read a receiver again and again while its identity is checked, and
// need not wait for its decryption each time. An entry is valid only for the encrypted bytes that it was opened from.

import type { Seal } from "../seal.ts";
import { openPerson, type PersonFields, type StoredPerson } from "./person.ts";

/** Of each generation. */
const entriesMax = 8_192;
const generationMs = 60_000;

type Entry = { subaccountId: string; nonce: string; person: PersonFields };

/** Two generations: what was used since the last change of generations is in the first. */
export class OpenedPersons {
  #recent = new Map<string, Entry>();
  #before = new Map<string, Entry>();
  #timer: NodeJS.Timeout | undefined;

  open<Row extends StoredPerson>(seal: Seal, subaccountId: string, row: Row): Row & PersonFields {
    const { id, person_sealed } = row;
    if (!person_sealed) return openPerson(seal, subaccountId, row);
    // The nonce follows the first byte. No two values have the same.
    const nonce = person_sealed.toString("latin1", 1, 13);
    const recent = this.#recent.get(id);
    const known = recent ?? this.#before.get(id);
    if (known && known.nonce === nonce && known.subaccountId === subaccountId) {
      if (!recent) this.#recent.set(id, known);
      return Object.assign(row, known.person);
    }
    const opened = openPerson(seal, subaccountId, row);
    const { dob, dialcode, phone, address, address2, city, state, postcode } = opened;
    const person = { dob, dialcode, phone, address, address2, city, state, postcode };
    if (this.#recent.size >= entriesMax) this.#age();
    this.#recent.set(id, { subaccountId, nonce, person });
    this.#timer ??= setTimeout(() => this.#age(), generationMs).unref();
    return opened;
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
