// The status of an identity check, labelled so that it is not mistaken for the receiver's status.

import { Status } from "../parts/status.tsx";
import styles from "./receivers.module.css";

export function KycStatus({ value, hint }: { value: string; hint?: string }) {
  return (
    <span className={styles.kyc}>
      KYC <Status of="kyc" value={value} hint={hint} />
    </span>
  );
}
