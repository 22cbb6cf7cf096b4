// Lets a request in if its signature, version 1 of the interface, is made with the secret of its API key.

import { createHmac, timingSafeEqual } from "node:crypto";
import { type CanActivate, type ExecutionContext, Injectable } from "@nestjs/common";
import { refusal } from "../http/problem.ts";
import { ApiKeysService } from "./api-keys.service.ts";
import type { RequestWithCaller } from "./caller.ts";

const pattern = /^(\d{13})\.([0-9a-f]{64})$/;
const windowMs = 300_000;

@Injectable()
export class SignatureGuard implements CanActivate {
  constructor(private readonly apiKeys: ApiKeysService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<RequestWithCaller>();
    const { "x-api-key": key, signature, "idempotency-key": idempotencyKey } = request.headers;
    if (typeof key !== "string" || key === "") throw refusal("AUTH101");
    if (typeof signature !== "string" || signature === "") throw refusal("AUTH102");
    const [, ms, hex] = pattern.exec(signature) ?? [];
    if (ms === undefined || hex === undefined) throw refusal("AUTH103");
    const apiKey = await this.apiKeys.find(key);
    if (!apiKey) throw refusal("AUTH104");
    const expected = createHmac("sha256", apiKey.secret).update(`${ms}.${key}`).digest();
    if (!timingSafeEqual(expected, Buffer.from(hex, "hex"))) throw refusal("AUTH105");
    if (Math.abs(Number(ms) - Date.now()) > windowMs) throw refusal("AUTH106");
    request.caller = {
      subaccountId: apiKey.subaccountId,
      idempotencyKey: typeof idempotencyKey === "string" ? idempotencyKey : undefined,
    };
    return true;
  }
}
