// The custom element as one module, embed/boardkeeper-table.js, at an address that stays the same: pages of other sites name it.
// All styles are within it, for a shadow root: what is the page's there is the element's here, and its width counts, not the screen's.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

const scoped = (css: string): string =>
  css
    .replace(/:root\[data-theme="?(\w+)"?\]/g, ':host([theme="$1"])')
    .replace(/:root\b/g, ":host")
    .replace(/@media\s*\(((?:max|min)-width:)/g, "@container ($1");

function styled(): Plugin {
  return {
    name: "styled",
    enforce: "post",
    generateBundle(_, bundle) {
      let css = "";
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type !== "asset") continue;
        if (!name.endsWith(".css")) throw new Error(`${name} cannot be put into the module`);
        css += part.source;
        delete bundle[name];
      }
      for (const part of Object.values(bundle)) {
        if (part.type !== "chunk") continue;
        part.code = part.code.replaceAll("globalThis.BOARDKEEPER_STYLES", () => JSON.stringify(scoped(css)));
      }
    },
  };
}

export default defineConfig({
  base: "./",
  publicDir: false,
  plugins: [svelte(), styled()],
  define: { STYLES: "globalThis.BOARDKEEPER_STYLES" },
  build: {
    outDir: "../../service/boardkeeper/service/transport/client/embed",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    rolldownOptions: {
      input: "src/embed/element.svelte.ts",
      preserveEntrySignatures: "exports-only",
      output: { codeSplitting: false, entryFileNames: "boardkeeper-table.js" },
    },
  },
});
