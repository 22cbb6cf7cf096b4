// Default styles of Mantine's components.

import type { MantineThemeComponents } from "@mantine/core";

/** By name: `Button.extend` would load every component at once. */
export const styleOf: MantineThemeComponents = {
  Button: {
    defaultProps: { size: "sm", fw: 500 },
    vars: (_theme: unknown, { size }: { size?: string }) =>
      size === "sm"
        ? { root: { "--button-height": "32px", "--button-padding-x": "12px" } }
        : { root: {} },
  },
  Badge: { defaultProps: { variant: "light", radius: "sm", tt: "none", fw: 500 } },
  Paper: { defaultProps: { withBorder: true, shadow: "none" } },
  Card: { defaultProps: { withBorder: true, shadow: "none", padding: "md" } },
  Modal: {
    defaultProps: {
      centered: true,
      overlayProps: { backgroundOpacity: 0.4 },
      transitionProps: { duration: 120 },
      closeButtonProps: { "aria-label": "Close" },
    },
    styles: { title: { fontWeight: 600, fontSize: "16px" } },
  },
  Drawer: {
    defaultProps: {
      position: "right",
      size: "lg",
      transitionProps: { duration: 140 },
      closeButtonProps: { "aria-label": "Close" },
    },
    styles: { title: { fontWeight: 600, fontSize: "16px" } },
  },
  Notification: { defaultProps: { closeButtonProps: { "aria-label": "Close" } } },
  Menu: {
    defaultProps: {
      shadow: "md",
      transitionProps: { duration: 80 },
      // Among the items it would be something that is none.
      withInitialFocusPlaceholder: false,
    },
  },
  Tooltip: {
    defaultProps: { openDelay: 250, transitionProps: { duration: 80 }, multiline: true },
  },
  Table: { defaultProps: { verticalSpacing: 9, horizontalSpacing: "sm" } },
  Tabs: { defaultProps: { keepMounted: false } },
  SegmentedControl: { defaultProps: { size: "xs" } },
  TextInput: { defaultProps: { size: "sm" } },
  PasswordInput: { defaultProps: { size: "sm" } },
  NumberInput: { defaultProps: { size: "sm", hideControls: true } },
  Textarea: { defaultProps: { size: "sm", autosize: true, minRows: 3 } },
  Select: {
    defaultProps: { size: "sm", checkIconPosition: "right", comboboxProps: { shadow: "md" } },
  },
};
