// Builds the console's page. Only types are imported from the server, and they are erased.

import react from "@vitejs/plugin-react";
import presetMantine from "postcss-preset-mantine";
import { defineConfig, type Plugin } from "vite";

const service = "http://localhost:8080";
const base = "/console/";

/**
 * A slow link waits for each file, not for each byte. So there are few files: the page itself, what most screens share,
 * and the screens in groups that are used together. The first group with the highest priority takes a module.
 */
const groups = [
  { name: "page", tags: ["$initial" as const], priority: 9 },
  {
    name: "parts",
    test: /node_modules|src[\\/]((api|parts|shell|state|texts)[\\/]|overview[\\/]figures)/,
    priority: 8,
  },
  { name: "overview", test: /src[\\/]overview[\\/]/, priority: 6 },
  {
    name: "payouts",
    test: /src[\\/](payouts|batches|receivers|imports|balances|approvals|reviews)[\\/]/,
    priority: 5,
  },
  {
    name: "banks",
    test: /src[\\/](banks|bank-inbound|suspense|statements|reconcile)[\\/]/,
    priority: 4,
  },
  { name: "screens", test: /src[\\/]/, priority: 3 },
];

/**
 * Loaded together with the page, instead of when its script or style asks for it: the shared parts, which the server leaves
 * out for the sign-in page, and the font of Latin letters. Other scripts have fonts that load when they are needed.
 */
const preloads: Plugin = {
  name: "preloads",
  transformIndexHtml: {
    order: "post",
    handler(_html, { bundle }) {
      const files = Object.values(bundle ?? {});
      const link = (found: { fileName: string } | undefined, attrs: Record<string, string>) =>
        found
          ? [
              {
                tag: "link",
                attrs: { ...attrs, crossorigin: "", href: base + found.fileName },
                injectTo: "head" as const,
              },
            ]
          : [];
      return [
        ...link(
          files.find(({ name }) => name === "parts"),
          { rel: "modulepreload" },
        ),
        ...link(
          files.find(({ fileName }) => /inter-latin-wght.*woff2$/.test(fileName)),
          { rel: "preload", as: "font", type: "font/woff2" },
        ),
      ];
    },
  },
};

export default defineConfig({
  base,
  root: import.meta.dirname,
  plugins: [react(), preloads],
  css: { postcss: { plugins: [presetMantine()] } },
  // The server puts a fresh nonce in this place of every answer.
  html: { cspNonce: "{{nonce}}" },
  // `npm run dev:console`: pages that change as one writes them, before a service that runs beside it.
  server: {
    proxy: {
      "/console/api": { target: service, headers: { origin: service } },
      "/docs": service,
    },
  },
  build: {
    target: "es2024",
    cssTarget: ["chrome129", "firefox129", "safari18"],
    manifest: true,
    // An asset within a style or a script would ask for a weaker policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    cssCodeSplit: false,
    rolldownOptions: { output: { codeSplitting: { groups } } },
    // budget.ts measures, and says no.
    chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
  },
});
