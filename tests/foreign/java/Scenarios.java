import boardkeeper.v1.GamesGrpc;
import boardkeeper.v1.GamesGrpc.GamesBlockingStub;
import boardkeeper.v1.GamesOuterClass.*;
import boardkeeper.v1.HistoryGrpc;
import boardkeeper.v1.HistoryOuterClass.*;
import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.rpc.ErrorInfo;
import io.grpc.*;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.*;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Runs the scenarios of tests/foreign/expectations.py with grpc-java, and prints one JSON line for each.
 *
 * <p>Usage: Scenarios HOST:PORT GAME_ID SEAT_TOKEN RECORD_FILE
 */
public final class Scenarios {
    private static final int LIMIT = 256 * 1024 - 4; // the field's header takes 4 bytes
    private static final int PART = 65_536;
    private static final Metadata.Key<byte[]> TRACE = Metadata.Key.of("trace-bin", Metadata.BINARY_BYTE_MARSHALLER);

    public static void main(String[] given) throws Exception {
        String gameId = given[1];
        byte[] record = Files.readAllBytes(Path.of(given[3]));
        var channel = ManagedChannelBuilder.forTarget(given[0]).usePlaintext().keepAliveTime(30, TimeUnit.SECONDS).build();
        var games = GamesGrpc.newBlockingStub(channel);
        var get = GetGameRequest.newBuilder().setGameId(gameId).build();
        var wrongKey = headers("authorization", "Bearer bk_000000000000_" + "a".repeat(49), "accept-language", "de");
        var imported = new AtomicReference<String>();

        run("unary", () -> games.withDeadlineAfter(100, TimeUnit.HOURS).getGame(get).getGame().getTitle());
        run("metadata", () -> {
            byte[] all = new byte[256];
            for (int at = 0; at < all.length; at++) all[at] = (byte) at;
            var sent = headers("x-request-id", "foreign-metadata");
            sent.put(TRACE, all);
            sent.put(TRACE, new byte[1]);
            var trailers = new AtomicReference<Metadata>();
            var capture = MetadataUtils.newCaptureMetadataInterceptor(new AtomicReference<>(), trailers);
            with(games, sent).withInterceptors(capture).getGame(get);
            return trailers.get().get(key("x-request-id"));
        });
        run("rejected", () -> with(games, wrongKey).getGame(get).toString());
        run("too_much_metadata", () -> {
            var many = new Metadata();
            for (int at = 0; at < 80; at++) many.put(key("x-" + at), "1");
            return with(games, many).getGame(get).toString();
        });
        run("unimplemented", () -> {
            var none = GamesGrpc.getGetGameMethod().toBuilder().setFullMethodName("boardkeeper.v1.Games/NoSuchMethod");
            return ClientCalls.blockingUnaryCall(channel, none.build(), CallOptions.DEFAULT, get).toString();
        });
        run("deadline", () -> {
            var wait = Duration.newBuilder().setSeconds(30);
            var waiting = get.toBuilder().setMinVersion(1_000_000).setWait(wait).build();
            var stub = with(games, headers("x-request-id", "foreign-deadline"));
            return stub.withDeadlineAfter(200, TimeUnit.MILLISECONDS).getGame(waiting).toString();
        });
        run("cancelled", () -> {
            var watched = WatchGameRequest.newBuilder().setGameId(gameId).build();
            try (var context = Context.current().withCancellation()) {
                var stream = context.call(() -> with(games, headers("x-request-id", "foreign-cancelled")).watchGame(watched));
                stream.next();
                context.cancel(null);
                while (stream.hasNext()) stream.next();
            }
            return "";
        });
        run("request_at_limit", () -> oversized(games, LIMIT));
        run("request_beyond_limit", () -> oversized(games, LIMIT + 1));
        run("compressed", () -> oversized(games.withCompression("gzip"), LIMIT));
        run("compressed_beyond_limit", () -> oversized(games.withCompression("gzip"), 40 * LIMIT));
        run("client_stream", () -> {
            var answer = new CompletableFuture<ImportRecordResponse>();
            var requests = HistoryGrpc.newStub(channel).importRecord(into(answer));
            for (int at = 0; at < record.length; at += PART) requests.onNext(part(record, at));
            requests.onCompleted();
            imported.set(result(answer).getGame().getGameId());
            return "imported";
        });
        run("server_stream", () -> {
            var request = GetRecordRequest.newBuilder().setGameId(imported.get()).build();
            var stream = HistoryGrpc.newBlockingStub(channel).getRecord(request);
            var read = stream.next().getData();
            games.getGame(get); // over the same connection, while the stream is not read
            while (stream.hasNext()) read = read.concat(stream.next().getData());
            return read.equals(ByteString.copyFrom(record)) ? "same" : "different";
        });
        run("rejected_while_sending", () -> {
            var answer = new CompletableFuture<ImportRecordResponse>();
            var stub = HistoryGrpc.newStub(channel).withInterceptors(MetadataUtils.newAttachHeadersInterceptor(wrongKey));
            var requests = stub.importRecord(into(answer));
            for (int at = 0; at < 1_000; at++) requests.onNext(part(record, 0));
            requests.onCompleted();
            return result(answer).toString();
        });
        run("duplex", () -> {
            var seat = MetadataUtils.newAttachHeadersInterceptor(headers("authorization", "Bearer " + given[2]));
            var answers = new LinkedBlockingQueue<PlayResponse>();
            var end = new CompletableFuture<PlayResponse>();
            var requests = GamesGrpc.newStub(channel).withInterceptors(seat).play(new Collector<>(answers::add, end));
            int outcomes = 0;
            for (int turn = 0; turn < 10; turn++) {
                if (turn == 5) cancelMany(games, get);
                String id = "duplex-" + turn;
                var action = PlayAction.newBuilder();
                if (turn % 2 == 0) action.getHandSeatToBotBuilder().setGameId(gameId).setSeat(1).setCommandId(id);
                if (turn % 2 == 1) action.getTakeSeatBackBuilder().setGameId(gameId).setSeat(1).setCommandId(id);
                requests.onNext(PlayRequest.newBuilder().setAction(action).build());
                if (answers.take().getOutcome().getCommandId().equals(id)) outcomes++;
            }
            requests.onCompleted();
            result(end);
            return outcomes + " outcomes, then " + answers.size();
        });
        run("many", () -> {
            var future = GamesGrpc.newFutureStub(channel);
            var calls = new ArrayList<Future<GetGameResponse>>();
            for (int at = 0; at < 300; at++) calls.add(future.getGame(get));
            for (var call : calls) call.get();
            return Integer.toString(calls.size());
        });
        channel.shutdownNow();
    }

