// BICs, also called SWIFT codes.

import { isValidBIC } from "ibantools";

export function isBic(text: string): boolean {
  return isValidBIC(text);
}
