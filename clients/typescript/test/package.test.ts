// What a user of the package imports is there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { EffectSchema, Games } from "@boardkeeper/client";

test("the package has the messages and services of the contract", () => {
  assert.equal(EffectSchema.typeName, "boardkeeper.v1.Effect");
  assert.equal(Games.method.watchGame.methodKind, "server_streaming");
});
