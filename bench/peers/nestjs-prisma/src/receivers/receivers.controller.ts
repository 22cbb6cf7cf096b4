// The routes of /api/receiver.

import {
  Body,
  Controller,
  Get,
  HttpCode,
  Param,
  Post,
  UseFilters,
  UseGuards,
} from "@nestjs/common";
import { type Caller, CurrentCaller } from "../auth/caller.ts";
import { SignatureGuard } from "../auth/signature.guard.ts";
import type { Receiver } from "../generated/client.ts";
import { RefusalFilter } from "../http/refusal.filter.ts";
import { validatedBody } from "../http/validated-body.ts";
import { CreateReceiverDto } from "./create-receiver.dto.ts";
import { ReceiversService } from "./receivers.service.ts";

@Controller("api/receiver")
@UseGuards(SignatureGuard)
export class ReceiversController {
  constructor(private readonly receivers: ReceiversService) {}

  @Get(":id")
  @UseFilters(new RefusalFilter("get receiver failed"))
  async findOne(@CurrentCaller() caller: Caller, @Param("id") id: string) {
    const receiver = await this.receivers.findOne(caller, id);
    return { message: "get receiver successful", payload: present(receiver) };
  }

  @Post()
  @HttpCode(200)
  @UseFilters(new RefusalFilter("there was an error while creating a receiver"))
  async create(
    @CurrentCaller() caller: Caller,
    @Body(validatedBody({ unknownField: "REVR231" })) dto: CreateReceiverDto,
  ) {
    const receiver_id = await this.receivers.create(caller, dto);
    return { message: "receiver created successfully", payload: { receiver_id, kyc_status: "0" } };
  }
}

function present(receiver: Receiver) {
  return {
    id: receiver.id,
    first_name: receiver.firstName,
    last_name: receiver.lastName,
    middle_name: receiver.middleName,
    email: receiver.email,
    gender: receiver.gender,
    dob: receiver.dob,
    dialcode: receiver.dialcode,
    phone: receiver.phone,
    applicant_id: receiver.applicantId,
    kyc_status: receiver.kycStatus,
    status: receiver.status,
    created_at: String(receiver.createdAtMs),
    address_data: {
      address: receiver.address,
      address2: receiver.address2,
      state: receiver.state,
      city: receiver.city,
      country: receiver.country,
      postcode: receiver.postcode,
    },
  };
}
