import boardkeeper.v1.GamesGrpc;
import boardkeeper.v1.GamesGrpc.GamesBlockingStub;
import boardkeeper.v1.GamesOuterClass.*;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.*;
import io.grpc.Status.Code;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.MetadataUtils;
import java.util.*;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * How to write a client of Boardkeeper: a whole game of any title with nothing but the generated stubs.
 *
 * <p>A client needs no rules. It asks what a seat may do, takes one of the answers, and sends it back as it came. The
 * same client, in the same seven steps, is beside this folder in other languages; how it is run is in README.md.
 */
public final class Play {
    private static final int PATIENCE = 12; // so often in a row there may be no answer: for some twenty seconds
    private static final Random CHANCE = new Random();
    private static final Metadata BESIDE = new Metadata(); // what goes beside each call
    private static ManagedChannel channel;
    private static GamesBlockingStub games;
    private static int tries = 0; // so often in a row there was no answer

    public static void main(String[] arguments) throws Exception {
        // 1. One channel to the service, one stub for each of its services. The channel is told to notice a service
        //    that is gone without a word.
        String[] given = {"localhost:50051", "orleans", "", "2"};
        System.arraycopy(arguments, 0, given, 0, Math.min(arguments.length, given.length));
        channel = ManagedChannelBuilder.forTarget(given[0]).usePlaintext().keepAliveTime(30, TimeUnit.SECONDS).build();
        games = GamesGrpc.newBlockingStub(channel).withInterceptors(MetadataUtils.newAttachHeadersInterceptor(BESIDE));
        BESIDE.put(Metadata.Key.of("accept-language", Metadata.ASCII_STRING_MARSHALLER), "en");

        // 2. A game: one seat for us, the others are played by the service. The request's id makes it safe to send
        //    again. Whoever creates a game gets a token for each seat that is neither a bot's nor left open for others.
        var wanted = CreateGameRequest.newBuilder().setTitle(given[1]).setEdition(given[2]);
        wanted.setRequestId(UUID.randomUUID().toString()).addSeats(SeatRequest.newBuilder().setName("Anna"));
        for (int each = 2; each <= Integer.parseInt(given[3]); each++) {
            wanted.addSeats(SeatRequest.newBuilder().setName("Robot " + each).setBot("sensible"));
        }
        var created = call(it -> it.createGame(wanted.build()));
        String gameId = created.getGame().getGameId();
        var mine = created.getSeatTokens(0);
        int seat = mine.getSeat();
        // 3. From now on the seat's token goes beside each call.
        BESIDE.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + mine.getToken());

        long decided = playWhileAsked(gameId, seat, 0);
        long last = 0;
        boolean over = false;
        while (!over) {
            // 6. Follow the game. The stream begins after any version, so when it is cut we ask for what comes after.
            var rest = WatchGameRequest.newBuilder().setGameId(gameId).setAfterVersion(last).build();
            try {
                var stream = games.watchGame(rest);
                while (!over && stream.hasNext()) {
                    var event = stream.next().getEvent();
                    if (event.getVersion() <= last) continue; // a heartbeat, or something that later services tell
                    System.out.printf("%5d  %s%n", event.getVersion(), event.getSentence());
                    last = event.getVersion();
                    tries = 0;
                    over = event.getDetail().hasGameEnded();
                    // Each event says who is asked to decide next; what came before our last look is behind us.
                    boolean asked = event.getEffectsList().stream().anyMatch(it -> it.getAsk().getSeat() == seat);
                    if (asked && last > decided) decided = playWhileAsked(gameId, seat, last);
                }
                if (!over) throw Status.UNKNOWN.withDescription("the stream ended amid the game").asRuntimeException();
            } catch (StatusRuntimeException cut) {
                pause(cut);
            }
        }

        // 7. Results are part of the game; the board has the whole score sheet.
        var result = call(it -> it.getGame(GetGameRequest.newBuilder().setGameId(gameId).build())).getGame();
        for (var it : result.getStandingsList()) {
            String name = result.getSeats(it.getSeat() - 1).getName();
            System.out.printf("rank %d: %s, %d points%n", it.getRank(), name, it.getPoints());
        }
        channel.shutdownNow();
    }

    /** Takes decisions until the seat has none, and answers the version of the game at which that was so. */
    private static long playWhileAsked(String gameId, int seat, long version) throws Exception {
        int refused = 0;
        while (true) {
            // 4. What may we do? The least version makes sure that we see the board after our own last move.
            var question = ListLegalCommandsRequest.newBuilder().setGameId(gameId).setSeat(seat).setMinVersion(version);
            var legal = call(it -> it.listLegalCommands(question.build()));
            if (legal.getCommandsCount() == 0) return legal.getVersion();
            // Each comes with a sentence: by these a person decides, or a cleverer bot.
            var chosen = legal.getCommands(CHANCE.nextInt(legal.getCommandsCount()));
            // 5. Do it. The command's id is made once for what we mean to do: sent again, it is not done again. If
            //    others moved meanwhile the service refuses, for we said which board we saw: then we look again.
            var meant = SubmitCommandsRequest.newBuilder().setGameId(gameId).setSeat(seat)
                    .addCommands(chosen.getCommand()).setCommandId(UUID.randomUUID().toString())
                    .setExpectedVersion(legal.getVersion()).build();
            try {
                version = call(it -> it.submitCommands(meant), Code.ABORTED, Code.FAILED_PRECONDITION).getVersion();
                refused = 0;
            } catch (StatusRuntimeException error) {
                if (++refused >= PATIENCE) pause(error);
            }
        }
    }

    /** The answer to a request. If none comes the same request is sent again, and by the id in it counts once. */
    private static <A> A call(Function<GamesBlockingStub, A> request, Code... expected) throws Exception {
        while (true) {
            try {
                A answer = request.apply(games.withDeadlineAfter(10, TimeUnit.SECONDS));
                tries = 0;
                return answer;
            } catch (StatusRuntimeException error) {
                if (List.of(expected).contains(error.getStatus().getCode())) {
                    tries = 0;
                    throw error;
                }
                pause(error);
            }
        }
    }

    /** Waits until it makes sense to ask again; where it does not, the program ends and says why. */
    private static void pause(StatusRuntimeException error) throws Exception {
        var info = ErrorInfo.getDefaultInstance(); // why, in a stable word; who has none is not the service
        RetryInfo retry = null; // when to ask again; what does not pass has none
        var status = StatusProto.fromThrowable(error);
        for (var detail : status.getDetailsList()) {
            if (detail.is(ErrorInfo.class)) info = detail.unpack(ErrorInfo.class);
            if (detail.is(RetryInfo.class)) retry = detail.unpack(RetryInfo.class);
        }
        var delay = (retry == null ? RetryInfo.getDefaultInstance() : retry).getRetryDelay();
        long own = Math.min(100L << tries, 3_000);
        long wait = Math.max(CHANCE.nextLong(own / 2, own), delay.getSeconds() * 1_000 + delay.getNanos() / 1_000_000);
        tries++; // who is told to wait for longer than half a minute should tell a person instead
        boolean passes = retry != null || info.getReason().isEmpty();
        if (!passes || tries >= PATIENCE || wait > 30_000) {
            System.err.printf("%s %s: %s%n", error.getStatus().getCode(), info.getReason(), status.getMessage());
            info.getMetadataMap().forEach((name, value) -> System.err.printf("  %s: %s%n", name, value));
            System.err.println("  what to do: see docs/errors.md");
            System.exit(1);
        }
        Thread.sleep(wait);
        channel.resetConnectBackoff(); // else it waits longer and longer until it looks for a service that was away
    }
}
