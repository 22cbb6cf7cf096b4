// One of the first steps: whether it is done, its purpose, and what to do: a button, or commands to copy.

import { Collapse, Tabs, Text, Title, UnstyledButton, VisuallyHidden } from "@mantine/core";
import type { Quickstart } from "@server/doors/console/quickstart/schema.ts";
import { type ReactNode, useId, useState } from "react";
import { CodeBlock } from "../parts/code-block.tsx";
import { Check, ChevronDown } from "../parts/icons.tsx";
import { When } from "../parts/when.tsx";
import styles from "./quickstart.module.css";

type Step = Quickstart["own_steps"][number] & Partial<Quickstart["steps"][number]>;

const ownWords: Record<string, { title: string; why: string }> = {
  invite: {
    title: "Invite a user",
    why: "Live payouts take two users. Invite the people who make, approve and release them, each with a role of their own.",
  },
  statement: {
    title: "Read a bank statement",
    why: "Upload a statement of the bank, or match a line of one. Its lines are compared with what was paid.",
  },
  close: {
    title: "Close a month",
    why: "Closing records the figures of a month for good. It can be done an hour after the month's end.",
  },
  review: {
    title: "Decide a case",
    why: "The review queue has identity checks and possible hits of sanctions lists. Take a case, compare, and decide.",
  },
  list: {
    title: "Import a sanctions list",
    why: "Receivers are compared with each list that is imported. A second user approves a new version.",
  },
  fund: {
    title: "Add funds",
    why: "Payouts are paid from the balance of the subaccount. In test mode you add test funds; live, the page says where to transfer money to.",
  },
  receiver: {
    title: "Add a receiver",
    why: "A receiver is a person or a business that you pay. Add the bank account too. The receiver can be paid once the identity check is completed.",
  },
  payout: {
    title: "Make a payout",
    why: "Choose the receiver and the amount. Before you confirm, the review shows the fee, the dates, and whether it needs approval.",
  },
  approve: {
    title: "Approve a payout",
    why: "A payout above the threshold waits for approval. The threshold is set in Settings.",
  },
};

const developerWords: Record<string, { title: string; why: string }> = {
  key: {
    title: "Create an API key",
    why: "Your program sends the key and signs each request with its secret. The secret is shown once. Keep it in the environment, never in the code.",
  },
  call: {
    title: "Make your first signed request",
    why: "It reads the subaccount of the key and changes nothing.",
  },
  receiver: {
    title: "Create a receiver",
    why: "A receiver is a person you pay. In the sandbox, the identity check is simulated.",
  },
  payout: {
    title: "Make your first payout",
    why: "It pays the receiver of the step before. In the sandbox, the money and the bank are simulated. The key needs the permission to pay out: only operators and admins create such keys.",
  },
  webhook: {
    title: "Receive your first webhook",
    why: "Every change of a payout or an identity check is sent to your endpoint, signed. Set the endpoint URL and try it with a test event.",
  },
};

export function StepPanel({
  step,
  number,
  isCurrent,
  children,
}: {
  step: Step;
  number: number;
  isCurrent: boolean;
  children: ReactNode;
}) {
  // The next step is open until the user opens or closes one.
  const [chosen, setChosen] = useState<boolean>();
  const isOpen = chosen ?? isCurrent;
  const id = useId();
  // Only developers have commands to copy.
  const words = step.ways ? developerWords : ownWords;
  const { title, why } = words[step.id] ?? { title: step.id, why: "" };
  return (
    <li
      className={styles.step}
      data-done={step.is_done || undefined}
      data-current={isCurrent || undefined}
    >
      <Title order={2} fz="sm">
        <UnstyledButton
          className={styles.head}
          onClick={() => setChosen(!isOpen)}
          aria-expanded={isOpen}
          aria-controls={id}
        >
          <span className={styles.badge}>
            {step.is_done ? <Check size={15} strokeWidth={2.6} aria-hidden /> : number}
          </span>
          <span className={styles.title}>
            {title}
            <VisuallyHidden>{step.is_done ? ", done" : ", not done yet"}</VisuallyHidden>
          </span>
          <ChevronDown
            size={16}
            className={styles.chevron}
            data-open={isOpen || undefined}
            aria-hidden
          />
        </UnstyledButton>
      </Title>
      {step.at !== null && (
        <Text size="xs" c="dimmed" className={styles.at}>
          <When ms={step.at} />
        </Text>
      )}
      {/* Without animation, so that nothing moves under the pointer. */}
      <Collapse expanded={isOpen} id={id} transitionDuration={0}>
        <div className={styles.body}>
          <Text size="sm" c="dimmed">
            {why}
          </Text>
          {step.ways && <Ways ways={step.ways} />}
          {children}
        </div>
      </Collapse>
    </li>
  );
}

function Ways({ ways }: { ways: Quickstart["steps"][number]["ways"] }) {
  return (
    <Tabs defaultValue={ways[0]?.label ?? null} variant="pills">
      <Tabs.List mb={8}>
        {ways.map(({ label }) => (
          <Tabs.Tab key={label} value={label} fz="xs" py={4} px={10}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {ways.map(({ label, text }) => (
        <Tabs.Panel key={label} value={label}>
          <CodeBlock text={text} label={label} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
