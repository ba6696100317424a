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
 * How to write a Boardkeeper client: play a whole game of any title, using only the generated stubs.
 *
 * <p>A client needs no rules. It lists its seat's legal commands, chooses one and sends it back unchanged. The
 * folders beside this one have the same client, in the same seven steps, in other languages. README.md says how to run it.
 */
public final class Play {
    private static final int MAX_TRIES = 12; // failed attempts in a row before the client gives up: about twenty seconds
    private static final Random CHANCE = new Random();
    private static final Metadata HEADERS = new Metadata(); // sent with each call
    private static ManagedChannel channel;
    private static GamesBlockingStub games;
    private static int tries = 0; // failed attempts in a row

    public static void main(String[] arguments) throws Exception {
        // 1. One channel to the server, and one stub for each gRPC service. Keepalive detects a dead connection.
        String[] settings = {"localhost:8050", "orleans", "", "2"};
        System.arraycopy(arguments, 0, settings, 0, Math.min(arguments.length, settings.length));
        channel = ManagedChannelBuilder.forTarget(settings[0]).usePlaintext().keepAliveTime(30, TimeUnit.SECONDS).build();
        games = GamesGrpc.newBlockingStub(channel).withInterceptors(MetadataUtils.newAttachHeadersInterceptor(HEADERS));
        HEADERS.put(Metadata.Key.of("accept-language", Metadata.ASCII_STRING_MARSHALLER), "en");

        // 2. Create a game: one seat for us, bots in the others. The request id makes it safe to send it again.
        //    The response has a token for each seat of a person: not for bots, nor for seats open for others.
        var wanted = CreateGameRequest.newBuilder().setTitle(settings[1]).setEdition(settings[2]);
        wanted.setRequestId(UUID.randomUUID().toString()).addSeats(SeatRequest.newBuilder().setName("Anna"));
        for (int each = 2; each <= Integer.parseInt(settings[3]); each++) {
            wanted.addSeats(SeatRequest.newBuilder().setName("Robot " + each).setBot("sensible"));
        }
        var created = call(it -> it.createGame(wanted.build()));
        String gameId = created.getGame().getGameId();
        var mine = created.getSeatTokens(0);
        int seat = mine.getSeat();
        // 3. Send the seat's token in the metadata of each further call.
        HEADERS.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), "Bearer " + mine.getToken());

        long decided = makeMoves(gameId, seat, 0);
        long last = 0;
        boolean over = false;
        while (!over) {
            // 6. Watch the game. After a broken connection, open the stream again after the last event that we have.
            var rest = WatchGameRequest.newBuilder().setGameId(gameId).setAfterVersion(last).build();
            try {
                var stream = games.watchGame(rest);
                while (!over && stream.hasNext()) {
                    var event = stream.next().getEvent();
                    if (event.getVersion() <= last) continue; // a heartbeat, or an event that we have
                    System.out.printf("%5d  %s%n", event.getVersion(), event.getSentence());
                    last = event.getVersion();
                    tries = 0;
                    over = event.getDetail().hasGameEnded();
                    // Effects say which seat decides next. Skip events known when we last listed commands.
                    boolean mustDecide = event.getEffectsList().stream().anyMatch(it -> it.getAsk().getSeat() == seat);
                    if (mustDecide && last > decided) decided = makeMoves(gameId, seat, last);
                }
                if (!over) throw Status.UNKNOWN.withDescription("the stream ended too early").asRuntimeException();
            } catch (StatusRuntimeException cut) {
                pause(cut);
            }
        }

        // 7. Show the result. GetBoard has the whole score sheet.
        var result = call(it -> it.getGame(GetGameRequest.newBuilder().setGameId(gameId).build())).getGame();
        for (var it : result.getStandingsList()) {
            String name = result.getSeats(it.getSeat() - 1).getName();
            System.out.printf("rank %d: %s, %d points%n", it.getRank(), name, it.getPoints());
        }
        channel.shutdownNow();
    }

    /** Makes moves until the seat has no decision to make, and returns the version of the game at that time. */
    private static long makeMoves(String gameId, int seat, long version) throws Exception {
        int rejected = 0;
        while (true) {
            // 4. List the legal commands. The minimum version makes sure that the list includes our own last move.
            var question = ListLegalCommandsRequest.newBuilder().setGameId(gameId).setSeat(seat).setMinVersion(version);
            var legal = call(it -> it.listLegalCommands(question.build()));
            if (legal.getCommandsCount() == 0) return legal.getVersion();
            // Each has a sentence: a real client shows the sentences to a person.
            var chosen = legal.getCommands(CHANCE.nextInt(legal.getCommandsCount()));
            // 5. Submit one. Make a new command id for each move: a retry with the same id is not carried out twice.
            //    If the game has changed since the expected version, the server rejects it: then list again.
            var move = SubmitCommandsRequest.newBuilder().setGameId(gameId).setSeat(seat)
                    .addCommands(chosen.getCommand()).setCommandId(UUID.randomUUID().toString())
                    .setExpectedVersion(legal.getVersion()).build();
            try {
                version = call(it -> it.submitCommands(move), Code.ABORTED, Code.FAILED_PRECONDITION).getVersion();
                rejected = 0;
            } catch (StatusRuntimeException error) {
                if (++rejected >= MAX_TRIES) pause(error);
            }
        }
    }

    /** Returns the response. Sends the same request again if there is none; its id makes sure that it counts once. */
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

    /** Waits before the next attempt. If a retry cannot help, it prints the error and ends the program. */
    private static void pause(StatusRuntimeException error) throws Exception {
        var info = ErrorInfo.getDefaultInstance(); // the reason; without it, the error is not from the server
        RetryInfo retry = null; // when to retry; without it, do not retry
        var status = StatusProto.fromThrowable(error);
        for (var detail : status.getDetailsList()) {
            if (detail.is(ErrorInfo.class)) info = detail.unpack(ErrorInfo.class);
            if (detail.is(RetryInfo.class)) retry = detail.unpack(RetryInfo.class);
        }
        var delay = (retry == null ? RetryInfo.getDefaultInstance() : retry).getRetryDelay();
        long own = Math.min(100L << tries, 3_000);
        long wait = Math.max(CHANCE.nextLong(own / 2, own), delay.getSeconds() * 1_000 + delay.getNanos() / 1_000_000);
        tries++; // and do not wait for longer than 30 seconds
        boolean retryable = retry != null || info.getReason().isEmpty();
        if (!retryable || tries >= MAX_TRIES || wait > 30_000) {
            System.err.printf("%s %s: %s%n", error.getStatus().getCode(), info.getReason(), status.getMessage());
            info.getMetadataMap().forEach((name, value) -> System.err.printf("  %s: %s%n", name, value));
            System.err.println("  what to do: see docs/errors.md");
            System.exit(1);
        }
        Thread.sleep(wait);
        channel.resetConnectBackoff(); // else the channel waits longer and longer before it reconnects
    }
}
