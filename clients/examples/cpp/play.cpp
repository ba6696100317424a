// How to write a client of Boardkeeper: a whole game of any title with nothing but the generated stubs.
//
// A client needs no rules. It asks what a seat may do, takes one of the answers, and sends it back as it came. The same
// client, in the same seven steps, is beside this folder in other languages; how it is run is in README.md.

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

constexpr int kPatience = 12;  // so often in a row there may be no answer: with the pauses, for about twenty seconds
int tries = 0;                 // so often in a row there was none
std::shared_ptr<grpc::Channel> channel;
std::map<std::string, std::string> metadata{{"accept-language", "en"}};  // what goes beside each call
std::random_device chance;
int64_t any(int64_t least, int64_t most) { return std::uniform_int_distribution(least, most)(chance); }
std::string new_id() { return std::to_string(any(0, INT64_MAX)) + '-' + std::to_string(any(0, INT64_MAX)); }

// Waits until it makes sense to ask again; where it does not, the program ends and says why.
void pause(const grpc::Status& error) {
    google::rpc::Status whole;
    whole.ParseFromString(error.error_details());
    google::rpc::ErrorInfo info;   // why, in a stable word; who has none is not the service: the line broke
    google::rpc::RetryInfo retry;  // when to ask again; what does not pass has none
    bool passes = false;
    for (const auto& each : whole.details()) passes |= !each.UnpackTo(&info) && each.UnpackTo(&retry);
    const auto asked = seconds(retry.retry_delay().seconds()) + microseconds(retry.retry_delay().nanos() / 1'000);
    const auto wait = std::max<microseconds>(milliseconds(any(50, 100) * std::min(1 << tries, 30)), asked);
    if ((!info.reason().empty() && !passes) || ++tries >= kPatience || wait > 30s) {  // so long: tell a person instead
        std::cerr << "code " << error.error_code() << ' ' << info.reason() << ": " << error.error_message() << '\n';
        for (const auto& [name, value] : info.metadata()) std::cerr << "  " << name << ": " << value << '\n';
        std::cerr << "  what to do: see docs/errors.md\n";
        std::exit(1);
    }
    const auto until = system_clock::now() + wait;
    channel->WaitForConnected(until);  // while somebody waits gRPC looks after the line, else every five seconds only
    std::this_thread::sleep_until(until);
}

// Gets the answer to a request. If none comes the same request is sent again, and by the id in it counts once.
template <typename Answer, typename Method, typename Request>
std::pair<Answer, grpc::Status> call(Games::Stub& games, Method rpc, const Request& request, bool refusable = false) {
    for (Answer answer;;) {
        grpc::ClientContext context;
        for (const auto& [name, value] : metadata) context.AddMetadata(name, value);
        context.set_deadline(system_clock::now() + 10s);
        const auto status = (games.*rpc)(&context, request, &answer);
        const auto code = status.error_code();
        if (status.ok() || (refusable && (code == grpc::ABORTED || code == grpc::FAILED_PRECONDITION))) {
            tries = 0;
            return {answer, status};
        }
        pause(status);
    }
}

// Takes decisions until the seat has none, and returns the version of the game at which that was so.
int64_t play_while_asked(Games::Stub& games, const std::string& game_id, int seat, int64_t version) {
    for (int refused = 0;;) {
        // 4. What may we do? `min_version` makes sure that we see the board after our own last move.
        ListLegalCommandsRequest ask;
        ask.set_game_id(game_id);
        ask.set_seat(seat);
        ask.set_min_version(version);
        const auto legal = call<ListLegalCommandsResponse>(games, &Games::Stub::ListLegalCommands, ask).first;
        if (legal.commands().empty()) return legal.version();
        const auto& chosen = legal.commands(any(0, legal.commands_size() - 1));  // a person decides by their sentences
        // 5. Do it. `command_id` is made once for what we mean to do: sent again, it is not done again. If others moved
        //    meanwhile the service refuses, for we said which board we saw: then we look again.
        SubmitCommandsRequest meant;
        meant.set_game_id(game_id);
        meant.set_seat(seat);
        *meant.add_commands() = chosen.command();
        meant.set_command_id(new_id());
        meant.set_expected_version(legal.version());
        const auto [done, status] = call<SubmitCommandsResponse>(games, &Games::Stub::SubmitCommands, meant, true);
        if (status.ok()) version = done.version(), refused = 0;
        if (!status.ok() && ++refused >= kPatience) pause(status);
    }
}

int main(int count, char** given) {
    // 1. One channel to the service, and a stub. The channel soon notices who is gone, and looks for who was away.
    std::string args[] = {"localhost:50051", "orleans", "", "2"};
    std::copy_n(given + 1, std::min(count - 1, 4), args);
    grpc::ChannelArguments lively;
    lively.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 30'000);
    lively.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
    lively.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1'000);
    channel = grpc::CreateCustomChannel(args[0], grpc::InsecureChannelCredentials(), lively);
    const auto games = Games::NewStub(channel);

    // 2. A game: one seat for us, the others are played by the service. `request_id` makes the call safe to send again.
    //    Whoever creates a game gets a token for each seat that is neither a bot's nor left open for others to join.
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
    // 3. From now on the seat's token goes beside each call.
    metadata["authorization"] = "Bearer " + created.seat_tokens(0).token();
    auto decided = play_while_asked(*games, game_id, seat, 0);
    WatchGameRequest watched;
    watched.set_game_id(game_id);
    for (bool over = false; !over;) {
        // 6. Follow the game. The stream begins after any version, so when it is cut we ask for what comes after that.
        grpc::ClientContext context;
        for (const auto& [name, value] : metadata) context.AddMetadata(name, value);
        const auto stream = games->WatchGame(&context, watched);
        for (WatchGameResponse update; !over && stream->Read(&update);) {
            const auto version = update.event().version();
            if (version <= watched.after_version()) continue;  // a heartbeat, or something that later services tell
            std::cout << std::setw(5) << version << "  " << update.event().sentence() << std::endl;
            watched.set_after_version(version);
            tries = 0;
            over = update.event().detail().has_game_ended();
            // Each event says who is asked to decide next; what came before our last look is behind us.
            for (const auto& it : update.event().effects())
                if (it.ask().seat() == seat && version > decided)
                    decided = play_while_asked(*games, game_id, seat, version);
        }
        if (!over) pause(stream->Finish());
    }

    // 7. Results are part of the game; the board has the whole score sheet.
    GetGameRequest request;
    request.set_game_id(game_id);
    const auto game = call<GetGameResponse>(*games, &Games::Stub::GetGame, request).first.game();
    for (const auto& it : game.standings())
        std::cout << "rank " << it.rank() << ": " << game.seats(it.seat() - 1).name() << ", " << it.points()
                  << " points\n";
}
