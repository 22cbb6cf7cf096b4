// The theme of the console: greys, one accent colour, Inter, dense.

import {
  type CSSVariablesResolver,
  createTheme,
  localStorageColorSchemeManager,
  type MantineColorsTuple,
} from "@mantine/core";
import { styleOf } from "./theme-parts.ts";

const accent: MantineColorsTuple = [
  "#f0f1fd",
  "#e0e2fa",
  "#bfc3f3",
  "#9ba1ec",
  "#7c84e4",
  "#616adb",
  "#545dd3",
  "#474fbd",
  "#3c43a3",
  "#2f3585",
];

/** From text to the page's ground, in the dark. */
const dark: MantineColorsTuple = [
  "#d5d7dd",
  "#b4b7c0",
  "#9a9ea9",
  "#6c707c",
  "#3a3d47",
  "#2a2d35",
  "#20222a",
  "#16181d",
  "#101217",
  "#0b0c10",
];

const gray: MantineColorsTuple = [
  "#f8f9fb",
  "#f1f2f5",
  "#e6e8ec",
  "#d9dce2",
  "#c3c7d0",
  "#9aa0ac",
  "#646b79",
  "#474d5a",
  "#2f343f",
  "#191c23",
];

const red: MantineColorsTuple = [
  "#fdf0ef",
  "#fadcda",
  "#f3b8b4",
  "#ea8f89",
  "#e06b64",
  "#d5504a",
  "#c03a34",
  "#a52e29",
  "#872622",
  "#691d1a",
];

/** A ground with its text, for badges, alerts and statuses: first in the light, then in the dark. */
const tones = {
  accent: ["#eceffd", "#3f48b5", "#1f2342", "#aab0f5"],
  red: ["#fdebea", "#b3261e", "#331b1c", "#f59a93"],
  teal: ["#e5f5ec", "#146c43", "#12291f", "#6fd3a2"],
  yellow: ["#fdf2dc", "#8a5300", "#32260f", "#edbc66"],
  orange: ["#fdf2dc", "#8a5300", "#32260f", "#edbc66"],
  blue: ["#e6f3fb", "#0b6190", "#13283a", "#7fc4ee"],
  gray: ["#eff0f3", "#555c69", "#24272f", "#a9adb8"],
} as const;

function toneVariables(scheme: "light" | "dark"): Record<string, string> {
  return Object.fromEntries(
    Object.entries(tones).flatMap(([name, [ground, text, darkGround, darkText]]) => [
      [`--mantine-color-${name}-light`, scheme === "light" ? ground : darkGround],
      [`--mantine-color-${name}-light-color`, scheme === "light" ? text : darkText],
    ]),
  );
}

export const theme = createTheme({
  colors: { accent, dark, gray, red },
  primaryColor: "accent",
  primaryShade: 6,
  autoContrast: true,
  black: "#191c23",
  defaultRadius: "md",
  radius: { xs: "3px", sm: "5px", md: "7px", lg: "10px", xl: "14px" },
  fontFamily:
    '"Inter Variable", -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", system-ui, sans-serif',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  /** The only sizes: also the styles of single screens use no other. */
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "21px" },
  fontWeights: { regular: "400", medium: "500", bold: "650" },
  lineHeights: { xs: "1.4", sm: "1.45", md: "1.5", lg: "1.5", xl: "1.4" },
  spacing: { xs: "8px", sm: "12px", md: "16px", lg: "20px", xl: "28px" },
  headings: {
    fontWeight: "600",
    sizes: {
      h1: { fontSize: "21px", lineHeight: "1.3" },
      h2: { fontSize: "16px", lineHeight: "1.4" },
      h3: { fontSize: "14px", lineHeight: "1.4" },
    },
  },
  shadows: {
    xs: "0 1px 2px rgb(16 18 23 / 5%)",
    sm: "0 1px 3px rgb(16 18 23 / 8%)",
    md: "0 6px 20px rgb(16 18 23 / 10%), 0 1px 3px rgb(16 18 23 / 8%)",
    lg: "0 12px 32px rgb(16 18 23 / 14%), 0 2px 6px rgb(16 18 23 / 8%)",
  },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: styleOf,
});

/** Names for the grounds and lines that all parts share. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...toneVariables("light"),
    "--page-ground": "#fbfbfc",
    "--panel-ground": "#ffffff",
    "--panel-raised": "#ffffff",
    "--panel-hover": "#f5f6f8",
    "--line": "#e6e8ec",
    "--line-strong": "#d3d7de",
    "--text-quiet": "#5b6270",
    "--mantine-color-dimmed": "#5b6270",
    "--mantine-color-placeholder": "#6b7280",
    "--mantine-color-error": "#c22a2a",
    "--mantine-color-anchor": "#474fbd",
    "--mantine-color-default-border": "#d9dce2",
  },
  dark: {
    ...toneVariables("dark"),
    "--page-ground": "#101217",
    "--panel-ground": "#16181d",
    "--panel-raised": "#1c1f26",
    "--panel-hover": "#1d2027",
    "--line": "#262932",
    "--line-strong": "#363a45",
    "--text-quiet": "#9a9ea9",
    "--mantine-color-body": "#16181d",
    "--mantine-color-text": "#e3e5ea",
    "--mantine-color-dimmed": "#9a9ea9",
    "--mantine-color-placeholder": "#8b8f9a",
    "--mantine-color-error": "#f27c7c",
    "--mantine-color-anchor": "#a7acef",
    "--mantine-color-default-border": "#363a45",
  },
});

export const colorScheme = localStorageColorSchemeManager({ key: "disburse-scheme" });
