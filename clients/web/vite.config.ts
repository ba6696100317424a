import { readdirSync, readFileSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

/** Adds the exported titles as files in `titles`, which the page of records and embedded tables fetch. */
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

/** The server accepts calls only from its own pages, so the Host header must be unchanged. */
const SERVICE = { target: "http://localhost:8050", changeOrigin: false };

export default defineConfig({
  // The client works in any folder of a host, because it requests nothing from the root.
  base: "./",
  plugins: [svelte(), titles()],
  // `npx vite` serves the sources; a running server answers calls and serves the exported titles.
  optimizeDeps: { entries: ["index.html"] },
  server: { proxy: { "/boardkeeper.v1.": SERVICE, "/titles/": SERVICE } },
  build: {
    outDir: "../../service/boardkeeper/service/transport/client",
    emptyOutDir: true,
    target: "es2022",
  },
});
