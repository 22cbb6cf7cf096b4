// Who uses the console.

import { Screen } from "../parts/screen.tsx";

export function PeopleScreen() {
  return <Screen title="People" />;
}
