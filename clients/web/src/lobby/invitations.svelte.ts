/**
 * The codes of invitations that were made here. The service tells each once and keeps only its hash, so whoever wants to send it
 * again finds it here. They stay in this browser.
 */
export interface KeptInvitation {
  readonly server: string;
  readonly game: string;
  readonly seat: number;
  readonly code: string;
}

const KEY = "boardkeeper.invitations";

export class Invitations {
  all = $state.raw<readonly KeptInvitation[]>(read());

  /** The code for a seat of a game. */
  codeOf(server: string, game: string, seat: number): string | undefined {
    return this.all.find((each) => each.server === server && each.game === game && each.seat === seat)?.code;
  }

  add(invitation: KeptInvitation): void {
    const { server, game, seat } = invitation;
    const others = read().filter((each) => each.server !== server || each.game !== game || each.seat !== seat);
    this.keep([...others, invitation]);
  }

  /** A game that has begun, or that nobody here wants to know of any more, needs none. */
  forget(server: string, game: string): void {
    if (!this.all.some((each) => each.server === server && each.game === game)) return;
    this.keep(read().filter((each) => each.server !== server || each.game !== game));
  }

  private keep(invitations: readonly KeptInvitation[]): void {
    this.all = invitations;
    try {
      localStorage.setItem(KEY, JSON.stringify(invitations));
    } catch {
      // A browser that keeps nothing has them as long as the page is open.
    }
  }
}

function read(): readonly KeptInvitation[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isInvitation) : [];
  } catch {
    return [];
  }
}

function isInvitation(value: unknown): value is KeptInvitation {
  if (typeof value !== "object" || value === null) return false;
  const { server, game, seat, code } = value as Record<string, unknown>;
  return [server, game, code].every((text) => typeof text === "string") && Number.isInteger(seat);
}
