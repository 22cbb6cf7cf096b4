// Whether the audit log is intact: its last entry, and the result of the last verification.

import { Alert, Group, Text } from "@mantine/core";
import type { AuditHead } from "@server/console/audit/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { get } from "../api/call.ts";
import { Link2, ShieldCheck, ShieldX } from "../parts/icons.tsx";
import { IdChip } from "../parts/id-chip.tsx";
import { Sentence } from "../parts/sentence.tsx";
import { When } from "../parts/when.tsx";
import { countText } from "../state/locale.ts";
import { auditTexts } from "../texts/audit.ts";

export function ChainNote() {
  const { data } = useQuery({
    queryKey: ["across", "audit", "head"],
    queryFn: ({ signal }) => get<AuditHead>("/audit/head", {}, signal),
    refetchInterval: 15_000,
  });
  if (!data) return null;
  const { verified } = data;
  const look = !verified
    ? { color: "gray", icon: <Link2 size={18} aria-hidden />, title: auditTexts.notVerifiedYet }
    : verified.fault === ""
      ? {
          color: "teal",
          icon: <ShieldCheck size={18} aria-hidden />,
          title: auditTexts.intactAtTheLastVerification,
        }
      : {
          color: "red",
          icon: <ShieldX size={18} aria-hidden />,
          title: auditTexts.theAuditLogWasTamperedWith,
        };
  return (
    <Alert variant="light" {...look}>
      <Text size="sm">
        <Sentence
          text={auditTexts.tamperEvident}
          parts={{ command: <code>./disburse audit verify</code> }}
        />
      </Text>
      <Group gap="xs" mt={6}>
        <Text size="sm" component="span">
          {auditTexts.entryCount(data.number, countText(data.number))}
          {data.hash !== "" && auditTexts.lastEntry}
        </Text>
        {data.hash !== "" && <IdChip id={`${data.number}:${data.hash}`} short />}
        {verified && (
          <Text size="sm" component="span">
            <Sentence
              text={auditTexts.verifiedUpTo}
              parts={{ time: <When ms={verified.at} />, number: countText(verified.number) }}
            />
          </Text>
        )}
        {verified && verified.fault !== "" && (
          <Text size="sm" fw={600} component="span">
            {verified.fault}
          </Text>
        )}
      </Group>
    </Alert>
  );
}
