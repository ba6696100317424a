/** Resolves modules in Node.js as Vite does: names without an extension are TypeScript, and styles are empty modules. */
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    if (specifier.endsWith(".css")) return { url: "data:text/javascript,", shortCircuit: true };
    const isOurs = specifier.startsWith(".") && !context.parentURL?.includes("/node_modules/");
    const bare = isOurs && !/\.(ts|js|json)$/.test(specifier);
    return next(bare ? `${specifier}.ts` : specifier, context);
  },
});
