// Creates payouts: payout, event and hold of the money in one transaction.

import { Injectable } from "@nestjs/common";
import { v7 as newId } from "uuid";
import type { Caller } from "../auth/caller.ts";
import {
  idempotencyColumns,
  isUniqueViolation,
  requireSameRequest,
} from "../database/idempotency.ts";
import { PrismaService } from "../database/prisma.service.ts";
import { type Refusal, refusal } from "../http/problem.ts";
import type { CreatePayoutDto } from "./create-payout.dto.ts";
import { payoutCreatedBody } from "./payout-created.ts";

@Injectable()
export class PayoutsService {
  constructor(private readonly prisma: PrismaService) {}

  /** The id of the payout, also if an earlier request with the same idempotency key created it. */
  async create({ subaccountId, idempotencyKey }: Caller, dto: CreatePayoutDto): Promise<string> {
    await this.requirePayable(subaccountId, dto);
    const id = newId();
    const createdAtMs = Date.now();
    const amount = BigInt(dto.amount);
    const {
      receiver_id: receiverId,
      account_id: accountId,
      currency,
      reference = "",
      note = "",
    } = dto;
    const payout = {
      id,
      subaccountId,
      receiverId,
      accountId,
      amount,
      currency,
      reference,
      createdAtMs,
    };
    const idempotency = idempotencyColumns(idempotencyKey, dto);
    try {
      await this.prisma.$transaction(async (tx) => {
        await tx.payout.create({
          data: { ...payout, note, status: "pending", ...idempotency },
          select: { id: true },
        });
        await tx.outboxEvent.create({
          data: {
            id: newId(),
            subaccountId,
            type: "payoutCreated",
            body: payoutCreatedBody(payout),
          },
          select: { id: true },
        });
        // Last, because every payout of the subaccount waits for this row: it is locked until the commit. The
        // condition and the change are one statement, so no payout overdraws the balance.
        const held = await tx.balance.updateMany({
          where: { subaccountId, currency, available: { gte: amount } },
          data: { available: { decrement: amount }, held: { increment: amount } },
        });
        if (held.count === 0) throw refusal("PAYO227", "amount");
      });
      return id;
    } catch (error) {
      if (idempotencyKey === undefined || !isUniqueViolation(error)) throw error;
      const earlier = await this.prisma.payout.findUniqueOrThrow({
        where: { subaccountId_idempotencyKey: { subaccountId, idempotencyKey } },
      });
      requireSameRequest(earlier, idempotency);
      return earlier.id;
    }
  }

  /** One statement if all is well. Otherwise further ones find the reason. */
  private async requirePayable(subaccountId: string, dto: CreatePayoutDto): Promise<void> {
    const { account_id: id, receiver_id: receiverId, currency } = dto;
    const payable = await this.prisma.receiverAccount.findFirst({
      where: {
        ...{ id, subaccountId, receiverId, currency, status: "active" },
        receiver: { status: "active", kycStatus: "completed" },
      },
      select: { id: true },
    });
    if (!payable) throw await this.reasonWhyNot(subaccountId, dto);
  }

  private async reasonWhyNot(subaccountId: string, dto: CreatePayoutDto): Promise<Refusal> {
    const receiver = await this.prisma.receiver.findUnique({
      where: { id: dto.receiver_id, subaccountId },
    });
    if (!receiver) return refusal("PAYO205", "receiver_id");
    if (receiver.status !== "active" || receiver.kycStatus !== "completed") {
      return refusal("PAYO221", "receiver_id");
    }
    const account = await this.prisma.receiverAccount.findUnique({
      where: { id: dto.account_id, subaccountId, receiverId: receiver.id },
    });
    if (!account) return refusal("PAYO206", "account_id");
    return account.status === "active"
      ? refusal("PAYO223", "currency")
      : refusal("PAYO222", "account_id");
  }
}
