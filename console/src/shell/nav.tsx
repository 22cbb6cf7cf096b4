// The navigation on the left.

import { NavLink, Text, VisuallyHidden } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import { useCurrentSubaccount, useMe } from "../api/me.ts";
import { ExternalLink } from "../parts/icons.tsx";
import { isSeen, type NavItem, navGroups } from "./nav-items.ts";
import styles from "./shell.module.css";
import { useWaiting } from "./waiting.ts";

export function Nav({ onNavigate }: { onNavigate: () => void }) {
  const me = useMe();
  const subaccount = useCurrentSubaccount();
  return (
    <div className={styles.navScroll}>
      {navGroups.map(({ label, items }) => {
        const seen = items.filter((item) => isSeen(item, me) && (!item.page || subaccount));
        if (seen.length === 0) return null;
        return (
          <div key={label ?? ""} className={styles.navGroup}>
            {label && <Text className={styles.navLabel}>{label}</Text>}
            {seen.map((item) => (
              <Item
                key={item.label}
                item={item}
                subaccountId={subaccount?.id}
                onClick={onNavigate}
              />
            ))}
          </div>
        );
      })}
    </div>
  );
}

function Item({
  item,
  subaccountId,
  onClick,
}: {
  item: NavItem;
  subaccountId: string | undefined;
  onClick: () => void;
}) {
  const { label, icon: Icon, page, href, badge } = item;
  const { pathname } = useLocation();
  const waiting = useWaiting(badge);
  const shared = {
    label,
    className: styles.navItem as string,
    leftSection: <Icon size={16} strokeWidth={1.8} aria-hidden />,
  };
  if (href) {
    const rightSection = (
      <ExternalLink size={13} aria-hidden className={styles.navAway as string} />
    );
    return <NavLink {...shared} href={href} rightSection={rightSection} />;
  }
  const to = page ? `/s/${subaccountId}/${page}` : (item.to as string);
  const isActive = pathname === to || pathname.startsWith(`${to}/`);
  return (
    <NavLink
      {...shared}
      active={isActive}
      rightSection={waiting && <WaitingBadge count={waiting} />}
      onClick={onClick}
      renderRoot={(props) => (
        <Link {...props} to={to as never} aria-current={isActive ? "page" : undefined} />
      )}
    />
  );
}

function WaitingBadge({ count }: { count: string }) {
  return (
    <span className={styles.badge}>
      {count}
      <VisuallyHidden> waiting</VisuallyHidden>
    </span>
  );
}
