// ⌘K: finds receivers, payouts and other objects by words, amounts, codes and IDs, subaccounts by name, and every page, tab
// and action.

import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight } from "@mantine/spotlight";
import type { Hit, Hits } from "@server/doors/console/search/schema.ts";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { get } from "../api/call.ts";
import { useCurrentSubaccount, useFramedSubaccount, useMe } from "../api/me.ts";
import { type Subaccount, useSubaccountOf } from "../api/subaccounts.ts";
import {
  ArrowLeftRight,
  Building2,
  CircleAlert,
  type Icon,
  Landmark,
  Layers,
  SearchIcon,
  SquareTerminal,
  Users,
  Webhook,
} from "../parts/icons.tsx";
import { Marked } from "../parts/marked.tsx";
import { SubaccountField } from "../parts/subaccount-field.tsx";
import { parseSearch } from "../state/filters.ts";
import { shellTexts } from "../texts/shell.ts";
import { foundPages } from "./found-pages.ts";
import { addressIn, isOfCompany, type Page, pageTitle } from "./pages.ts";
import styles from "./search.module.css";

type Kind = { label: string; icon: Icon; pageOf: (hit: Hit) => string };

/** In the order of the groups. */
const kinds: Record<string, Kind> = {
  receiver: {
    label: shellTexts.receivers,
    icon: Users,
    pageOf: ({ id }) => `receivers/${id}`,
  },
  payout: {
    label: shellTexts.payouts,
    icon: ArrowLeftRight,
    pageOf: ({ id }) => `payouts/${id}`,
  },
  batch: {
    label: "Payout batches",
    icon: Layers,
    pageOf: ({ id }) => `payouts?batch_id=${id}`,
  },
  account: {
    label: "Bank accounts",
    icon: Landmark,
    pageOf: ({ receiver_id }) => `receivers/${receiver_id}`,
  },
  code: {
    label: "Error codes",
    icon: CircleAlert,
    pageOf: ({ id }) => `requests?code=${id}`,
  },
  event: {
    label: "Events",
    icon: Webhook,
    pageOf: ({ id }) => `webhooks/events/${id}`,
  },
  request: {
    label: shellTexts.apiRequests,
    icon: SquareTerminal,
    pageOf: ({ id }) => `requests/${id}`,
  },
  subaccount: { label: shellTexts.subaccounts, icon: Building2, pageOf: () => "overview" },
};

/** An ID is searched in all subaccounts when the searched one does not have it. Other texts only in that one. */
const idPattern = /^(evt_(test_)?)?[0-9a-f]{8}-[0-9a-f-]{27}$/i;

/** One letter finds too much; one character of Chinese is a family name. */
function isSearched(text: string): boolean {
  return text.length >= 2 || /[^ -~]/.test(text);
}

