/** The services that every page outside of the game needs. */
import type { Client } from "@boardkeeper/client";
import type { Preferences } from "../app/preferences.svelte";
import type { Seats } from "../app/seats.svelte";
import type { Words } from "../words/words";
import type { Invitations } from "./invitations.svelte";

export interface PageContext {
  /** The origin of the server. */
  readonly server: string;
  /** It is replaced when the language changes. */
  readonly client: Client;
  readonly words: Words;
  readonly preferences: Preferences;
  readonly seats: Seats;
  readonly invitations: Invitations;
  /** Return the absolute URL of a route, for links that are sent to other people. */
  address(hash: string): string;
  /** Open a route; `instead` replaces the current history entry. */
  go(hash: string, instead?: boolean): void;
}
