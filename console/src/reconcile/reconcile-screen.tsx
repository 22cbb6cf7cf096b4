// The books of a period, currency by currency.

import { Screen } from "../parts/screen.tsx";

export function ReconcileScreen() {
  return <Screen title="Reconcile" />;
}
