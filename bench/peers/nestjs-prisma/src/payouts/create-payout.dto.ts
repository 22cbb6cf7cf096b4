// The body of POST /api/payout/single.

import { IsISO4217CurrencyCode, IsNotEmpty, IsUUID } from "class-validator";
import { TextField } from "../http/text-field.ts";
import { IsAmount } from "./amount.ts";

export class CreatePayoutDto {
  @IsNotEmpty({ message: "PAYO201" })
  @IsUUID("all", { message: "PAYO205" })
  receiver_id!: string;

  @IsNotEmpty({ message: "PAYO202" })
  @IsUUID("all", { message: "PAYO206" })
  account_id!: string;

  @IsNotEmpty({ message: "PAYO203" })
  @IsAmount({ message: "PAYO207" })
  amount!: number | string;

  @IsNotEmpty({ message: "PAYO204" })
  @IsISO4217CurrencyCode({ message: "PAYO208" })
  currency!: string;

  @TextField({ invalid: "PAYO209", pattern: /^\P{Cc}{0,200}$/u })
  reference?: string;

  @TextField({ invalid: "PAYO210", pattern: /^\P{Cc}{0,500}$/u })
  note?: string;
}
