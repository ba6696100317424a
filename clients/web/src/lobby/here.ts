/** What every page around the table needs: the service, the words, and what this browser keeps. */
import type { Client } from "@boardkeeper/client";
import type { Preferences } from "../app/preferences.svelte";
import type { Seats } from "../app/seats.svelte";
import type { Words } from "../words/words";
import type { Invitations } from "./invitations.svelte";

export interface Here {
  /** The origin of the service. */
  readonly server: string;
  /** It changes with the language. */
  readonly client: Client;
  readonly words: Words;
  readonly preferences: Preferences;
  readonly seats: Seats;
  readonly invitations: Invitations;
  /** The whole address of a place on the page, to be sent to somebody. */
  address(hash: string): string;
  /** Go to a place on the page; `instead` of the one that somebody is at, which then nobody comes back to. */
  go(hash: string, instead?: boolean): void;
}
