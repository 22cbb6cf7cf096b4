// The right side: one case, and below it, always in reach, what can be done about it.

import { Button, Text } from "@mantine/core";
import { ArrowLeft } from "lucide-react";
import { Empty } from "../parts/empty.tsx";
import { Problem } from "../parts/problem.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { CaseBody } from "./case-body.tsx";
import { CaseFooter, type PaneProps } from "./case-footer.tsx";
import { CaseHead } from "./case-head.tsx";
import { useCase } from "./review.ts";
import styles from "./reviews.module.css";

export function ReviewPane(props: PaneProps) {
  const { name, hasRows, onClose } = props;
  const { data: shown, error, refetch } = useCase(name);
  return (
    <section className={styles.pane} aria-label="Case">
      {name && (
        <Button
          className={styles.back as string}
          variant="subtle"
          size="compact-sm"
          leftSection={<ArrowLeft size={14} aria-hidden />}
          onClick={onClose}
        >
          Back to the queue
        </Button>
      )}
      {!name && (
        <Empty
          title={hasRows ? "Choose a case" : "Nothing to do"}
          hint={hasRows && "Press J for the first one."}
        />
      )}
      {name && !shown && error && <Problem error={error} onRetry={() => void refetch()} />}
      {name && !shown && !error && <PageLoading />}
      {name && shown && (
        <>
          <CaseHead shown={shown} name={name} />
          <CaseBody shown={shown} />
        </>
      )}
      <CaseFooter {...props} shown={name ? shown : undefined} />
      <Text className={styles.hidden as string} role="status">
        {shown && name ? `${shown.person.first_name} ${shown.person.last_name} is open` : ""}
      </Text>
    </section>
  );
}
