// The status of an identity check, labelled so that it is not mistaken for the receiver's status.

import { Status } from "../parts/status.tsx";
import { receiversTexts } from "../texts/receivers.ts";
import styles from "./receivers.module.css";

export function KycStatus({ value, hint }: { value: string; hint?: string }) {
  return (
    <span className={styles.kyc}>
      {receiversTexts.kyc} <Status of="kyc" value={value} hint={hint} />
    </span>
  );
}
