// Payouts: transfers to the accounts of receivers.

import type { CallOptions, Connection, WriteOptions } from "./connection.ts";
import { List, nextCursorOf } from "./list.ts";
import { metadataQuery, pathOf } from "./path.ts";
import type {
  CreatedPayout,
  CreatedPayoutBatch,
  NewPayout,
  Payout,
  PayoutBatch,
  PayoutFilter,
  PayoutHistoryEntry,
  ValidatedPayout,
} from "./payout-wire.ts";
import { millisecondsOf } from "./time.ts";
import type { Metadata } from "./wire.ts";

export class Payouts {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * PAYO205 when there is no such receiver, PAYO206 when it has no such account (both
   * `NotFoundError`); PAYO221 or PAYO222 when the receiver or the account can't be paid, PAYO226 when a
   * payout of the last 24 hours says the same, PAYO227 when funds are lacking (all `ConflictError`).
   */
  async create(payout: NewPayout, options?: WriteOptions): Promise<CreatedPayout> {
    const path = "/api/payout/single";
    return (await this.#connection.post<CreatedPayout>(path, payout, options)).payload;
  }

  /**
   * A dry run: whether `create` would accept it now, every reason why not, what it costs, and when it would be paid.
   * Creates nothing, and throws nothing for a payout that would be refused.
   */
  async validate(payout: NewPayout, options?: CallOptions): Promise<ValidatedPayout> {
    const path = "/api/payout/validate";
    return (await this.#connection.ask<ValidatedPayout>(path, payout, options)).payload;
  }

  /** All of them or none, with the codes of `create`; `errors` names the rows: `payouts[3].amount`. `metadata` is the batch's. */
  async createBatch(
    payouts: NewPayout[],
    { metadata, ...options }: WriteOptions & { metadata?: Metadata } = {},
  ): Promise<CreatedPayoutBatch> {
    const path = "/api/payout/batch";
    const batch = { payouts, metadata };
    return (await this.#connection.post<CreatedPayoutBatch>(path, batch, options)).payload;
  }

  /** PAYO101 (`NotFoundError`) when there is no such payout. */
  async get(id: string, options?: CallOptions): Promise<Payout> {
    const path = pathOf("/api/payout", id);
    return (await this.#connection.get<Payout>(path, options)).payload;
  }

  /** Newest first. Nothing is fetched before the list is iterated or asked for a page. */
  list(filter: PayoutFilter = {}, options?: CallOptions): List<Payout> {
    const { status, receiver_id, receiver_account_id, reference, batch_id } = filter;
    const from = millisecondsOf(filter.from);
    const to = millisecondsOf(filter.to);
    const limit = filter.limit?.toString();
    return new List(filter.cursor, async (cursor) => {
      const answer = await this.#connection.get<Payout[]>("/api/payout", options, {
        limit,
        status,
        receiver_id,
        receiver_account_id,
        reference,
        batch_id,
        from,
        to,
        cursor,
        ...metadataQuery(filter.metadata),
      });
      return { items: answer.payload, nextCursor: nextCursorOf(answer.headers) };
    });
  }

  /** The state of a batch. PAYO102 (`NotFoundError`) when there is no such batch. */
  async batch(id: string, options?: CallOptions): Promise<PayoutBatch> {
    const path = pathOf("/api/payout/batch", id);
    return (await this.#connection.get<PayoutBatch>(path, options)).payload;
  }

  /**
   * Cancels a payout that has not been sent. PAYO101 (`NotFoundError`) when there is no such payout, PAYO301
   * (`ConflictError`) when it was sent to the bank, or has ended.
   */
  async cancel(id: string, options?: WriteOptions): Promise<Payout> {
    const path = `${pathOf("/api/payout", id)}/cancel`;
    return (await this.#connection.post<Payout>(path, {}, options)).payload;
  }

  /** Every change of state, newest first. PAYO101 (`NotFoundError`) when there is no such payout. */
  async history(id: string, options?: CallOptions): Promise<PayoutHistoryEntry[]> {
    const path = `${pathOf("/api/payout", id)}/history`;
    return (await this.#connection.get<PayoutHistoryEntry[]>(path, options)).payload;
  }
}
