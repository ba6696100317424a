// The package exports what its documentation promises.
import assert from "node:assert/strict";
import { test } from "node:test";
import { EffectSchema, Games } from "@boardkeeper/client";

test("the package exports messages and services of the API", () => {
  assert.equal(EffectSchema.typeName, "boardkeeper.v1.Effect");
  assert.equal(Games.method.watchGame.methodKind, "server_streaming");
});
