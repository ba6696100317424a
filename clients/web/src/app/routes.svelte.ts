/**
 * Where on the page somebody is, after the `#` of the address: nothing of it is ever sent to a server, so tokens and invitations
 * may stand there, and any host can hand the page out.
 */
export type Route =
  | { readonly page: "lobby" }
  | { readonly page: "create"; readonly like?: string }
  | { readonly page: "game"; readonly game: string; readonly version?: number; readonly seat?: number }
  | { readonly page: "join"; readonly game: string; readonly invitation?: string; readonly seat?: number }
  | { readonly page: "record"; readonly url?: string; readonly version?: number }
  | { readonly page: "unknown" };

/** What an address says. */
export function parse(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const parts = path.split("/").filter(Boolean).map(decoded);
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
    return { page: "record", ...(url ? { url } : {}), ...numbered("version", values.get("version")) };
  }
  if (page === "games" && game && parts.length === 2) {
    return {
      page: "game",
      game,
      ...numbered("version", values.get("version")),
      ...numbered("seat", values.get("seat")),
    };
  }
  if (page === "join" && game && parts.length === 2) {
    const invitation = values.get("invitation");
    return { page: "join", game, ...(invitation ? { invitation } : {}), ...numbered("seat", values.get("seat")) };
  }
  return { page: "unknown" };
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined; // somebody has mistyped it
  }
}

function numbered<Name extends string>(name: Name, value: string | null): { readonly [name in Name]?: number } {
  const number = Number(value ?? Number.NaN);
  return (Number.isInteger(number) && number >= 0 && value !== "" ? { [name]: number } : {}) as {
    readonly [name in Name]?: number;
  };
}

/** The address at which a game is made; filled in as another one was, if that is said. */
export function toNew(like?: string): string {
  return `#/new${like ? `?${new URLSearchParams({ like })}` : ""}`;
}

/** The address of a game's page. */
export function toGame(game: string, at: { version?: number | undefined; seat?: number | undefined } = {}): string {
  const query = new URLSearchParams();
  if (at.version !== undefined) query.set("version", String(at.version));
  if (at.seat) query.set("seat", String(at.seat));
  return `#/games/${encodeURIComponent(game)}${query.size > 0 ? `?${query}` : ""}`;
}

/** The address by which somebody takes a seat of a game. */
export function toJoin(game: string, seat?: number, invitation?: string): string {
  const query = new URLSearchParams();
  if (seat) query.set("seat", String(seat));
  if (invitation) query.set("invitation", invitation);
  return `#/join/${encodeURIComponent(game)}${query.size > 0 ? `?${query}` : ""}`;
}

/** The address at which a record that lies somewhere is looked at. */
export function toRecord(url: string, version?: number): string {
  return `#/record?${new URLSearchParams({ url, ...(version === undefined ? {} : { version: String(version) }) })}`;
}

/** The route of the page's own address, as it changes. */
export class Router {
  route = $state.raw<Route>({ page: "lobby" });

  constructor() {
    this.read();
    addEventListener("hashchange", () => this.read());
  }

  private read(): void {
    const route = parse(location.hash);
    this.route = route.page === "join" ? this.hiding(route) : route;
  }

  /**
   * An invitation is a secret: once it was read it stands in the address no more, where it could be seen or copied by mistake, but
   * stays with the page in the browser's history, which survives that it is loaded again.
   */
  private hiding(route: Route & { page: "join" }): Route {
    const { game, seat, invitation } = route;
    if (invitation) {
      history.replaceState({ invitation }, "", toJoin(game, seat));
      return route;
    }
    const kept = (history.state as { invitation?: unknown } | null)?.invitation;
    return typeof kept === "string" ? { ...route, invitation: kept } : route;
  }
}
