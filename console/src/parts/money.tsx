// An amount with its currency code.

import { amountText, type Sum } from "../state/money.ts";
import styles from "./money.module.css";

export function Money({ amount, currency }: { amount: Sum; currency: string }) {
  return (
    <span className={styles.money}>
      {amountText(amount, currency)} <span className={styles.code}>{currency}</span>
    </span>
  );
}
