// Payouts.

import { Module } from "@nestjs/common";
import { AuthModule } from "../auth/auth.module.ts";
import { PayoutsController } from "./payouts.controller.ts";
import { PayoutsService } from "./payouts.service.ts";

@Module({ imports: [AuthModule], controllers: [PayoutsController], providers: [PayoutsService] })
export class PayoutsModule {}
