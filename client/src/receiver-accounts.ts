// The bank accounts of receivers.

import type { CallOptions, Connection, WriteOptions } from "./connection.ts";
import { metadataQuery, pathOf } from "./path.ts";
import type {
  CreatedReceiverAccount,
  DeletedReceiverAccount,
  JsonSchema,
  Metadata,
  NewReceiverAccount,
  ReceiverAccount,
  ReceiverAccountChange,
  ReceiverAccountToValidate,
  ValidatedReceiverAccount,
} from "./wire.ts";

export class ReceiverAccounts {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** REAC211 (`NotFoundError`) when there is no such receiver. */
  async create(
    account: NewReceiverAccount,
    options?: WriteOptions,
  ): Promise<CreatedReceiverAccount> {
    const path = "/api/receiveraccount";
    return (await this.#connection.post<CreatedReceiverAccount>(path, account, options)).payload;
  }

  /** REAC104 (`NotFoundError`) when there is no such account. */
  async get(id: string, options?: CallOptions): Promise<ReceiverAccount> {
    const path = pathOf("/api/receiveraccount", id);
    return (await this.#connection.get<ReceiverAccount>(path, options)).payload;
  }

  /** All accounts of one receiver, or those with one key and value of metadata. REAC101 (`NotFoundError`) when there is no such receiver. */
  async list(
    receiverId: string,
    { metadata, ...options }: CallOptions & { metadata?: Metadata } = {},
  ): Promise<ReceiverAccount[]> {
    const path = pathOf("/api/receiveraccount/receiver", receiverId);
    const query = metadataQuery(metadata);
    return (await this.#connection.get<ReceiverAccount[]>(path, options, query)).payload;
  }

  /**
   * Changes the given fields only. REAC104 (`NotFoundError`) when there is no such
   * account, REAC302 (`ConflictError`) when it is closed.
   */
  async update(
    id: string,
    change: ReceiverAccountChange,
    options?: CallOptions,
  ): Promise<ReceiverAccount> {
    const path = pathOf("/api/receiveraccount", id);
    return (await this.#connection.patch<ReceiverAccount>(path, change, options)).payload;
  }

  /**
   * REAC104 (`NotFoundError`) when there is no such account, REAC301 (`ConflictError`) while payouts
   * to it are in progress.
   */
  async delete(id: string, options?: CallOptions): Promise<DeletedReceiverAccount> {
    const path = pathOf("/api/receiveraccount", id);
    return (await this.#connection.delete<DeletedReceiverAccount>(path, options)).payload;
  }

  /** A dry run: refuses what `create` would refuse, with the same codes, and stores nothing. */
  async validate(
    account: ReceiverAccountToValidate,
    options?: WriteOptions,
  ): Promise<ValidatedReceiverAccount> {
    const path = "/api/receiveraccount/validate";
    return (await this.#connection.post<ValidatedReceiverAccount>(path, account, options)).payload;
  }

  /** The fields of an account in this country. REAC401 (`ValidationError`) when there is no such country. */
  async schema(country: string, options?: CallOptions): Promise<JsonSchema> {
    const path = "/api/receiveraccount/schema";
    return (await this.#connection.get<JsonSchema>(path, options, { country })).payload;
  }
}
