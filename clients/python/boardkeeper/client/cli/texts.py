"""What the command line says to a player, in the languages of the titles."""

from __future__ import annotations

_EN = {
    "prompt": "{name}, choose (number, words, ? for help): ",
    "waiting": "… waiting for {names}",
    "waiting_open": "The game starts when all seats are taken. A friend joins with:",
    "over": "The game is over.",
    "no_games": "No games yet at {place}. 'boardkeeper play --server …' or any gRPC client can make one.",
    "more_games": "These are the newest {limit}. '--all' lists every game, '--limit N' more of them.",
    "no_service": "No service listens at {server}.",
    "damage": "Game {game} is damaged from version {version} on: its stored events were altered. "
    "What came before can be looked at; it takes no more commands.",
    "connection_lost": "The connection to {server} is lost; it is tried again …",
    "connection_back": "The connection to {server} is back.",
    "at_rest": "Nobody plays this game now. Go on with it: boardkeeper play {game}",
    "quit": "Your game is kept. Go on with:",
    "no_match": "No command has {text!r} in it. Enter shows them all.",
    "no_number": "There is no number {number}: they go from 1 to {last}.",
    "rejected": "That does not go: {why}",
    "rejected_of": "{number} does not go, so nothing was done: {why}",
    "rejected_rule": "(rule {rule})",
    "nothing_to_withdraw": "Nothing to take back.",
    "filtered": "{count} of {all} commands with {text!r}; Enter shows them all.",
    "one_left": "Enter does it.",
    "one_costs": "{number} does it, Enter does not: it costs something ({costs}).",
    "no_more": "That is all.",
    "while_waiting": "Others decide now. u takes your last commands back, resign gives up, q leaves.",
    "resign_sure": "Give up for good? Who does ranks behind all others. (y/n): ",
    "bot_sure": "Only bots play then, and are at the end of the game within moments. Go on? (y/n): ",
    "bot_plays": "A bot plays on for you. Type back to play yourself again; q leaves.",
    "undo_sure": "Take back your last commands, and all that came after them? (y/n): ",
    "undo_asked": "{names} may answer now. u withdraws the request, and so does your next command.",
    "undo_answer": "{name}, may {other} take that back? (y/n): ",
    "undo_free": "That was free.",
    "undo_bots": "It was not free, but only bots had to consent, and they always do.",
    "undo_agreed": "Everybody has consented.",
    "undo_open": "{name} asks to take back:",
    "undo_waiting": "Still to answer: {names}.",
    "undo_absent": "A bot plays for {names} and cannot consent: the request waits until the person is back.",
    "undo_own": "This withdraws the request; so does your next command:",
    "fork_from": "A new game, from game {game} after its event {version}; {knowing}.",
    "fork_operator": "the position is exact",
    "fork_seat": "what {name} cannot know was dealt anew",
    "fork_spectator": "what a spectator cannot know was dealt anew",
    "fork_you": "(you)",
    "fork_bot": "({kind} bot)",
    "fork_rules": "(played by the rules)",
    "fork_open": "(open)",
    "fork_play": "Play it with:",
    "fork_over": "the game is over after {version} events: name an earlier version with --at.",
    "score_now": "Points now",
    "more_below": "… {count} more lines: + shows them, words only what has them.",
    "more_board": "… b shows the whole board.",
    "more_pages": "… {count} more lines: Enter shows them, or type what is next: ",
    "auto_passed": "Nothing else to do: {sentence} (auto switches this off)",
    "auto_on": "What is all that can be done, and changes nothing, is done for you.",
    "auto_off": "You are asked also where passing is all that can be done.",
    "changes_nothing": "changes nothing at once",
    "draws": "{count} drawn from: {zone}",
    "afterwards": """\
  v       verify the game: every draw, every move, every signature
  r       rematch: the same again, in a new game
  e       export the record
  h       export a page (HTML) that replays it
  q       leave""",
    "afterwards_prompt": "What next? ",
    "afterwards_saved": "Saved: {file}",
    "afterwards_later": "The game is kept. Later:",
    "help_clocks": "  c       how much time everybody has left",
    "help": """\
Type a number to do it; several (4 7 12) are done together, all or none.
Type words to see only the commands that have them: {examples}
  Enter   all commands again; if only one is shown, Enter does it, unless others
          could be done and it costs something
  + or ?4 the next lines of the menu; what command 4 costs and gives
  ?grain  what has that name, and what commands with it cost and give
  auto    pass by itself where nothing else can be done, or not
  b       the whole board
{views}
  u       take back what you placed last, or your last commands
  h 30    the last 30 events of the log
  bot     let a bot play on for you; back ends that
  resign  give up
  q       leave; the game is kept and can be taken up again
{legend}""",
}

_DE = {
    "prompt": "{name}, wähle (Nummer, Wörter, ? für Hilfe): ",
    "waiting": "… wir warten auf {names}",
    "waiting_open": "Die Partie beginnt, wenn alle Plätze besetzt sind. So kommt jemand dazu:",
    "over": "Die Partie ist zu Ende.",
    "no_games": "Noch keine Partien bei {place}. 'boardkeeper play --server …' legt eine an, oder jeder gRPC-Client.",
    "more_games": "Das sind die neuesten {limit}. '--all' nennt alle Partien, '--limit N' mehr davon.",
    "no_service": "Unter {server} läuft kein Dienst.",
    "damage": "Die Partie {game} ist ab Version {version} beschädigt: Gespeichertes wurde verändert. "
    "Was davor war, kann man ansehen; Befehle nimmt sie keine mehr an.",
    "connection_lost": "Die Verbindung zu {server} ist abgerissen; sie wird wieder versucht …",
    "connection_back": "Die Verbindung zu {server} steht wieder.",
    "at_rest": "Niemand spielt diese Partie gerade. Weiter geht es mit: boardkeeper play {game}",
    "quit": "Deine Partie ist aufbewahrt. Weiter geht es mit:",
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
    "afterwards_later": "Die Partie ist aufbewahrt. Später:",
    "help_clocks": "  c       wie viel Zeit alle noch haben",
    "help": """\
Eine Nummer führt aus; mehrere (4 7 12) werden zusammen ausgeführt, alle oder keiner.
Wörter zeigen nur die Befehle, die sie enthalten: {examples}
  Eingabe wieder alle Befehle; steht nur einer da, führt sie ihn aus, außer wenn
          anderes auch ginge und er etwas kostet
  +, ?4   die nächsten Zeilen der Liste; was Befehl 4 kostet und bringt
  ?korn   was so heißt, und was Befehle damit kosten und bringen
  auto    von selbst passen, wo sonst nichts geht, oder nicht
  b       der ganze Spielplan
{views}
  u       das zuletzt Eingesetzte oder die letzten Befehle zurücknehmen
  h 30    die letzten 30 Ereignisse
  bot     einen Bot für dich weiterspielen lassen; zurück beendet das
  aufgeben
  q       aufhören; die Partie bleibt und kann fortgesetzt werden
{legend}""",
}


def texts(language: str) -> dict[str, str]:
    """The texts in a language, English if it has none."""
    return {"de": _DE}.get(language, _EN)
