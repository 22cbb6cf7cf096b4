// The subaccount that the API key belongs to.

import type { CallOptions, Connection } from "./connection.ts";
import type { Subaccount } from "./wire.ts";

export class CurrentSubaccount {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** SUBA101 (`NotFoundError`) when the key's subaccount is gone. */
  async get(options?: CallOptions): Promise<Subaccount> {
    const answer = await this.#connection.get<Subaccount>("/api/subaccount", options);
    return answer.payload;
  }
}
