// The route of /api/payout/single.

import { Body, Controller, HttpCode, Post, UseFilters, UseGuards } from "@nestjs/common";
import { type Caller, CurrentCaller } from "../auth/caller.ts";
import { SignatureGuard } from "../auth/signature.guard.ts";
import { RefusalFilter } from "../http/refusal.filter.ts";
import { validatedBody } from "../http/validated-body.ts";
import { CreatePayoutDto } from "./create-payout.dto.ts";
import { PayoutsService } from "./payouts.service.ts";

@Controller("api/payout")
@UseGuards(SignatureGuard)
export class PayoutsController {
  constructor(private readonly payouts: PayoutsService) {}

  @Post("single")
  @HttpCode(200)
  @UseFilters(new RefusalFilter("there was an error while creating a payout"))
  async create(
    @CurrentCaller() caller: Caller,
    @Body(validatedBody({ unknownField: "PAYO212" })) dto: CreatePayoutDto,
  ) {
    const payout_id = await this.payouts.create(caller, dto);
    return { message: "payout created successfully", payload: { payout_id, status: "pending" } };
  }
}
