// Identity checks that wait for a person.

import { Screen } from "../parts/screen.tsx";

export function ReviewsScreen() {
  return <Screen title="Review queue" />;
}
