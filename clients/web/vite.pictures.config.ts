// The picture engine: one script without a DOM, which the Python command line runs in an embedded JavaScript engine, with
// the fonts of pictures and the exported titles.
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

const LIBRARY = new URL("./src/gen/", import.meta.url);
const FONTS = createRequire(import.meta.url)
  .resolve("dejavu-fonts-ttf/package.json")
  .replace("package.json", "");
const FONT_FILES = { regular: "DejaVuSans.ttf", bold: "DejaVuSans-Bold.ttf", serif: "DejaVuSerif-Bold.ttf" };

const font = (name: string): Buffer => readFileSync(`${FONTS}ttf/${name}`);

/** Return the advance widths of characters below U+2800 at size 1, from the tables `cmap`, `hmtx`, `hhea` and `head`. */
function advancesOf(file: Buffer): Record<number, number> {
  const tables = new Map<string, number>();
  for (let at = 12; at < 12 + 16 * file.readUInt16BE(4); at += 16)
    tables.set(file.toString("latin1", at, at + 4), file.readUInt32BE(at + 8));
  const table = (name: string): number => tables.get(name) ?? 0;
  const unit = file.readUInt16BE(table("head") + 18);
  const measured = file.readUInt16BE(table("hhea") + 34);
  const cmap = table("cmap");
  let map = 0;
  for (let at = cmap + 4; at < cmap + 4 + 8 * file.readUInt16BE(cmap + 2); at += 8) {
    const found = cmap + file.readUInt32BE(at + 4);
    if (file.readUInt16BE(found) === 4) map = found; // segments of the basic plane
  }
  if (map === 0) throw new Error("the font has no letters");
  const size = file.readUInt16BE(map + 6);
  const advances: Record<number, number> = {};
  for (let at = 0; at < size; at += 2) {
    const [end, start] = [file.readUInt16BE(map + 14 + at), file.readUInt16BE(map + 16 + size + at)];
    const delta = file.readUInt16BE(map + 16 + 2 * size + at);
    const place = map + 16 + 3 * size + at;
    const offset = file.readUInt16BE(place);
    for (let code = start; code <= Math.min(end, 0x27ff); code++) {
      const listed = offset === 0 ? code : file.readUInt16BE(place + offset + 2 * (code - start));
      const glyph = offset !== 0 && listed === 0 ? 0 : (listed + delta) & 0xffff;
      if (glyph === 0) continue;
      const advance = file.readUInt16BE(table("hmtx") + 4 * Math.min(glyph, measured - 1));
      advances[code] = Math.round((advance / unit) * 1000) / 1000;
    }
  }
  return advances;
}

/** Adds `virtual:advances`, the fonts and the exported titles; styles are part of the script as text. */
function addFiles(): Plugin {
  return {
    name: "add-files",
    resolveId: (id) => (id === "virtual:advances" ? "\0advances" : undefined),
    load(id) {
      if (id !== "\0advances") return;
      const { regular, bold } = FONT_FILES;
      return `export default ${JSON.stringify({ regular: advancesOf(font(regular)), bold: advancesOf(font(bold)) })}`;
    },
    generateBundle(_, bundle) {
      for (const name of Object.keys(bundle)) if (name.endsWith(".css")) delete bundle[name];
      for (const name of readdirSync(LIBRARY)) {
        const source = readFileSync(new URL(name, LIBRARY));
        this.emitFile({ type: "asset", fileName: `titles/${name}`, source });
      }
      for (const name of Object.values(FONT_FILES))
        this.emitFile({ type: "asset", fileName: `fonts/${name}`, source: font(name) });
      this.emitFile({ type: "asset", fileName: "fonts/LICENSE", source: readFileSync(`${FONTS}LICENSE`) });
    },
  };
}

export default defineConfig({
  publicDir: false,
  plugins: [svelte(), addFiles()],
  ssr: { noExternal: true, target: "webworker" },
  build: {
    outDir: "../terminal/boardkeeper/terminal/pictures/made",
    emptyOutDir: true,
    target: "es2022",
    minify: true,
    ssr: "src/pictures/script.ts",
    ssrEmitAssets: true,
    rolldownOptions: {
      external: ["node:async_hooks"], // imported for async code, which this script does not have
      output: { format: "iife", name: "pictures", entryFileNames: "pictures.js", codeSplitting: false },
    },
  },
});
