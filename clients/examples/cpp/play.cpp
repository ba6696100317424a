// How to write a Boardkeeper client: play a whole game of any title, using only the generated stubs.
//
// A client needs no rules. It lists its seat's legal commands, chooses one and sends it back unchanged. The folders
// beside this one have the same client, in the same seven steps, in other languages. README.md says how to run it.

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <random>
#include <thread>

#include <grpcpp/grpcpp.h>
#include "boardkeeper/v1/games.grpc.pb.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

using namespace boardkeeper::v1;
using namespace std::chrono;

constexpr int kMaxTries = 12;  // failed attempts in a row before the client gives up: about twenty seconds
int tries = 0;                 // failed attempts in a row
std::shared_ptr<grpc::Channel> channel;
std::map<std::string, std::string> metadata{{"accept-language", "en"}};  // sent with each call
std::random_device chance;
int64_t any(int64_t least, int64_t most) { return std::uniform_int_distribution(least, most)(chance); }
std::string new_id() { return std::to_string(any(0, INT64_MAX)) + '-' + std::to_string(any(0, INT64_MAX)); }

// Waits before the next attempt. If a retry cannot help, it prints the error and ends the program.
void pause(const grpc::Status& error) {
    google::rpc::Status whole;
    whole.ParseFromString(error.error_details());
    google::rpc::ErrorInfo info;   // the reason; without it, the error is not the server's
    google::rpc::RetryInfo retry;  // when to retry; without it, do not retry
    bool retryable = false;
    for (const auto& each : whole.details()) retryable |= !each.UnpackTo(&info) && each.UnpackTo(&retry);
    const auto requested = seconds(retry.retry_delay().seconds()) + microseconds(retry.retry_delay().nanos() / 1'000);
    const auto wait = std::max<microseconds>(milliseconds(any(50, 100) * std::min(1 << tries, 30)), requested);
    if ((!info.reason().empty() && !retryable) || ++tries >= kMaxTries || wait > 30s) {  // too long
        std::cerr << "code " << error.error_code() << ' ' << info.reason() << ": " << error.error_message() << '\n';
        for (const auto& [name, value] : info.metadata()) std::cerr << "  " << name << ": " << value << '\n';
        std::cerr << "  what to do: see docs/errors.md\n";
        std::exit(1);
    }
    const auto until = system_clock::now() + wait;
    channel->WaitForConnected(until);  // while we wait, gRPC reconnects at once
    std::this_thread::sleep_until(until);
}

// Returns the response. Sends the same request again if there is none; its id makes sure that it counts once.
template <typename Answer, typename Method, typename Request>
std::pair<Answer, grpc::Status> call(Games::Stub& games, Method rpc, const Request& request, bool rejectable = false) {
    for (Answer answer;;) {
        grpc::ClientContext context;
        for (const auto& [name, value] : metadata) context.AddMetadata(name, value);
        context.set_deadline(system_clock::now() + 10s);
        const auto status = (games.*rpc)(&context, request, &answer);
        const auto code = status.error_code();
        if (status.ok() || (rejectable && (code == grpc::ABORTED || code == grpc::FAILED_PRECONDITION))) {
            tries = 0;
            return {answer, status};
        }
        pause(status);
    }
}

// Makes moves until the seat has no decision to make, and returns the version of the game at that time.
int64_t make_moves(Games::Stub& games, const std::string& game_id, int seat, int64_t version) {
    for (int rejected = 0;;) {
        // 4. List the legal commands. `min_version` makes sure that the list includes our own last move.
        ListLegalCommandsRequest query;
        query.set_game_id(game_id);
        query.set_seat(seat);
        query.set_min_version(version);
        const auto legal = call<ListLegalCommandsResponse>(games, &Games::Stub::ListLegalCommands, query).first;
        if (legal.commands().empty()) return legal.version();
        const auto& chosen = legal.commands(any(0, legal.commands_size() - 1));  // a real client shows them
        // 5. Submit one. Make a new `command_id` for each move: a retry with the same id is not carried out twice.
        //    If the game has changed since `expected_version`, the server rejects it: then list again.
        SubmitCommandsRequest move;
        move.set_game_id(game_id);
        move.set_seat(seat);
        *move.add_commands() = chosen.command();
        move.set_command_id(new_id());
        move.set_expected_version(legal.version());
        const auto [done, status] = call<SubmitCommandsResponse>(games, &Games::Stub::SubmitCommands, move, true);
        if (status.ok()) version = done.version(), rejected = 0;
        if (!status.ok() && ++rejected >= kMaxTries) pause(status);
    }
}

int main(int count, char** arguments) {
    // 1. One channel to the server, and a stub. The options detect a dead connection, and reconnect soon.
    std::string args[] = {"localhost:8050", "orleans", "", "2"};
    std::copy_n(arguments + 1, std::min(count - 1, 4), args);
    grpc::ChannelArguments options;
    options.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 30'000);
    options.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
    options.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1'000);
    channel = grpc::CreateCustomChannel(args[0], grpc::InsecureChannelCredentials(), options);
    const auto games = Games::NewStub(channel);

    // 2. Create a game: one seat for us, bots in the others. `request_id` makes it safe to send the call again. The
    //    response has a token for each seat of a person: not for bots, nor for seats that are open for others.
    CreateGameRequest wanted;
    wanted.set_title(args[1]);
    wanted.set_edition(args[2]);
    wanted.set_request_id(new_id());
    wanted.add_seats()->set_name("Anna");
    for (int each = 2; each <= std::stoi(args[3]); ++each) {
        auto* robot = wanted.add_seats();
        robot->set_name("Robot " + std::to_string(each));
        robot->set_bot("sensible");
    }
    const auto created = call<CreateGameResponse>(*games, &Games::Stub::CreateGame, wanted).first;
    const auto game_id = created.game().game_id();
    const auto seat = created.seat_tokens(0).seat();
    // 3. Send the seat's token in the metadata of each further call.
    metadata["authorization"] = "Bearer " + created.seat_tokens(0).token();
    auto decided = make_moves(*games, game_id, seat, 0);
    WatchGameRequest watched;
    watched.set_game_id(game_id);
    for (bool over = false; !over;) {
        // 6. Watch the game. After a broken connection, open the stream again after the last event that we have.
        grpc::ClientContext context;
        for (const auto& [name, value] : metadata) context.AddMetadata(name, value);
        const auto stream = games->WatchGame(&context, watched);
        for (WatchGameResponse update; !over && stream->Read(&update);) {
            const auto version = update.event().version();
            if (version <= watched.after_version()) continue;  // a heartbeat, or an event that we have
            std::cout << std::setw(5) << version << "  " << update.event().sentence() << std::endl;
            watched.set_after_version(version);
            tries = 0;
            over = update.event().detail().has_game_ended();
            // Effects say which seat has to decide next. Skip events known when we last listed the commands.
            for (const auto& it : update.event().effects())
                if (it.ask().seat() == seat && version > decided)
                    decided = make_moves(*games, game_id, seat, version);
        }
        if (!over) pause(stream->Finish());
    }

    // 7. Show the result. GetBoard has the whole score sheet.
    GetGameRequest request;
    request.set_game_id(game_id);
    const auto game = call<GetGameResponse>(*games, &Games::Stub::GetGame, request).first.game();
    for (const auto& it : game.standings())
        std::cout << "rank " << it.rank() << ": " << game.seats(it.seat() - 1).name() << ", " << it.points()
                  << " points\n";
}
