// Whether the record is whole: where its chain ends, and what the last verification found.

import { Alert, Group, Text } from "@mantine/core";
import type { AuditHead } from "@server/console/audit/schema.ts";
import { useQuery } from "@tanstack/react-query";
import { Link2, ShieldCheck, ShieldX } from "lucide-react";
import { get } from "../api/call.ts";
import { IdChip } from "../parts/id-chip.tsx";
import { When } from "../parts/when.tsx";

export function ChainNote() {
  const { data } = useQuery({
    queryKey: ["across", "audit", "head"],
    queryFn: ({ signal }) => get<AuditHead>("/audit/head", {}, signal),
    refetchInterval: 15_000,
  });
  if (!data) return null;
  const { verified } = data;
  const look = !verified
    ? { color: "gray", icon: <Link2 size={18} aria-hidden />, title: "Not verified yet" }
    : verified.fault === ""
      ? {
          color: "teal",
          icon: <ShieldCheck size={18} aria-hidden />,
          title: "Whole when it was last verified",
        }
      : {
          color: "red",
          icon: <ShieldX size={18} aria-hidden />,
          title: "The record was tampered with",
        };
  return (
    <Alert variant="light" {...look}>
      <Text size="sm">
        Entries are only ever added, and each carries a keyed hash over itself and the one before:
        whoever changes one without the master key is found out by{" "}
        <code>./disburse audit verify</code>.
      </Text>
      <Group gap="xs" mt={6}>
        <Text size="sm" component="span">
          {data.number.toLocaleString("en")} {data.number === 1 ? "entry" : "entries"}
          {data.hash !== "" && ", the last one is"}
        </Text>
        {data.hash !== "" && <IdChip id={`${data.number}:${data.hash}`} short />}
        {verified && (
          <Text size="sm" component="span">
            Verified <When ms={verified.at} />, up to entry {verified.number.toLocaleString("en")}.
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
