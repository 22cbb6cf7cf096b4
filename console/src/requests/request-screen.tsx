// One API request: what was sent, the response, and how to reproduce it.

import { Text } from "@mantine/core";
import type { Linked, RequestDetail } from "@server/doors/request-list/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { get } from "../api/call.ts";
import { useApiOf, usePageOf, useSubaccount } from "../api/me.ts";
import { CodeBlock } from "../parts/code-block.tsx";
import { Facts } from "../parts/facts.tsx";
import { IdChip } from "../parts/id-chip.tsx";
import { InlineCode } from "../parts/inline-code.tsx";
import { PageLink } from "../parts/page-link.tsx";
import { Panel } from "../parts/panel.tsx";
import { Screen } from "../parts/screen.tsx";
import { Status } from "../parts/status.tsx";
import { When } from "../parts/when.tsx";
import { LoadingScreen } from "../shell/page-states.tsx";
import { countText } from "../state/locale.ts";
import { requestsTexts } from "../texts/requests.ts";
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
  const back = <PageLink to={pageOf("requests")}>{requestsTexts.apiRequests}</PageLink>;
  if (!data)
    return <LoadingScreen title="API request" above={back} error={error} onRetry={refetch} />;
  return (
    <Screen
      title={`${data.method} ${data.route || data.path}`}
      above={back}
      beside={<Status of="http" value={data.status} />}
    >
      {data.signature && <SignaturePanel signature={data.signature} />}
      {data.problems.length > 0 && <Refusals problems={data.problems} left={data.problems_left} />}
      <Panel title={requestsTexts.request}>
        <RequestFacts request={data} />
      </Panel>
      {data.body !== null && (
        <CodeBlock text={data.body} label="Request body (personal data redacted)" wrap />
      )}
      <CodeBlock text={data.curl} label="Reproduce with curl and openssl" />
    </Screen>
  );
}

function RequestFacts({ request }: { request: RequestDetail }) {
  const pageOf = usePageOf();
  const { id, at, ms, path, key, ip, agent, bytes, idempotency, links } = request;
  return (
    <Facts
      items={[
        { label: requestsTexts.requestId, value: <IdChip id={id} /> },
        { label: "Received", value: <When ms={at} withSeconds /> },
        { label: requestsTexts.duration, value: requestsTexts.ms(ms) },
        { label: requestsTexts.path, value: <code className={styles.codes}>{path}</code> },
        {
          label: requestsTexts.apiKey,
          value: <PageLink to={`${pageOf("requests")}?key=${key}`}>{key}</PageLink>,
        },
        { label: requestsTexts.ipAddress, value: ip },
        agent !== "" && { label: "User agent", value: agent },
        bytes !== null && {
          label: "Body",
          value: `${bytes} bytes, not read because the signature failed`,
        },
        idempotency !== "none" && {
          label: "Idempotency key",
          value:
            idempotency === "replayed" ? "Reused: the first response was returned again" : "Sent",
        },
        links.length > 0 && { label: "Related objects", value: <Links links={links} /> },
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
  receiver: "Receiver",
  account: "Account",
  payout: "Payout",
  batch: "Batch",
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
    <Panel title="Errors">
      {problems.map(({ code, field, text, cure }) => (
        <div key={`${code} ${field}`} className={styles.problem}>
          <Text size="sm" fw={500}>
            <span className={styles.codes}>{code}</span> {text}
            {field && ` (${field})`}
          </Text>
          <Text size="sm" c="dimmed">
            <InlineCode text={cure} />
          </Text>
        </div>
      ))}
      {left > 0 && (
        <Text size="sm" c="dimmed">
          {`${countText(left)} more. The response to the caller had them all.`}
        </Text>
      )}
    </Panel>
  );
}
