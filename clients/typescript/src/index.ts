/**
 * Boardkeeper for browsers and Node: games, live streams, tables at any version, and the record verifier.
 *
 * @packageDocumentation
 */
export * from "./client.js";
export type { Asked, OnConnection, RequestOptions } from "./connection.js";
export * from "./errors.js";
export * from "./fold/known.js";
export { Timeline } from "./fold/timeline.js";
export { HIDDEN, Sight } from "./fold/visibility.js";
export type {
  Component,
  DecisionEntry,
  GetTitleResponse,
  MarkerEntry,
  Title,
  TitleMap,
  ZoneEntry,
} from "./gen/boardkeeper/v1/catalog_pb.js";
export { Catalog } from "./gen/boardkeeper/v1/catalog_pb.js";
export * from "./gen/boardkeeper/v1/command_pb.js";
export * from "./gen/boardkeeper/v1/effect_pb.js";
export type { Event, EventDetail } from "./gen/boardkeeper/v1/event_pb.js";
export { EventSchema } from "./gen/boardkeeper/v1/event_pb.js";
export type { Clock, Clocks, Game, Standing, UndoVote } from "./gen/boardkeeper/v1/game_pb.js";
export { GameOutcome, GameSchema, GameStatus } from "./gen/boardkeeper/v1/game_pb.js";
export type {
  GetBoardResponse,
  GetScoresResponse,
  GetTableResponse,
  ListLegalCommandsResponse,
  RequestUndoResponse,
  SubmitCommandsResponse,
} from "./gen/boardkeeper/v1/games_pb.js";
export { Games } from "./gen/boardkeeper/v1/games_pb.js";
export type { ScoreLine, ScoreSheet } from "./gen/boardkeeper/v1/scores_pb.js";
export type { Held, Marker, Table, Zone } from "./gen/boardkeeper/v1/table_pb.js";
export { newId } from "./ids.js";
export * from "./seat.js";
export * from "./viewer.js";
export { ENDED, type OnState, type Update, type Watch } from "./watching.js";
