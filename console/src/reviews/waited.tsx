// How long a case has been waiting. Icon, words and colour say whether that is too long.

import { VisuallyHidden } from "@mantine/core";
import { AlarmClock, Clock, Hourglass } from "../parts/icons.tsx";
import { useNow } from "../state/now.ts";
import { spanText } from "../state/time.ts";
import styles from "./reviews.module.css";

const icons = { fresh: Clock, soon: Hourglass, late: AlarmClock };
const words = { fresh: "", soon: "due soon", late: "overdue" };

export function Waited({ since, urgency }: { since: number; urgency: string }) {
  const nowMs = useNow();
  const kind = urgency as keyof typeof icons;
  const Icon = icons[kind];
  const word = words[kind];
  return (
    <span className={styles.waited} data-urgency={urgency}>
      <Icon size={13} strokeWidth={2.2} aria-hidden />
      <VisuallyHidden>waiting </VisuallyHidden>
      {spanText(Math.max(0, nowMs - since))}
      {word && `, ${word}`}
    </span>
  );
}
