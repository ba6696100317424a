import { readdirSync, readFileSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

/** What is known of titles, as files in `titles`: the page of records fetches them, and so do tables in pages of other sites. */
function titles(): Plugin {
  const folder = new URL("./src/gen/", import.meta.url);
  return {
    name: "titles",
    generateBundle() {
      for (const name of readdirSync(folder))
        this.emitFile({ type: "asset", fileName: `titles/${name}`, source: readFileSync(new URL(name, folder)) });
    },
  };
}

export default defineConfig({
  // Any folder of any host will do: nothing is asked for from the root.
  base: "./",
  plugins: [svelte(), titles()],
  build: {
    outDir: "../../service/boardkeeper/service/web/client",
    emptyOutDir: true,
    target: "es2022",
  },
});
