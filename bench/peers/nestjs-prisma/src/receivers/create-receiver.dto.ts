// The body of POST /api/receiver.

import { IsEmail, IsISO31661Alpha3, IsNotEmpty, MaxLength } from "class-validator";
import { TextField } from "../http/text-field.ts";
import { IsBirthDate } from "./birth-date.ts";

const name = /^\p{L}[\p{L}\p{M} .,'’-]{0,99}$/u;
const line = (charsMax: number) => new RegExp(`^\\P{Cc}{0,${charsMax}}$`, "u");

export class CreateReceiverDto {
  @TextField({ missing: "REVR204", invalid: "REVR215", pattern: name })
  first_name!: string;

  @TextField({ missing: "REVR205", invalid: "REVR216", pattern: name })
  last_name!: string;

  @TextField({ invalid: "REVR229", pattern: /^(\p{L}[\p{L}\p{M} .,'’-]{0,99})?$/u })
  middle_name?: string;

  @IsNotEmpty({ message: "REVR203" })
  @IsEmail({}, { message: "REVR214" })
  @MaxLength(254, { message: "REVR214" })
  email!: string;

  @IsNotEmpty({ message: "REVR226" })
  @IsBirthDate({ message: "REVR227" })
  dob!: string;

  @TextField({ missing: "REVR206", invalid: "REVR218", pattern: /^\d{1,4}$/ })
  dialcode!: string;

  @TextField({ missing: "REVR207", invalid: "REVR219", pattern: /^\d{4,15}$/ })
  phone!: string;

  @TextField({ missing: "REVR228", invalid: "REVR217", pattern: /^[MFX]$/ })
  gender!: string;

  @TextField({ missing: "REVR208", invalid: "REVR220", pattern: line(200) })
  address!: string;

  @TextField({ missing: "REVR209", invalid: "REVR221", pattern: line(200), mayBeEmpty: true })
  address2!: string;

  @TextField({ missing: "REVR210", invalid: "REVR222", pattern: line(100) })
  city!: string;

  @TextField({ missing: "REVR211", invalid: "REVR223", pattern: line(100), mayBeEmpty: true })
  state!: string;

  @TextField({
    missing: "REVR212",
    invalid: "REVR224",
    pattern: /^([A-Za-z0-9][A-Za-z0-9 -]{0,15})?$/,
    mayBeEmpty: true,
  })
  postcode!: string;

  @IsNotEmpty({ message: "REVR213" })
  @IsISO31661Alpha3({ message: "REVR225" })
  country!: string;

  @TextField({ invalid: "REVR230", pattern: line(200) })
  reference?: string;
}
