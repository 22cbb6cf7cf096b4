// Whether the audit log is intact: its last entry, and the result of the last verification.

import { Alert, Button, Group, Text } from "@mantine/core";
import type { AuditHead, VerifyLine } from "@server/doors/console/audit/schema.ts";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { get, sendForLines } from "../api/call.ts";
import { Link2, ShieldCheck, ShieldX } from "../parts/icons.tsx";
import { IdChip } from "../parts/id-chip.tsx";
import { Problem } from "../parts/problem.tsx";
import { When } from "../parts/when.tsx";
import { countText } from "../state/locale.ts";

const headKey = ["across", "audit", "head"];

const idleMs = 15_000;
const runningMs = 1_000;

export function ChainNote() {
  const { data } = useQuery({
    queryKey: headKey,
    queryFn: ({ signal }) => get<AuditHead>("/audit/head", {}, signal),
    // Another user, or this one before a reload, may wait for a run.
    refetchInterval: ({ state }) => (state.data?.verifying ? runningMs : idleMs),
  });
  if (!data) return null;
  const { verified } = data;
  const look = !verified
    ? { color: "gray", icon: <Link2 size={18} aria-hidden />, title: "Not verified yet" }
    : verified.fault === ""
      ? {
          color: "teal",
          icon: <ShieldCheck size={18} aria-hidden />,
          title: intactText(verified.number, data.number),
        }
      : {
          color: "red",
          icon: <ShieldX size={18} aria-hidden />,
          title: "The audit log was tampered with",
        };
  return (
    <Alert variant="light" {...look}>
      <Text size="sm">
        Tamper-evident log: entries can't be edited undetected. <code>./disburse audit verify</code>{" "}
        verifies it too.
      </Text>
      <Group gap="xs" mt={6}>
        <Text size="sm" component="span">
          {`${countText(data.number)} ${data.number === 1 ? "entry" : "entries"}`}
          {data.hash !== "" && ", last entry"}
        </Text>
        {data.hash !== "" && <IdChip id={`${data.number}:${data.hash}`} short />}
        {verified && (
          <Text size="sm" component="span">
            Verified <When ms={verified.at} />, up to entry {countText(verified.number)}
          </Text>
        )}
        {verified && verified.fault !== "" && (
          <Text size="sm" fw={600} component="span">
            {verified.fault}
          </Text>
        )}
      </Group>
      <VerifyNow verifying={data.verifying} />
    </Alert>
  );
}

function intactText(upTo: number, last: number): string {
  const newer = last - upTo;
  if (newer === 0) return `Intact up to the last entry, ${countText(last)}`;
  return `Intact up to entry ${countText(upTo)}, ${countText(newer)} newer ${newer === 1 ? "is" : "are"} not verified`;
}

/** `verifying`: a run that goes on, whoever has started it. */
function VerifyNow({ verifying }: Pick<AuditHead, "verifying">) {
  const client = useQueryClient();
  const [line, setLine] = useState<VerifyLine>();
  const verify = useMutation({
    mutationFn: () => sendForLines<VerifyLine>("/audit/verify", {}, setLine),
    onSettled: () => client.invalidateQueries({ queryKey: headKey }),
  });
  const shown = verify.isPending ? line : (verifying ?? undefined);
  return (
    <Group gap="sm" mt="xs">
      <Button
        size="compact-sm"
        variant="default"
        loading={verify.isPending}
        onClick={() => verify.mutate()}
      >
        Verify now
      </Button>
      <Text size="sm" component="span" role="status">
        {shown &&
          (shown.of > 0
            ? `Verifying: ${countText(shown.checked)} of ${countText(shown.of)} entries`
            : "Verifying")}
      </Text>
      {verify.error && <Problem error={verify.error} />}
    </Group>
  );
}
