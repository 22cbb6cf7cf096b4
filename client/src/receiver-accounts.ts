// The bank accounts of receivers.

import type { CallOptions, Connection } from "./connection.ts";
import { pathOf } from "./path.ts";
import type { ReceiverAccount } from "./wire.ts";

export class ReceiverAccounts {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** REAC104 (`NotFoundError`) when there is no such account. */
  async get(id: string, options?: CallOptions): Promise<ReceiverAccount> {
    const path = pathOf("/api/receiveraccount", id);
    return (await this.#connection.get<ReceiverAccount>(path, options)).payload;
  }

  /** All accounts of one receiver. REAC101 (`NotFoundError`) when there is no such receiver. */
  async list(receiverId: string, options?: CallOptions): Promise<ReceiverAccount[]> {
    const path = pathOf("/api/receiveraccount/receiver", receiverId);
    return (await this.#connection.get<ReceiverAccount[]>(path, options)).payload;
  }
}
