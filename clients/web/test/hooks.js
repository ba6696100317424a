/** Lets Node read the client's modules as Vite does: names without an ending are of TypeScript. */
import { registerHooks } from "node:module";

registerHooks({
  resolve(specifier, context, next) {
    const bare = specifier.startsWith(".") && !/\.(ts|js|json)$/.test(specifier);
    return next(bare ? `${specifier}.ts` : specifier, context);
  },
});
