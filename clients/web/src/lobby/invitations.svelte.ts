/**
 * Codes of the invitations created in this browser. The server returns each code once and stores only its hash, so this
 * is the only place to find it again.
 */
export interface StoredInvitation {
  readonly server: string;
  readonly game: string;
  readonly seat: number;
  readonly code: string;
}

const KEY = "boardkeeper.invitations";

export class Invitations {
  all = $state.raw<readonly StoredInvitation[]>(read());

  /** Return the invitation code for a seat. */
  codeOf(server: string, game: string, seat: number): string | undefined {
    return this.all.find((each) => each.server === server && each.game === game && each.seat === seat)?.code;
  }

  add(invitation: StoredInvitation): void {
    const { server, game, seat } = invitation;
    const others = read().filter((each) => each.server !== server || each.game !== game || each.seat !== seat);
    this.store([...others, invitation]);
  }

  /** Remove the invitations of a game that has started or that the player removed. */
  forget(server: string, game: string): void {
    if (!this.all.some((each) => each.server === server && each.game === game)) return;
    this.store(read().filter((each) => each.server !== server || each.game !== game));
  }

  private store(invitations: readonly StoredInvitation[]): void {
    this.all = invitations;
    try {
      localStorage.setItem(KEY, JSON.stringify(invitations));
    } catch {
      // Without storage the codes last as long as the page.
    }
  }
}

function read(): readonly StoredInvitation[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isInvitation) : [];
  } catch {
    return [];
  }
}

function isInvitation(value: unknown): value is StoredInvitation {
  if (typeof value !== "object" || value === null) return false;
  const { server, game, seat, code } = value as Record<string, unknown>;
  return [server, game, code].every((text) => typeof text === "string") && Number.isInteger(seat);
}
