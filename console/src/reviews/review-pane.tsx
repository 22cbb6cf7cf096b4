// The right side of the review queue: one case, with its actions fixed at the bottom.

import { Button, VisuallyHidden } from "@mantine/core";
import { Empty } from "../parts/empty.tsx";
import { ArrowLeft } from "../parts/icons.tsx";
import { Problem } from "../parts/problem.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import { CaseBody } from "./case-body.tsx";
import { CaseFooter, type PaneProps } from "./case-footer.tsx";
import { CaseHead } from "./case-head.tsx";
import { HitBody } from "./hit-body.tsx";
import { HoldBody } from "./hold-body.tsx";
import { receiverNameOf, useCase } from "./review.ts";
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
          Back to queue
        </Button>
      )}
      {!name && (
        <Empty
          title={hasRows ? "Choose a case" : "No cases"}
          hint={hasRows && "Press J to open the first one."}
        />
      )}
      {name && !shown && error && <Problem error={error} onRetry={() => void refetch()} />}
      {name && !shown && !error && <PageLoading />}
      {name && shown && (
        <>
          <CaseHead shown={shown} />
          {shown.kind === "identity" && <CaseBody shown={shown} />}
          {shown.kind === "hit" && <HitBody shown={shown} />}
          {shown.kind === "hold" && <HoldBody shown={shown} />}
        </>
      )}
      <CaseFooter {...props} shown={name ? shown : undefined} />
      <VisuallyHidden component="p" role="status">
        {shown && name ? `${receiverNameOf(shown)} is open` : ""}
      </VisuallyHidden>
    </section>
  );
}
