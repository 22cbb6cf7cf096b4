// One request to the interface: what was sent, as far as it is kept, how it was answered, and how to make it again.

import { Text } from "@mantine/core";
import type { Linked, RequestDetail } from "@server/console/requests/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { get } from "../api/call.ts";
import { useApiOf, usePageOf, useSubaccount } from "../api/me.ts";
import { CodeBlock } from "../parts/code-block.tsx";
import { Facts } from "../parts/facts.tsx";
import { IdChip } from "../parts/id-chip.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Problem } from "../parts/problem.tsx";
import { Screen } from "../parts/screen.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { PageLoading } from "../shell/page-states.tsx";
import styles from "./requests.module.css";
import { SignaturePanel } from "./signature-panel.tsx";

export function RequestScreen() {
  const { requestId = "" } = useParams({ strict: false });
  const { id } = useSubaccount();
  const path = useApiOf()(`/requests/${encodeURIComponent(requestId)}`);
  const pageOf = usePageOf();
  const { data, error, refetch } = useQuery({
    // It never changes: the live stream need not ask for it again.
    queryKey: [id, "request", requestId],
    queryFn: ({ signal }) => get<RequestDetail>(path, {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const back = <PageLink to={pageOf("requests")}>API requests</PageLink>;
  if (!data) {
    return (
      <Screen title="API request" above={back}>
        {error ? <Problem error={error} onRetry={() => void refetch()} /> : <PageLoading />}
      </Screen>
    );
  }
  return (
    <Screen
      title={`${data.method} ${data.route || data.path}`}
      above={back}
      beside={<Status of="http" value={data.status} />}
    >
      {data.signature && <SignaturePanel signature={data.signature} />}
      {data.problems.length > 0 && <Refusals problems={data.problems} left={data.problems_left} />}
      <Panel title="Request">
        <RequestFacts request={data} />
      </Panel>
      {data.body !== null && (
        <CodeBlock text={data.body} label="Body, without what is about somebody" wrap />
      )}
      <CodeBlock text={data.curl} label="Make it again: shell, openssl and curl" />
    </Screen>
  );
}

function RequestFacts({ request }: { request: RequestDetail }) {
  const pageOf = usePageOf();
  const { id, at, ms, path, key, ip, agent, bytes, idempotency, links } = request;
  return (
    <Facts
      items={[
        { label: "Request id", value: <IdChip id={id} /> },
        { label: "Came", value: <When ms={at} withSeconds /> },
        { label: "Took", value: `${ms} ms` },
        { label: "Address", value: <code className={styles.codes}>{path}</code> },
        {
          label: "Key",
          value: <PageLink to={`${pageOf("requests")}?key=${key}`}>{key}</PageLink>,
        },
        { label: "From", value: ip },
        agent !== "" && { label: "Program", value: agent },
        bytes !== null && { label: "Body", value: `${bytes} bytes, not read: it was not proven` },
        idempotency !== "none" && {
          label: "Idempotency key",
          value:
            idempotency === "replayed"
              ? "Known: the answer of the first time was given again"
              : "Sent",
        },
        links.length > 0 && { label: "About", value: <Links links={links} /> },
      ]}
    />
  );
}

const pages: Record<string, readonly string[]> = {
  receiver: ["receivers"],
  payout: ["payouts"],
  event: ["webhooks", "events"],
};
const words: Record<string, string> = {
  ...{ receiver: "Receiver", account: "Account", payout: "Payout", batch: "Batch" },
  event: "Event",
};

function Links({ links }: { links: readonly Linked[] }) {
  const pageOf = usePageOf();
  return (
    <div className={styles.links}>
      {links.map(({ kind, id }) => {
        const page = pages[kind];
        return (
          <span key={id} className={styles.link}>
            {words[kind]}
            {page ? <PageLink to={pageOf(...page, id)}>{id}</PageLink> : <IdChip id={id} />}
          </span>
        );
      })}
    </div>
  );
}

function Refusals({ problems, left }: { problems: RequestDetail["problems"]; left: number }) {
  return (
    <Panel title="Refused with">
      {problems.map(({ code, field, text, cure }) => (
        <div key={`${code} ${field}`} className={styles.problem}>
          <Text size="sm" fw={500}>
            <span className={styles.codes}>{code}</span> {text}
            {field && ` (${field})`}
          </Text>
          <Text size="sm" c="dimmed">
            {cure}
          </Text>
        </div>
      ))}
      {left > 0 && (
        <Text size="sm" c="dimmed">
          {left.toLocaleString("en")} more. The response to the caller had them all.
        </Text>
      )}
    </Panel>
  );
}
