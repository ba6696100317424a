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

/** It takes calls of its own pages, so it has to be asked by the name that the page has. */
const SERVICE = { target: "http://localhost:8050", changeOrigin: false };

export default defineConfig({
  // Any folder of any host will do: nothing is asked for from the root.
  base: "./",
  plugins: [svelte(), titles()],
  // What `npx vite` shows are the sources. A service that runs beside it answers calls, and has what is known of titles.
  optimizeDeps: { entries: ["index.html"] },
  server: { proxy: { "/boardkeeper.v1.": SERVICE, "/titles/": SERVICE } },
  build: {
    outDir: "../../service/boardkeeper/service/transport/client",
    emptyOutDir: true,
    target: "es2022",
  },
});
