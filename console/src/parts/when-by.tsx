// When something was done, and who did it.

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
    <>
      <When ms={ms} withSeconds={withSeconds} /> by {who}
    </>
  );
}
