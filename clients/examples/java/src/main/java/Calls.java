import boardkeeper.v1.GamesGrpc.GamesBlockingStub;
import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.MetadataUtils;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** How a call is sent again while nobody answers, and how an error is read: nothing here knows what is played. */
final class Calls {
    /** For one answer, in seconds. */
    static final int TIMEOUT = 10;
    /** Of one call, while nobody answers: with the pauses between, about twenty seconds. */
    static final int TRIES = 12;
    /** In milliseconds. Who is told to wait longer should tell a person instead. */
    static final long LONGEST_PAUSE = 30_000;

    static final Random CHANCE = new Random();
    private static final EnumSet<Code> LOST = EnumSet.of(Code.UNAVAILABLE, Code.DEADLINE_EXCEEDED, Code.CANCELLED);

    private final ManagedChannel channel;
    /** What goes beside each call: the language of sentences, and the right to a seat. */
    private final Metadata beside = new Metadata();

    Calls(ManagedChannel channel) {
        this.channel = channel;
        say("accept-language", "en");
    }

    void say(String name, String value) {
        beside.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
    }

    GamesBlockingStub games() {
        return boardkeeper.v1.GamesGrpc.newBlockingStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(beside));
    }

    /** The answer to a request. If none comes the same request is sent again, and by the id in it counts once. */
    <Answer> Answer call(Function<GamesBlockingStub, Answer> request) {
        for (int tries = 1; ; ++tries) {
            try {
                return request.apply(games().withDeadlineAfter(TIMEOUT, TimeUnit.SECONDS));
            } catch (StatusRuntimeException error) {
                pause(error, tries);
            }
        }
    }

    /** Waits until it makes sense to ask again; throws the error where it does not. */
    void pause(StatusRuntimeException error, int tries) {
        Code code = error.getStatus().getCode();
        Optional<RetryInfo> asked = detail(error, RetryInfo.class);
        // A connection that broke amid an answer may be called so; what the service says itself has a reason.
        String reason = detail(error, ErrorInfo.class).orElse(ErrorInfo.getDefaultInstance()).getReason();
        boolean broke = (code == Code.INTERNAL || code == Code.UNKNOWN) && reason.isEmpty();
        // A limit says when to come back. A stream whose reader was too slow goes on whenever he likes.
        boolean busy = code == Code.RESOURCE_EXHAUSTED && (asked.isPresent() || reason.equals("TOO_SLOW"));
        long own = (long) (Math.min(100L << tries, 3_000) * (0.5 + CHANCE.nextDouble() / 2));
        var delay = asked.orElse(RetryInfo.getDefaultInstance()).getRetryDelay();
        long wait = Math.max(own, delay.getSeconds() * 1_000 + delay.getNanos() / 1_000_000);
        if (!(LOST.contains(code) || broke || busy) || tries >= TRIES || wait > LONGEST_PAUSE) throw error;
        sleep(wait);
        channel.resetConnectBackoff(); // else it would wait longer and longer until it looks for a service that was away
    }

    static void sleep(long milliseconds) {
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    /** One of the details that errors have beside their code: ErrorInfo, RetryInfo … */
    static <Kind extends Message> Optional<Kind> detail(StatusRuntimeException error, Class<Kind> kind) {
        var whole = StatusProto.fromThrowable(error);
        for (Any each : whole.getDetailsList()) {
            try {
                if (each.is(kind)) return Optional.of(each.unpack(kind));
            } catch (InvalidProtocolBufferException broken) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }

    /** What went wrong is told by details: a stable reason, the rule if one forbids it, and what failed. */
    static void tell(StatusRuntimeException error) {
        var status = error.getStatus();
        var info = detail(error, ErrorInfo.class).orElse(ErrorInfo.getDefaultInstance());
        System.err.printf("%s %s: %s%n", status.getCode(), info.getReason(), status.getDescription());
        new TreeMap<>(info.getMetadataMap()).forEach((name, value) -> System.err.printf("  %s: %s%n", name, value));
        for (var it : detail(error, BadRequest.class).orElse(BadRequest.getDefaultInstance()).getFieldViolationsList())
            System.err.printf("  %s: %s%n", it.getField(), it.getDescription());
        System.err.println("  what to do: " + (info.getReason().isEmpty() ? "is a service there?" : "see docs/errors.md"));
    }
}
