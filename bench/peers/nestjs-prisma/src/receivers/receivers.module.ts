// Receivers.

import { Module } from "@nestjs/common";
import { AuthModule } from "../auth/auth.module.ts";
import { ReceiversController } from "./receivers.controller.ts";
import { ReceiversService } from "./receivers.service.ts";

@Module({
  imports: [AuthModule],
  controllers: [ReceiversController],
  providers: [ReceiversService],
})
export class ReceiversModule {}
