// The keyboard shortcuts of the page that is open: those of every page, of lists, and of its own buttons.

import { Kbd, Modal, Stack, Text } from "@mantine/core";
import { hasOwnKeys, rowLinks } from "./row-keys.ts";
import styles from "./shell.module.css";
import { closeShortcuts, searchKeys, useAreShortcutsOpen } from "./shortcuts-open.ts";

type Shortcut = { keys: readonly string[]; does: string };

const always: readonly Shortcut[] = [
  { keys: [searchKeys], does: "Search, and go to any page" },
  { keys: ["?"], does: "Show these shortcuts" },
  { keys: ["Esc"], does: "Close a dialog or a menu" },
];

const ofLists: readonly Shortcut[] = [
  { keys: ["J", "K"], does: "Next and previous row" },
  { keys: ["Enter"], does: "Open the row" },
];

export function Shortcuts() {
  const isOpen = useAreShortcutsOpen();
  return (
    <Modal opened={isOpen} onClose={closeShortcuts} title="Keyboard shortcuts" size="sm">
      {isOpen && <OfThisPage />}
    </Modal>
  );
}

function OfThisPage() {
  const own = ownShortcuts();
  const lists = rowLinks().length > 0 && !hasOwnKeys();
  return (
    <Stack gap="md">
      <List label="On every page" shortcuts={always} />
      {lists && <List label="In lists" shortcuts={ofLists} />}
      {own.length > 0 && <List label="On this page" shortcuts={own} />}
    </Stack>
  );
}

function List({ label, shortcuts }: { label: string; shortcuts: readonly Shortcut[] }) {
  return (
    <section aria-label={label}>
      <Text size="xs" c="dimmed" mb={4}>
        {label}
      </Text>
      <dl className={styles.shortcuts}>
        {shortcuts.map(({ keys, does }) => (
          <div key={does}>
            <dt>{does}</dt>
            <dd>
              {keys.map((key) => (
                <Kbd key={key} size="xs">
                  {key}
                </Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** What the page's own controls say of themselves. */
function ownShortcuts(): readonly Shortcut[] {
  const found = document.querySelectorAll<HTMLElement>("main [aria-keyshortcuts]");
  return [...found].map((control) => ({
    keys: control.getAttribute("aria-keyshortcuts")?.split(" ") ?? [],
    does: control.ariaLabel ?? textOf(control),
  }));
}

/** Without what is hidden from screen readers, such as the drawing of the key. */
function textOf(control: HTMLElement): string {
  const copy = control.cloneNode(true) as HTMLElement;
  for (const hidden of copy.querySelectorAll("[aria-hidden]")) hidden.remove();
  const text = (copy.textContent ?? "").trim().replace(/…$/, "");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