export function Search() {
  const [text, setText] = useState("");
  const typed = text.trim();
  const [asked] = useDebouncedValue(typed, 150);
  const me = useMe();
  const framed = useFramedSubaccount();
  const current = useCurrentSubaccount();
  // On pages across subaccounts one of them is searched by words, which has to be said.
  const [chosenId, setChosenId] = useState<string>();
  const chosen = useSubaccountOf(chosenId);
  const subaccount = framed ?? chosen ?? current;
  const isToChoose = !framed && (me.has_more_subaccounts || me.subaccounts.length > 1);
  const navigate = useNavigate();
  const { data, isFetching, isError } = useQuery({
    queryKey: [subaccount?.id, "search", asked],
    queryFn: async ({ signal }) => {
      const inView = await get<Hits>(`/s/${subaccount?.id}/search`, { q: asked }, signal);
      if (inView.hits.length > 0 || !idPattern.test(asked)) return inView;
      return get<Hits>("/search", { q: asked }, signal);
    },
    enabled: subaccount !== undefined && isSearched(asked),
    retry: false,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.words_since == null ? false : 3000),
  });
  const go = (address: string) => {
    const [to, search = ""] = address.split("?");
    void navigate({ to: to as never, search: parseSearch(search) as never });
  };
  const hits = isSearched(typed) && isSearched(asked) ? (data?.hits ?? []) : [];
  const since = hits === data?.hits || isSearched(typed) ? data?.words_since : undefined;
  const pages = foundPages(me, subaccount, typed);
  const isWaiting = isFetching || asked !== typed;
  const shown = [...hits.map(({ id }) => id), ...pages.map(pageTitle)];
  const shownKey = typed === "" ? "" : shown.join("\n");
  // Results arrive after the text was typed: Enter opens the first of them.
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (shownKey === "" || !list.current) return;
    list.current.querySelector("[data-selected]")?.removeAttribute("data-selected");
    list.current.querySelector("[data-action]")?.setAttribute("data-selected", "true");
  }, [shownKey]);

  return (
    <Spotlight.Root
      query={text}
      onQueryChange={setText}
      shortcut={null}
      centered={false}
      attributes={{ content: { "aria-label": shellTexts.search } }}
      yOffset="12vh"
      overlayProps={{ backgroundOpacity: 0.4, blur: 0 }}
      maxHeight={480}
      scrollable
    >
      <Spotlight.Search
        placeholder="Name, email, reference, amount, code, ID, page or action"
        aria-label={shellTexts.search}
        leftSection={<SearchIcon size={17} aria-hidden />}
      />
      <Spotlight.ActionsList ref={list}>
        {Object.entries(kinds).map(([kind, { label, icon, pageOf }]) => {
          const ofKind = hits.filter((hit) => hit.kind === kind);
          if (ofKind.length === 0) return null;
          return (
            <Spotlight.ActionsGroup key={kind} label={label}>
              {ofKind.map((hit) => (
                <HitRow
                  key={hit.id}
                  hit={hit}
                  icon={icon}
                  onClick={() => go(`/s/${hit.subaccount_id}/${pageOf(hit)}`)}
                />
              ))}
            </Spotlight.ActionsGroup>
          );
        })}
        <Pages pages={pages} subaccount={subaccount} onChoose={go} />
        {hits.length + pages.length === 0 && (
          <Spotlight.Empty>
            {isError && !isWaiting
              ? "The search failed. Try again."
              : isWaiting
                ? "Searching…"
                : "No matches"}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
      {isToChoose && subaccount && (
        <Spotlight.Footer className={styles.scope}>
          <SubaccountField
            label="Searched subaccount"
            placeholder={shellTexts.nameOrId}
            value={subaccount.id}
            onChange={(id) => setChosenId(id ?? undefined)}
            size="xs"
            allowDeselect={false}
            withAsterisk={false}
            // Above the search.
            comboboxProps={{ zIndex: "var(--mantine-z-index-max)" }}
          />
          <span className={styles.note}>
            Names, references, amounts and account numbers are searched in this subaccount only.
            Whole IDs are found in all of them.
          </span>
        </Spotlight.Footer>
      )}
      {since != null && (
        <Spotlight.Footer>
          <span role="status" className={styles.note}>
            {`Older receivers and payouts are being added to the search, newest first. Until ${new Date(since).toLocaleDateString("en-GB", { dateStyle: "medium" })} all are in. Older ones are found by whole email, reference or ID.`}
          </span>
        </Spotlight.Footer>
      )}
    </Spotlight.Root>
  );
}

function HitRow({ hit, icon: Icon, onClick }: { hit: Hit; icon: Icon; onClick: () => void }) {
  return (
    <Spotlight.Action onClick={onClick}>
      <span className={styles.hit}>
        <Icon size={16} strokeWidth={1.8} aria-hidden />
        <span className={styles.texts}>
          <span className={styles.title}>
            <Marked text={hit.title} marks={hit.title_marks} />
          </span>
          {hit.detail && (
            <span className={styles.detail}>
              <Marked text={hit.detail} marks={hit.detail_marks} />
            </span>
          )}
        </span>
      </span>
    </Spotlight.Action>
  );
}

function Pages({
  pages,
  subaccount,
  onChoose,
}: {
  pages: readonly Page[];
  subaccount: Subaccount | undefined;
  onChoose: (address: string) => void;
}) {
  if (pages.length === 0) return null;
  return (
    <Spotlight.ActionsGroup label="Pages and actions">
      {pages.map((page) => {
        const { icon: Icon, isAway } = page;
        const address = addressIn(page, subaccount);
        return (
          <Spotlight.Action
            key={pageTitle(page)}
            label={pageTitle(page)}
            classNames={{ actionSection: styles.section as string }}
            leftSection={<Icon size={16} strokeWidth={1.8} aria-hidden />}
            rightSection={<span className={styles.where}>{scopeOf(page, subaccount)}</span>}
            onClick={() => (isAway ? window.location.assign(address) : onChoose(address))}
          />
        );
      })}
    </Spotlight.ActionsGroup>
  );
}

/** Whose page it is. */
function scopeOf(page: Page, subaccount: Subaccount | undefined): string {
  if (isOfCompany(page)) return "Company";
  return page.to.startsWith("/") ? "" : (subaccount?.name ?? "");
}
