// Builds the console's page. Only types are imported from the server, and they are erased.

import react from "@vitejs/plugin-react";
import presetMantine from "postcss-preset-mantine";
import { defineConfig } from "vite";

const service = "http://localhost:8080";

export default defineConfig({
  base: "/console/",
  root: import.meta.dirname,
  plugins: [react()],
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
    // budget.ts measures, and says no.
    chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
  },
});
