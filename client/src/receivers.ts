// Receivers: the people and businesses that are paid.

import type { CallOptions, Connection, WriteOptions } from "./connection.ts";
import { List, nextCursorOf } from "./list.ts";
import { metadataQuery, pathOf } from "./path.ts";
import type {
  CreatedReceiver,
  DeletedReceiver,
  ErasedReceiver,
  HistoryEntry,
  HistoryFilter,
  KycLink,
  KycStatus,
  NewReceiver,
  Receiver,
  ReceiverChange,
  ReceiverFilter,
  ReceiverStatus,
} from "./wire.ts";

// Records carry words, but the published filters take codes.
const STATUS_CODES: Record<ReceiverStatus, string> = {
  creating: "0",
  pending: "1",
  active: "2",
  inactive: "3",
  failed: "4",
};
const KYC_STATUS_CODES: Record<KycStatus, string> = { pending: "0", completed: "1", failed: "2" };

export class Receivers {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** REVR201 (`ConflictError`) when the email is taken. */
  async create(receiver: NewReceiver, options?: WriteOptions): Promise<CreatedReceiver> {
    const path = "/api/receiver";
    return (await this.#connection.post<CreatedReceiver>(path, receiver, options)).payload;
  }

  /** REVR101 (`NotFoundError`) when there is no such receiver. */
  async get(id: string, options?: CallOptions): Promise<Receiver> {
    const path = pathOf("/api/receiver", id);
    return (await this.#connection.get<Receiver>(path, options)).payload;
  }

  /** Newest first. Nothing is fetched before the list is iterated or asked for a page. */
  list(filter: ReceiverFilter = {}, options?: CallOptions): List<Receiver> {
    const { limit, status, kyc_status, email, reference, metadata } = filter;
    return new List(filter.cursor, async (cursor) => {
      const answer = await this.#connection.get<Receiver[]>("/api/receiver", options, {
        limit: limit?.toString(),
        status: status && (STATUS_CODES[status] ?? status),
        kyc_status: kyc_status && (KYC_STATUS_CODES[kyc_status] ?? kyc_status),
        email,
        reference,
        cursor,
        ...metadataQuery(metadata),
      });
      return { items: answer.payload, nextCursor: nextCursorOf(answer.headers) };
    });
  }

  /**
   * Changes the given fields only. REVR101 (`NotFoundError`) when there is no such
   * receiver; REVR201 when the email is taken, REVR302 when its state allows no such change (both
   * `ConflictError`).
   */
  async update(id: string, change: ReceiverChange, options?: CallOptions): Promise<Receiver> {
    const path = pathOf("/api/receiver", id);
    return (await this.#connection.patch<Receiver>(path, change, options)).payload;
  }

  /**
   * REVR101 (`NotFoundError`) when there is no such receiver; REVR301 while it has payouts in
   * progress, REVR302 when its state does not allow it (both `ConflictError`).
   */
  async delete(id: string, options?: CallOptions): Promise<DeletedReceiver> {
    const path = pathOf("/api/receiver", id);
    return (await this.#connection.delete<DeletedReceiver>(path, options)).payload;
  }

  /**
   * Overwrites every word about the person, for good. REVR301 while a payout is in progress, REVR307
   * while a review is open, REVR308 while payouts must be kept by law (all `ConflictError`).
   */
  async erase(id: string, options?: WriteOptions): Promise<ErasedReceiver> {
    const path = `${pathOf("/api/receiver", id)}/erase`;
    return (await this.#connection.post<ErasedReceiver>(path, {}, options)).payload;
  }

  /** Restarts a failed identity check. REVR302 (`ConflictError`) when there is nothing to restart. */
  async restartKyc(id: string, options?: WriteOptions): Promise<CreatedReceiver> {
    const path = `${pathOf("/api/receiver", id)}/kyc`;
    return (await this.#connection.post<CreatedReceiver>(path, {}, options)).payload;
  }

  /**
   * A new link with which the person gives what the identity check needs. REVR303 when the check
   * does not wait for the person, REVR304 when there is no page for the person (both `ConflictError`).
   */
  async kycLink(id: string, options?: CallOptions): Promise<KycLink> {
    const path = `${pathOf("/api/receiver", id)}/kyc-link`;
    return (await this.#connection.ask<KycLink>(path, {}, options)).payload;
  }

  /** Every change of state. REVR101 (`NotFoundError`) when there is no such receiver. */
  history(id: string, filter: HistoryFilter = {}, options?: CallOptions): List<HistoryEntry> {
    const path = `${pathOf("/api/receiver", id)}/history`;
    const limit = filter.limit?.toString();
    return new List(filter.cursor, async (cursor) => {
      const answer = await this.#connection.get<HistoryEntry[]>(path, options, { limit, cursor });
      return { items: answer.payload, nextCursor: nextCursorOf(answer.headers) };
    });
  }
}
