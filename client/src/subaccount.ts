// The subaccount of the API key, and its webhook endpoint.

import type { CallOptions, Connection, WriteOptions } from "./connection.ts";
import type {
  ChangedSubaccount,
  Postback,
  RotatedSecret,
  SecretRotation,
  SubaccountChange,
} from "./event-wire.ts";
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

  /**
   * Only the given fields change. SUBA210 when events can't be sent to that `postback_url`. Setting the first URL
   * creates the secret that verifies events. It is in this response only.
   */
  async update(change: SubaccountChange, options?: CallOptions): Promise<ChangedSubaccount> {
    const path = "/api/subaccount";
    return (await this.#connection.patch<ChangedSubaccount>(path, change, options)).payload;
  }

  /** Rotates the secret that signs events. The previous secrets stay valid for the overlap. */
  async rotatePostbackSecret(
    rotation: SecretRotation = {},
    options?: WriteOptions,
  ): Promise<RotatedSecret> {
    const path = "/api/subaccount/postback-secret";
    return (await this.#connection.post<RotatedSecret>(path, rotation, options)).payload;
  }

  /** The state of event delivery. */
  async getPostback(options?: CallOptions): Promise<Postback> {
    const path = "/api/subaccount/postback";
    return (await this.#connection.get<Postback>(path, options)).payload;
  }
}
