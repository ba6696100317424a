/**
 * Routes of the page in the fragment of the address. Browsers never send the fragment to a server, so it may contain
 * tokens and invitations, and any static host can serve the page.
 */
export type Route =
  | { readonly page: "lobby" }
  | { readonly page: "create"; readonly like?: string }
  | { readonly page: "game"; readonly game: string; readonly version?: number; readonly seat?: number }
  | { readonly page: "join"; readonly game: string; readonly invitation?: string; readonly seat?: number }
  | { readonly page: "record"; readonly url?: string; readonly version?: number }
  | { readonly page: "unknown" };

/** Return the route of a fragment. */
export function parse(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const parts = path.split("/").filter(Boolean).map(decode);
  if (parts.includes(undefined)) return { page: "unknown" };
  const values = new URLSearchParams(query);
  const [page, game] = parts;
  if (page === undefined) return { page: "lobby" };
  if (page === "new" && parts.length === 1) {
    const like = values.get("like");
    return { page: "create", ...(like ? { like } : {}) };
  }
  if (page === "record" && parts.length === 1) {
    const url = values.get("url");
    return { page: "record", ...(url ? { url } : {}), ...parseNumber("version", values.get("version")) };
  }
  if (page === "games" && game && parts.length === 2) {
    return {
      page: "game",
      game,
      ...parseNumber("version", values.get("version")),
      ...parseNumber("seat", values.get("seat")),
    };
  }
  if (page === "join" && game && parts.length === 2) {
    const invitation = values.get("invitation");
    return { page: "join", game, ...(invitation ? { invitation } : {}), ...parseNumber("seat", values.get("seat")) };
  }
  return { page: "unknown" };
}

function decode(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined; // mistyped percent encoding
  }
}

function parseNumber<Name extends string>(name: Name, value: string | null): { readonly [name in Name]?: number } {
  const number = Number(value ?? Number.NaN);
  return (Number.isInteger(number) && number >= 0 && value !== "" ? { [name]: number } : {}) as {
    readonly [name in Name]?: number;
  };
}

/** Return the address of the page for a new game; `like` is the game whose settings fill in the form. */
export function toNew(like?: string): string {
  return `#/new${like ? `?${new URLSearchParams({ like })}` : ""}`;
}

/** Return the address of a game's page. */
export function toGame(game: string, at: { version?: number | undefined; seat?: number | undefined } = {}): string {
  const query = new URLSearchParams();
  if (at.version !== undefined) query.set("version", String(at.version));
  if (at.seat) query.set("seat", String(at.seat));
  return `#/games/${encodeURIComponent(game)}${query.size > 0 ? `?${query}` : ""}`;
}

/** Return the address for joining a game. */
export function toJoin(game: string, seat?: number, invitation?: string): string {
  const query = new URLSearchParams();
  if (seat) query.set("seat", String(seat));
  if (invitation) query.set("invitation", invitation);
  return `#/join/${encodeURIComponent(game)}${query.size > 0 ? `?${query}` : ""}`;
}

/** Return the address that opens the record at a URL. */
export function toRecord(url: string, version?: number): string {
  return `#/record?${new URLSearchParams({ url, ...(version === undefined ? {} : { version: String(version) }) })}`;
}

/** The current route; it follows the address. */
export class Router {
  route = $state.raw<Route>({ page: "lobby" });

  constructor() {
    this.read();
    addEventListener("hashchange", () => this.read());
  }

  private read(): void {
    const route = parse(location.hash);
    this.route = route.page === "join" ? this.hideInvitation(route) : route;
  }

  /**
   * Move the invitation, which is a secret, from the address to the browser's history entry. There it cannot be seen or
   * copied by mistake, and it survives a reload.
   */
  private hideInvitation(route: Route & { page: "join" }): Route {
    const { game, seat, invitation } = route;
    if (invitation) {
      history.replaceState({ invitation }, "", toJoin(game, seat));
      return route;
    }
    const kept = (history.state as { invitation?: unknown } | null)?.invitation;
    return typeof kept === "string" ? { ...route, invitation: kept } : route;
  }
}
