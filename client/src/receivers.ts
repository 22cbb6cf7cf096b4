// Receivers: the people who are to receive payouts.

import type { CallOptions, Connection, WriteOptions } from "./connection.ts";
import { List, nextCursorOf } from "./list.ts";
import { pathOf } from "./path.ts";
import type {
  CreatedReceiver,
  KycStatus,
  NewReceiver,
  Receiver,
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

  /** REVR201 (`ConflictError`) when the e-mail is taken. */
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
    const { limit, status, kyc_status } = filter;
    return new List(filter.cursor, async (cursor) => {
      const answer = await this.#connection.get<Receiver[]>("/api/receiver", options, {
        limit: limit?.toString(),
        status: status && (STATUS_CODES[status] ?? status),
        kyc_status: kyc_status && (KYC_STATUS_CODES[kyc_status] ?? kyc_status),
        cursor,
      });
      return { items: answer.payload, nextCursor: nextCursorOf(answer.headers) };
    });
  }
}
