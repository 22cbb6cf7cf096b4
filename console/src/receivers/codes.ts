// The states of receivers by the codes that the API takes for them, so that developers come to know both.

import type { FilterOption } from "../parts/filter-bar.tsx";

/** In the order of their codes. */
const statuses = ["Creating", "Pending", "Active", "Inactive", "Failed"];
const kycStatuses = ["Pending", "Completed", "Failed"];

export const statusOptions = optionsOf(statuses);
export const kycOptions = optionsOf(kycStatuses);

function optionsOf(words: readonly string[]): FilterOption[] {
  return words.map((label, code) => ({
    ...{ value: label.toLowerCase(), label },
    hint: `API code ${code}`,
  }));
}

export function statusTitle(code: number): string {
  return `In the API status=${code}`;
}

export function kycTitle(code: number): string {
  return `In the API kyc_status=${code}`;
}
