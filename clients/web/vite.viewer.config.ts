// The viewer of records as one HTML file that also works from a disk. It contains scripts, styles and the exported titles,
// and its content security policy allows no other scripts.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

const LIBRARY = new URL("./src/gen/", import.meta.url);

/** Adds `virtual:library`: the files of `src/gen` in gzip and base64, by name. */
function library(): Plugin {
  return {
    name: "library",
    resolveId: (id) => (id === "virtual:library" ? "\0library" : undefined),
    load(id) {
      if (id !== "\0library") return;
      const packed = readdirSync(LIBRARY).map((name) => [
        name.replace(/\.json$/, ""),
        gzipSync(readFileSync(new URL(name, LIBRARY)), { level: 9 }).toString("base64"),
      ]);
      return `export default ${JSON.stringify(Object.fromEntries(packed))}`;
    },
  };
}

const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** Moves script and style into the page, with a content security policy that contains their hashes. */
function inlineAssets(): Plugin {
  return {
    name: "inline-assets",
    enforce: "post",
    generateBundle(_, bundle) {
      const page = bundle["viewer.html"];
      if (page?.type !== "asset") throw new Error("there is no page");
      const scripts: string[] = [];
      const styles: string[] = [];
      for (const [name, part] of Object.entries(bundle)) {
        if (part === page) continue;
        // Escape end tags in scripts; in JavaScript they occur only in strings.
        if (part.type === "chunk") scripts.push(part.code.replace(/<(?=\/script|!--)/gi, "\\x3c"));
        else if (name.endsWith(".css")) styles.push(String(part.source));
        else throw new Error(`${name} cannot be put into the page`);
        delete bundle[name];
      }
      const policy = {
        "default-src": "'none'",
        "script-src": scripts.map(hash).join(" "),
        "style-src": styles.map(hash).join(" "),
        "img-src": "data:",
        "connect-src": "http: https:", // records can be on any server that allows it
        "base-uri": "'none'",
        "form-action": "'none'",
      };
      const content = Object.entries(policy)
        .map(([name, value]) => `${name} ${value}`)
        .join("; ");
      const head = `<meta http-equiv="Content-Security-Policy" content="${content}">`;
      const html = String(page.source)
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/g, "")
        .replace(/<meta charset="utf-8">/, (charset) => `${charset}\n    ${head}`)
        .replace("</head>", () => `${styles.map((text) => `<style>${text}</style>`).join("")}\n  </head>`)
        .replace(
          "</body>",
          () => `${scripts.map((text) => `<script type="module">${text}</script>`).join("")}\n  </body>`,
        );
      page.source = html;
      page.fileName = "boardkeeper.html";
    },
  };
}

export default defineConfig({
  base: "./",
  publicDir: false,
  plugins: [svelte(), library(), inlineAssets()],
  build: {
    outDir: "../python/boardkeeper/client/viewer",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    cssCodeSplit: false,
    rolldownOptions: { input: "viewer.html", output: { codeSplitting: false } },
  },
});
