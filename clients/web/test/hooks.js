/** Lets Node read the client's modules as Vite does: names without an ending are of TypeScript, and styles are no code. */
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.endsWith(".css")) return { url: "data:text/javascript,", shortCircuit: true };
    const isOurs = specifier.startsWith(".") && !context.parentURL?.includes("/node_modules/");
    const bare = isOurs && !/\.(ts|js|json)$/.test(specifier);
    return next(bare ? `${specifier}.ts` : specifier, context);
  },
});
