import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";

export default defineConfig({
  // Any folder of any host will do: nothing is asked for from the root.
  base: "./",
  plugins: [svelte()],
  build: {
    outDir: "../../service/boardkeeper/service/web/client",
    emptyOutDir: true,
    // What is fetched is a file: the policy of the page lets no other addresses through.
    assetsInlineLimit: (file) => (file.endsWith(".json") ? false : undefined),
    target: "es2022",
  },
});