    /** Prints the result of a scenario: the value that it returns, or its error with the reason in its details. */
    private static void run(String name, Callable<String> scenario) throws Exception {
        String message = "";
        String value = "";
        var code = Status.Code.OK;
        try {
            value = scenario.call();
        } catch (StatusRuntimeException error) {
            code = error.getStatus().getCode();
            message = Objects.requireNonNullElse(error.getStatus().getDescription(), "");
            for (var detail : StatusProto.fromThrowable(error).getDetailsList()) {
                if (detail.is(ErrorInfo.class)) value = detail.unpack(ErrorInfo.class).getReason();
            }
        }
        String line = "{\"scenario\": \"%s\", \"code\": %d, \"message\": \"%s\", \"value\": \"%s\"}%n";
        String escaped = message.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
        System.out.printf(line, name, code.value(), escaped, value);
    }

    /** Opens streams and cancels each after its first message, then makes another call. */
    private static void cancelMany(GamesBlockingStub games, GetGameRequest get) {
        var watched = WatchGameRequest.newBuilder().setGameId(get.getGameId()).build();
        for (int at = 0; at < 300; at++) {
            try (var context = Context.current().withCancellation()) {
                context.run(() -> games.watchGame(watched).next());
            }
            games.getGame(get);
        }
    }

    private static String oversized(GamesBlockingStub games, int size) {
        return games.getGame(GetGameRequest.newBuilder().setGameId("x".repeat(size)).build()).toString();
    }

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    private static Metadata headers(String... pairs) {
        var headers = new Metadata();
        for (int at = 0; at < pairs.length; at += 2) headers.put(key(pairs[at]), pairs[at + 1]);
        return headers;
    }

    private static GamesBlockingStub with(GamesBlockingStub games, Metadata headers) {
        return games.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    private static ImportRecordRequest part(byte[] record, int at) {
        var data = ByteString.copyFrom(record, at, Math.min(PART, record.length - at));
        return ImportRecordRequest.newBuilder().setData(data).build();
    }

    private static <A> StreamObserver<A> into(CompletableFuture<A> answer) {
        return new Collector<>(answer::complete, answer);
    }

    /** Returns the answer, or throws the error of the call. */
    private static <A> A result(CompletableFuture<A> answer) throws Exception {
        try {
            return answer.get();
        } catch (ExecutionException failed) {
            throw (Exception) failed.getCause();
        }
    }

    /** Hands over each answer; {@code end} gets the error, or nothing. */
    private record Collector<A>(java.util.function.Consumer<A> each, CompletableFuture<A> end) implements StreamObserver<A> {
        @Override
        public void onNext(A answer) {
            each.accept(answer);
        }

        @Override
        public void onError(Throwable error) {
            end.completeExceptionally(error);
        }

        @Override
        public void onCompleted() {
            end.complete(null);
        }
    }
}
