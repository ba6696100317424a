// The custom element as one module, embed/boardkeeper-table.js. Its name has no hash, because pages of other sites refer to it.
// It contains all styles for a shadow root: rules for the page apply to the element, and its width replaces the screen's.
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

const scopeToElement = (css: string): string =>
  css
    .replace(/:root\[data-theme="?(\w+)"?\]/g, ':host([theme="$1"])')
    .replace(/:root\b/g, ":host")
    .replace(/@media\s*\(((?:max|min)-width:)/g, "@container ($1");

function embedStyles(): Plugin {
  return {
    name: "embed-styles",
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
        part.code = part.code.replaceAll("globalThis.BOARDKEEPER_STYLES", () => JSON.stringify(scopeToElement(css)));
      }
    },
  };
}

export default defineConfig({
  base: "./",
  publicDir: false,
  plugins: [svelte(), embedStyles()],
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
