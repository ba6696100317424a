"""Texts of the terminal client in English and German."""

from __future__ import annotations

_EN = {
    "prompt": "{name}, your move (number, words, ? for help): ",
    "waiting": "… waiting for {names}",
    "waiting_open": "The game starts when all seats are taken. To join, another player types:",
    "over": "The game is over.",
    "no_games": "No games at {location}. Create one with 'boardkeeper play --server …' or any gRPC client.",
    "more_games": "These are the newest {limit} games. Use '--limit N' for more, '--all' for all.",
    "no_service": "No server is running at {server}.",
    "damage": "Game {game} is damaged from version {version} on: its stored events were changed. "
    "You can view earlier versions, but you cannot play on.",
    "connection_lost": "Lost the connection to {server}; reconnecting …",
    "connection_back": "Connected to {server} again.",
    "at_rest": "The game is not being played at the moment. Continue it with: boardkeeper play {game}",
    "quit": "Your game is saved. Continue it with:",
    "no_match": "No move contains {text!r}. Press Enter to see all.",
    "no_number": "There is no number {number}: choose 1 to {last}.",
    "rejected": "Not possible: {why}",
    "rejected_of": "{number} is not possible, so none of the moves was made: {why}",
    "rejected_rule": "(rule {rule})",
    "nothing_to_withdraw": "There is nothing to undo.",
    "filtered": "{count} of {all} moves contain {text!r}. Press Enter to see all.",
    "one_left": "Press Enter to do it.",
    "one_costs": "Type {number} to do it; Enter does not, because it costs something ({costs}).",
    "no_more": "There is no more to show.",
    "while_waiting": "Waiting for other players. u undoes your last moves, resign resigns, q quits.",
    "resign_sure": "Resign? You cannot come back, and you rank behind everyone who did not resign. (y/n): ",
    "bot_sure": "Only bots are left then, and they finish the game within seconds. Continue? (y/n): ",
    "bot_plays": "A bot plays for you. Type back to take your seat back, q to quit.",
    "undo_sure": "Undo your last moves and everything that came after them? (y/n): ",
    "undo_asked": "Waiting for the answer of {names}. u or your next move cancels the request.",
    "undo_answer": "{name}, do you agree that {other} undoes this? (y/n): ",
    "undo_free": "No vote was needed.",
    "undo_bots": "A vote was needed, but only bots had to agree, and they always do.",
    "undo_agreed": "Everyone agreed.",
    "undo_open": "{name} asks to undo:",
    "undo_waiting": "Waiting for the answer of: {names}.",
    "undo_absent": "A bot plays for {names} and cannot agree: the request waits until the player is back.",
    "undo_own": "To cancel your request, type this or make your next move:",
    "fork_from": "New game from version {version} of game {game}: {knowing}.",
    "fork_operator": "the position is exact",
    "fork_seat": "what {name} cannot know was shuffled and dealt again",
    "fork_spectator": "what spectators cannot know was shuffled and dealt again",
    "fork_you": "(you)",
    "fork_bot": "({kind} bot)",
    "fork_rules": "(played by the rules)",
    "fork_open": "(open)",
    "fork_play": "Play it with:",
    "fork_over": "the game is over after {version} events: choose an earlier version with --at.",
    "score_now": "Score now",
    "more_below": "… {count} more lines: + shows them, words filter them.",
    "more_board": "… b shows the whole board.",
    "more_pages": "… {count} more lines: press Enter to see them, or type a command: ",
    "auto_passed": "Passed automatically, as it was the only move: {sentence} (type auto to turn this off)",
    "auto_on": "Automatic passing is on: you pass automatically when it is your only move.",
    "auto_off": "Automatic passing is off: you are also asked when passing is your only move.",
    "changes_nothing": "no immediate effect",
    "draws": "draws {count} from {zone}",
    "afterwards": """\
  v       verify the game: every random draw, move and signature
  r       rematch: same players and options in a new game
  e       export the game record
  h       export a web page (HTML) that replays the game
  q       quit""",
    "afterwards_prompt": "What next? ",
    "afterwards_saved": "Saved: {file}",
    "afterwards_later": "The game is saved. You can also do this later:",
    "help_clocks": "  c       the remaining time of every player",
    "help": """\
Type a number to make that move. Several numbers (4 7 12) are made together or not at all.
Type words to see only the moves that contain them: {examples}
  Enter   show all moves again; if only one move is shown, make it, unless
          there are others and it costs something
  +       the next lines of a long list
  ?4      the cost and effect of move 4; ?word explains a word and its moves
  auto    turn automatic passing on or off
  b       the whole board
{views}
  o 2     everything of seat 2
  s       the score so far, where it is public
  u       undo what you placed last, or your last moves
  h 30    the last 30 events
  bot     let a bot take over; back takes your seat back
  resign  resign from the game
  q       quit; the game is saved, and you can continue it later
{legend}""",
}

