// When something was done, and who did it.

import { partsTexts } from "../texts/parts.ts";
import { Sentence } from "./sentence.tsx";
import { When } from "./when.tsx";

export function WhenBy({
  ms,
  who,
  withSeconds = false,
}: {
  ms: number;
  who: string;
  withSeconds?: boolean;
}) {
  return (
    <Sentence
      text={partsTexts.timeBy}
      parts={{ time: <When ms={ms} withSeconds={withSeconds} />, who }}
    />
  );
}
