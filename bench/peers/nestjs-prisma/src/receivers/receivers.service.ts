// Creates and reads receivers.

import { Injectable } from "@nestjs/common";
import { isUUID } from "class-validator";
import { v7 as newId } from "uuid";
import type { Caller } from "../auth/caller.ts";
import {
  idempotencyColumns,
  isUniqueViolation,
  requireSameRequest,
} from "../database/idempotency.ts";
import { PrismaService } from "../database/prisma.service.ts";
import type { Receiver } from "../generated/client.ts";
import { refusal } from "../http/problem.ts";
import type { CreateReceiverDto } from "./create-receiver.dto.ts";

@Injectable()
export class ReceiversService {
  constructor(private readonly prisma: PrismaService) {}

  async findOne({ subaccountId }: Caller, id: string): Promise<Receiver> {
    if (!isUUID(id)) throw refusal("REVR101");
    const receiver = await this.prisma.receiver.findUnique({ where: { id, subaccountId } });
    if (!receiver) throw refusal("REVR101");
    return receiver;
  }

  /** The id of the receiver, also if an earlier request with the same idempotency key created it. */
  async create({ subaccountId, idempotencyKey }: Caller, dto: CreateReceiverDto): Promise<string> {
    const id = newId();
    const idempotency = idempotencyColumns(idempotencyKey, dto);
    try {
      await this.prisma.receiver.create({
        data: {
          id,
          subaccountId,
          firstName: dto.first_name,
          lastName: dto.last_name,
          middleName: dto.middle_name ?? "",
          email: dto.email,
          emailKey: dto.email.normalize("NFC").toLowerCase(),
          gender: dto.gender,
          dob: dto.dob,
          dialcode: dto.dialcode,
          phone: dto.phone,
          address: dto.address,
          address2: dto.address2,
          city: dto.city,
          state: dto.state,
          postcode: dto.postcode,
          country: dto.country,
          reference: dto.reference ?? "",
          applicantId: `applicant_${id.replaceAll("-", "")}`,
          status: "pending",
          kycStatus: "pending",
          createdAtMs: Date.now(),
          ...idempotency,
        },
        select: { id: true },
      });
      return id;
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
    }
    const earlier =
      idempotencyKey === undefined
        ? null
        : await this.prisma.receiver.findUnique({
            where: { subaccountId_idempotencyKey: { subaccountId, idempotencyKey } },
          });
    if (!earlier) throw refusal("REVR201");
    requireSameRequest(earlier, idempotency);
    return earlier.id;
  }
}