_DE = {
    "prompt": "{name}, wähle (Nummer, Wörter, ? für Hilfe): ",
    "waiting": "… wir warten auf {names}",
    "waiting_open": "Die Partie beginnt, wenn alle Plätze besetzt sind. So kommt jemand dazu:",
    "over": "Die Partie ist zu Ende.",
    "no_games": "Noch keine Partien bei {location}. "
    "'boardkeeper play --server …' legt eine an, oder jeder gRPC-Client.",
    "more_games": "Das sind die neuesten {limit}. '--all' nennt alle Partien, '--limit N' mehr davon.",
    "no_service": "Unter {server} läuft kein Dienst.",
    "damage": "Die Partie {game} ist ab Version {version} beschädigt: Gespeichertes wurde verändert. "
    "Was davor war, kann man ansehen; Befehle nimmt sie keine mehr an.",
    "connection_lost": "Die Verbindung zu {server} ist abgerissen; sie wird wieder versucht …",
    "connection_back": "Die Verbindung zu {server} steht wieder.",
    "at_rest": "Niemand spielt diese Partie gerade. Weiter geht es mit: boardkeeper play {game}",
    "quit": "Deine Partie ist gespeichert. Weiter geht es mit:",
    "no_match": "Kein Befehl enthält {text!r}. Eingabe zeigt alle.",
    "no_number": "Die Nummer {number} gibt es nicht: sie gehen von 1 bis {last}.",
    "rejected": "Das geht nicht: {why}",
    "rejected_of": "{number} geht nicht, darum geschah nichts: {why}",
    "rejected_rule": "(Regel {rule})",
    "nothing_to_withdraw": "Es gibt nichts zurückzunehmen.",
    "filtered": "{count} von {all} Befehlen mit {text!r}; Eingabe zeigt alle.",
    "one_left": "Eingabe führt es aus.",
    "one_costs": "{number} führt es aus, Eingabe nicht: es kostet etwas ({costs}).",
    "no_more": "Das ist alles.",
    "while_waiting": "Jetzt entscheiden andere. u nimmt deine letzten Befehle zurück, aufgeben gibt auf, q hört auf.",
    "resign_sure": "Endgültig aufgeben? Wer das tut, steht hinter allen anderen. (j/n): ",
    "bot_sure": "Dann spielen nur noch Bots und sind gleich am Ende der Partie. Weiter? (j/n): ",
    "bot_plays": "Ein Bot spielt für dich weiter. Mit zurück spielst du wieder selbst; q hört auf.",
    "undo_sure": "Deine letzten Befehle zurücknehmen und alles, was danach kam? (j/n): ",
    "undo_asked": "Antworten können jetzt: {names}. u zieht die Bitte zurück, dein nächster Befehl auch.",
    "undo_answer": "{name}, darf {other} das zurücknehmen? (j/n): ",
    "undo_free": "Das war frei.",
    "undo_bots": "Das war nicht frei, aber nur Bots mussten zustimmen, und die stimmen immer zu.",
    "undo_agreed": "Alle haben zugestimmt.",
    "undo_open": "{name} möchte zurücknehmen:",
    "undo_waiting": "Noch nicht geantwortet: {names}.",
    "undo_absent": "Für {names} spielt ein Bot, der nicht zustimmen kann: Die Bitte wartet, bis der Mensch zurück ist.",
    "undo_own": "So ziehst du die Bitte zurück; auch dein nächster Befehl tut das:",
    "fork_from": "Eine neue Partie, aus der Partie {game} nach ihrem Ereignis {version}; {knowing}.",
    "fork_operator": "die Stellung ist genau",
    "fork_seat": "was {name} nicht wissen kann, ist neu ausgeteilt",
    "fork_spectator": "was Zuschauer nicht wissen können, ist neu ausgeteilt",
    "fork_you": "(du)",
    "fork_bot": "(Bot: {kind})",
    "fork_rules": "(gespielt von den Regeln)",
    "fork_open": "(frei)",
    "fork_play": "So spielst du sie:",
    "fork_over": "die Partie ist nach {version} Ereignissen zu Ende: nenne mit --at eine frühere Version.",
    "score_now": "Punkte jetzt",
    "more_below": "… noch {count} Zeilen: + zeigt sie, Wörter nur, was sie enthält.",
    "more_board": "… b zeigt den ganzen Spielplan.",
    "more_pages": "… noch {count} Zeilen: Eingabe zeigt sie, oder gleich das Nächste: ",
    "auto_passed": "Sonst gibt es nichts zu tun: {sentence} (auto schaltet das ab)",
    "auto_on": "Was allein möglich ist und nichts ändert, wird für dich getan.",
    "auto_off": "Du wirst auch gefragt, wo nur Passen bleibt.",
    "changes_nothing": "ändert sofort nichts",
    "draws": "{count} gezogen aus: {zone}",
    "afterwards": """\
  v       die Partie prüfen: jede Ziehung, jeder Zug, jede Unterschrift
  r       Revanche: dasselbe noch einmal, in einer neuen Partie
  e       die Aufzeichnung speichern
  h       eine Seite (HTML) speichern, die sie abspielt
  q       aufhören""",
    "afterwards_prompt": "Und jetzt? ",
    "afterwards_saved": "Gespeichert: {file}",
    "afterwards_later": "Die Partie ist gespeichert. Später:",
    "help_clocks": "  c       wie viel Zeit alle noch haben",
    "help": """\
Eine Nummer führt aus; mehrere (4 7 12) werden zusammen ausgeführt, alle oder keiner.
Wörter zeigen nur die Befehle, die sie enthalten: {examples}
  Eingabe wieder alle Befehle; steht nur einer da, führt sie ihn aus, außer wenn
          anderes auch ginge und er etwas kostet
  +       die nächsten Zeilen einer langen Liste
  ?4      was Befehl 4 kostet und bringt; ?wort erklärt ein Wort und seine Befehle
  auto    von selbst passen, wo sonst nichts geht, oder nicht
  b       der ganze Spielplan
{views}
  o 2     alles von Platz 2
  s       die Punkte bisher, soweit sie offen sind
  u       das zuletzt Eingesetzte oder die letzten Befehle zurücknehmen
  h 30    die letzten 30 Ereignisse
  bot     einen Bot für dich weiterspielen lassen; zurück beendet das
  aufgeben
  q       aufhören; die Partie bleibt und kann fortgesetzt werden
{legend}""",
}


def texts(language: str) -> dict[str, str]:
    """Return the texts in a language, or else in English."""
    return {"de": _DE}.get(language, _EN)
