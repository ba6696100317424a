/**
 * Boardkeeper for browsers and for Node.
 *
 * @packageDocumentation
 */
export * from "./gen/boardkeeper/v1/catalog_pb.js";
export * from "./gen/boardkeeper/v1/effect_pb.js";
export * from "./gen/boardkeeper/v1/event_pb.js";
export * from "./gen/boardkeeper/v1/game_pb.js";
export * from "./gen/boardkeeper/v1/games_pb.js";
