// The state of an identity check where it stands beside another state, so that nobody takes one for the other.

import { Status } from "../parts/status.tsx";
import styles from "./receivers.module.css";

export function KycStatus({ value, hint }: { value: string; hint?: string }) {
  return (
    <span className={styles.kyc}>
      KYC <Status of="kyc" value={value} hint={hint} />
    </span>
  );
}
