/** A small server whose behaviour a test scripts. */

import { type Client, connect } from "@boardkeeper/client";
import { Catalog } from "@boardkeeper/client/gen/boardkeeper/v1/catalog_pb";
import { Games } from "@boardkeeper/client/gen/boardkeeper/v1/games_pb";
import { History } from "@boardkeeper/client/gen/boardkeeper/v1/history_pb";
import { ErrorInfoSchema, RetryInfoSchema } from "@boardkeeper/client/gen/google/rpc/error_details_pb";
import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { type Code, ConnectError, createRouterTransport, type ServiceImpl } from "@connectrpc/connect";

export const GAME = "0f8fad5b-d9cb-469f-a165-70867728950e";

/** Return an error as the server makes them. */
export function failure(
  code: Code,
  reason: string,
  { values = {}, retryMs, text = "No." }: { values?: Record<string, string>; retryMs?: number; text?: string } = {},
): ConnectError {
  const details: { desc: DescMessage; value: MessageInitShape<DescMessage> }[] = [
    { desc: ErrorInfoSchema, value: create(ErrorInfoSchema, { reason, domain: "boardkeeper", metadata: values }) },
  ];
  if (retryMs !== undefined) details.push({ desc: RetryInfoSchema, value: { retryDelay: durationFromMs(retryMs) } });
  return new ConnectError(text, code, undefined, details as never);
}

/** Return a stream update with an event of a version. */
export const event = (version: number, name = "SomethingHappened") => ({
  update: { case: "event" as const, value: { gameId: GAME, version: BigInt(version), name } },
});

/** Return a heartbeat at a version. */
export const heartbeat = (version: number) => ({
  update: { case: "heartbeat" as const, value: { gameId: GAME, version: BigInt(version) } },
});

/** Return a client of a server with these handlers. */
export function served(
  games: Partial<ServiceImpl<typeof Games>>,
  how: Parameters<typeof connect>[0] = {},
  more: { history?: Partial<ServiceImpl<typeof History>>; catalog?: Partial<ServiceImpl<typeof Catalog>> } = {},
): Client {
  const transport = createRouterTransport((router) => {
    router.service(Games, games);
    router.service(History, more.history ?? {});
    router.service(Catalog, more.catalog ?? {});
  });
  return connect({ transport, ...how });
}

/** Return all items of an iterable. */
export async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}
