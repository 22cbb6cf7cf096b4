// The formats that files from banks are recognised as, by their content.

import { inboundAba } from "./inbound-aba.ts";
import { inboundIso } from "./inbound-iso.ts";
import type { InboundLines } from "./inbound-line.ts";
import { inboundNacha } from "./inbound-nacha.ts";
import type { ReportSource } from "./inbound-outcome.ts";

export type InboundFormat = {
  recognises(text: string): boolean;
  source: ReportSource;
  /** `receivedOn` is YYYY-MM-DD, for files without a date of their own. */
  read(text: string, receivedOn: string): InboundLines;
};

const inboundFormats: readonly InboundFormat[] = [inboundIso, inboundAba, inboundNacha];

export function findInboundFormat(text: string): InboundFormat | undefined {
  return inboundFormats.find((format) => format.recognises(text));
}
