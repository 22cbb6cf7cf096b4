// The statuses of receivers with their API codes, so that developers learn both.

import type { FilterOption } from "../parts/filter-bar.tsx";
import { receiversTexts } from "../texts/receivers.ts";

/** In the order of their codes. */
const statuses = ["Creating", receiversTexts.pending, "Active", "Inactive", receiversTexts.failed];
const kycStatuses = [receiversTexts.pending, "Completed", receiversTexts.failed];

export const statusOptions = optionsOf(statuses);
export const kycOptions = optionsOf(kycStatuses);

function optionsOf(words: readonly string[]): FilterOption[] {
  return words.map((label, code) => ({
    value: label.toLowerCase(),
    label,
    hint: `API code ${code}`,
  }));
}

export function statusTitle(code: number): string {
  return `API: status=${code}`;
}

export function kycTitle(code: number): string {
  return `API: kyc_status=${code}`;
}
