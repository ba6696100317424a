import boardkeeper.v1.CommandOuterClass.LegalCommand;
import boardkeeper.v1.EventOuterClass.Event;
import boardkeeper.v1.GameOuterClass.Game;
import boardkeeper.v1.GameOuterClass.GameStatus;
import boardkeeper.v1.GamesOuterClass.CreateGameRequest;
import boardkeeper.v1.GamesOuterClass.GetGameRequest;
import boardkeeper.v1.GamesOuterClass.ListLegalCommandsRequest;
import boardkeeper.v1.GamesOuterClass.SeatRequest;
import boardkeeper.v1.GamesOuterClass.SubmitCommandsRequest;
import boardkeeper.v1.GamesOuterClass.WatchGameRequest;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * How to write a client of Boardkeeper: a whole game of any title with nothing but the generated stubs.
 *
 * <p>A client needs no rules. It asks what a seat may do, takes one of the answers, and sends it back as it came. The same
 * client, in the same seven steps, is beside this folder in other languages; how it is run is in README.md, and how calls
 * are sent again while nobody answers in Calls.java.
 */
public final class Play {
    private final Calls calls;
    private final String gameId;
    private final int seat;
    /** The version of the game at which the seat had nothing to decide when it was asked last. */
    private long decided;

    private Play(Calls calls, String gameId, int seat) {
        this.calls = calls;
        this.gameId = gameId;
        this.seat = seat;
    }

    public static void main(String[] arguments) {
        String[] given = {"localhost:50051", "orleans", "", "2"};
        System.arraycopy(arguments, 0, given, 0, Math.min(arguments.length, given.length));

        // 1. One channel to the service, one stub for each of its services. The channel is told to notice a service that is
        //    gone without a word.
        var channel = ManagedChannelBuilder.forTarget(given[0]).usePlaintext().keepAliveTime(30, TimeUnit.SECONDS).build();
        var calls = new Calls(channel);
        try {
            // 2. A game: one seat for us, the others are played by the service. The request's id makes the call safe to send
            //    again. Whoever creates a game gets a token for each seat that is neither a bot's nor left open for others.
            var wanted = CreateGameRequest.newBuilder().setTitle(given[1]).setEdition(given[2]);
            wanted.addSeats(SeatRequest.newBuilder().setName("Anna"));
            for (int each = 2; each <= Integer.parseInt(given[3]); ++each)
                wanted.addSeats(SeatRequest.newBuilder().setName("Robot " + each).setBot("sensible"));
            var request = wanted.setRequestId(UUID.randomUUID().toString()).build();
            var created = calls.call(games -> games.createGame(request));
            // 3. From now on the seat's token goes beside each call.
            var seat = created.getSeatTokens(0);
            calls.say("authorization", "Bearer " + seat.getToken());

            var play = new Play(calls, created.getGame().getGameId(), seat.getSeat());
            play.playWhileAsked(0);
            play.follow(event -> {
                System.out.printf("%5d  %s%n", event.getVersion(), event.getSentence());
                // Each event says who is asked to decide next; what came before our last look is behind us.
                boolean asked = event.getEffectsList().stream()
                        .anyMatch(it -> it.getAsk().getSeat() == play.seat && !it.getAsk().getAfter().isEmpty());
                if (asked && event.getVersion() > play.decided) play.playWhileAsked(event.getVersion());
            });

            // 7. Results are part of the game; the board has the whole score sheet.
            var game = play.game();
            for (var it : game.getStandingsList())
                System.out.printf("rank %d: %s, %d points%n", it.getRank(), game.getSeats(it.getSeat() - 1).getName(), it.getPoints());
        } catch (StatusRuntimeException error) {
            Calls.tell(error);
            System.exit(1);
        } finally {
            channel.shutdownNow();
        }
    }

    /** Takes decisions until the seat has none. */
    private void playWhileAsked(long version) {
        for (int refused = 0; ; ) {
            // 4. What may we do? The least version makes sure that we see the board after our own last move.
            var question = ListLegalCommandsRequest.newBuilder().setGameId(gameId).setSeat(seat).setMinVersion(version).build();
            var legal = calls.call(games -> games.listLegalCommands(question));
            decided = legal.getVersion();
            if (legal.getCommandsCount() == 0) return;
            // Each comes with a sentence: here a person or a cleverer bot decides.
            LegalCommand chosen = legal.getCommands(Calls.CHANCE.nextInt(legal.getCommandsCount()));
            // 5. Do it. The command's id is made once for what we mean to do: sent again, it is not done again. If others
            //    moved meanwhile the service refuses, for we said which board we saw: then we look again.
            var submission = SubmitCommandsRequest.newBuilder().setGameId(gameId).setSeat(seat)
                    .addCommands(chosen.getCommand()).setCommandId(UUID.randomUUID().toString())
                    .setExpectedVersion(legal.getVersion()).build();
            try {
                version = calls.call(games -> games.submitCommands(submission)).getVersion();
                refused = 0;
            } catch (StatusRuntimeException error) {
                Code code = error.getStatus().getCode();
                if (code != Code.ABORTED && code != Code.FAILED_PRECONDITION || ++refused == Calls.TRIES) throw error;
            }
        }
    }

    /** How far the game is, and in the end its result. */
    private Game game() {
        return calls.call(games -> games.getGame(GetGameRequest.newBuilder().setGameId(gameId).build())).getGame();
    }

    /** Tells every event of the game once, in order, to the last one. */
    private void follow(Consumer<Event> tell) {
        long last = 0;
        for (int tries = 1; ; ++tries) {
            // 6. The stream begins after any version, so when it is cut we ask for what comes after the last one we have.
            var question = WatchGameRequest.newBuilder().setGameId(gameId).setAfterVersion(last).build();
            var stream = calls.games().watchGame(question);
            StatusRuntimeException cut = null;
            while (cut == null) {
                Event event;
                try {
                    if (!stream.hasNext()) break;
                    event = stream.next().getEvent();
                } catch (StatusRuntimeException error) {
                    cut = error;
                    break;
                }
                if (event.getVersion() <= last) continue; // a heartbeat, or something that later services tell
                last = event.getVersion();
                tries = 0;
                tell.accept(event);
            }
            if (cut == null) { // it ended as it should: with the game, unless somebody between us and the service did that
                var now = game();
                if (now.getStatus() == GameStatus.GAME_STATUS_ENDED && now.getVersion() <= last) return;
                Calls.sleep(200);
            } else {
                calls.pause(cut, tries);
            }
        }
    }
}
