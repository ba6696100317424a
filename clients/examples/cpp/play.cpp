// How to write a client of Boardkeeper: a whole game of any title with nothing but the generated stubs.
//
// A client needs no rules. It asks what a seat may do, takes one of the answers, and sends it back as it came. The same
// client, in the same seven steps, is beside this folder in other languages; how it is run is in README.md, and how calls
// are sent again while nobody answers in calls.h.

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <grpcpp/grpcpp.h>

#include "boardkeeper/v1/games.grpc.pb.h"
#include "calls.h"

using namespace boardkeeper::v1;

// A seat of a game, and the line on which it is played.
struct Player {
    Line<Games::Stub> games;
    std::string game_id;
    int seat = 0;

    // Takes decisions until the seat has none; returns the version of the game at which that was so.
    int64_t play_while_asked(int64_t version) const {
        for (int refused = 0;;) {
            // 4. What may we do? `min_version` makes sure that we see the board after our own last move.
            ListLegalCommandsRequest ask;
            ask.set_game_id(game_id);
            ask.set_seat(seat);
            ask.set_min_version(version);
            ListLegalCommandsResponse legal;
            games.call(&Games::Stub::ListLegalCommands, ask, legal);
            if (legal.commands().empty()) return legal.version();
            std::uniform_int_distribution<int> any(0, legal.commands_size() - 1);
            const auto& chosen = legal.commands(any(chance));  // by its sentence a person decides, or a cleverer bot
            // 5. Do it. `command_id` is made once for what we mean to do: sent again, it is not done again. If others
            //    moved meanwhile the service refuses, for we said which board we saw: then we look again.
            SubmitCommandsRequest submission;
            submission.set_game_id(game_id);
            submission.set_seat(seat);
            *submission.add_commands() = chosen.command();
            submission.set_command_id(new_id());
            submission.set_expected_version(legal.version());
            SubmitCommandsResponse done;
            const auto status = games.call(&Games::Stub::SubmitCommands, submission, done, true);
            if (!status.ok() && ++refused == kTries) fail(status);
            if (status.ok()) version = done.version(), refused = 0;
        }
    }

    Game game() const {
        GetGameRequest request;
        request.set_game_id(game_id);
        GetGameResponse answer;
        games.call(&Games::Stub::GetGame, request, answer);
        return answer.game();
    }

    // Tells every event of the game once, in order, to the last one.
    template <typename Tell>
    void follow(Tell tell) const {
        int64_t last = 0;
        for (int tries = 1;; ++tries) {
            // 6. The stream begins after any version, so when it is cut we ask for what comes after the last one we have.
            grpc::ClientContext context;
            games.introduce(context);
            WatchGameRequest request;
            request.set_game_id(game_id);
            request.set_after_version(last);
            const auto stream = games.stub->WatchGame(&context, request);
            for (WatchGameResponse update; stream->Read(&update);) {
                if (update.event().version() <= last) continue;  // a heartbeat, or something that later services tell
                last = update.event().version();
                tries = 0;
                tell(update.event());
            }
            const auto status = stream->Finish();
            if (status.ok()) {  // it ended as it should: with the game, unless somebody between us and the service did that
                const auto now = game();
                if (now.status() == GAME_STATUS_ENDED && now.version() <= last) return;
                std::this_thread::sleep_for(std::chrono::milliseconds{200});
            } else {
                pause(status, tries);
            }
        }
    }
};

int main(int count, char** given) {
    std::vector<std::string> arguments(given + 1, given + count);
    const std::vector<std::string> usual{"localhost:50051", "orleans", "", "2"};
    for (auto it = arguments.size(); it < usual.size(); ++it) arguments.push_back(usual[it]);

    // 1. One channel to the service, one stub for each of its services. The channel is told to notice a service that is
    //    gone without a word, and not to wait for long until it looks for one that was away.
    grpc::ChannelArguments lively;
    lively.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 30'000);
    lively.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
    lively.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 1'000);
    const auto channel = grpc::CreateCustomChannel(arguments[0], grpc::InsecureChannelCredentials(), lively);
    Player player;
    player.games.stub = Games::NewStub(channel);

    // 2. A game: one seat for us, the others are played by the service. `request_id` makes the call safe to send again.
    //    Whoever creates a game gets a token for each seat that is neither a bot's nor left open for others to join.
    CreateGameRequest wanted;
    wanted.set_title(arguments[1]);
    wanted.set_edition(arguments[2]);
    wanted.add_seats()->set_name("Anna");
    for (int each = 2; each <= std::stoi(arguments[3]); ++each) {
        auto* seat = wanted.add_seats();
        seat->set_name("Robot " + std::to_string(each));
        seat->set_bot("sensible");
    }
    wanted.set_request_id(new_id());
    CreateGameResponse created;
    player.games.call(&Games::Stub::CreateGame, wanted, created);
    player.game_id = created.game().game_id();
    // 3. From now on the seat's token goes beside each call.
    player.seat = created.seat_tokens(0).seat();
    player.games.token = created.seat_tokens(0).token();

    auto decided = player.play_while_asked(0);
    player.follow([&](const Event& event) {
        std::cout << std::setw(5) << event.version() << "  " << event.sentence() << std::endl;
        // Each event says who is asked to decide next; what came before our last look is behind us.
        const bool asked = std::any_of(event.effects().begin(), event.effects().end(), [&](const Effect& it) {
            return it.ask().seat() == player.seat && !it.ask().after().empty();
        });
        if (asked && event.version() > decided) decided = player.play_while_asked(event.version());
    });

    // 7. Results are part of the game; the board has the whole score sheet.
    const auto game = player.game();
    for (const auto& it : game.standings())
        std::cout << "rank " << it.rank() << ": " << game.seats(it.seat() - 1).name() << ", " << it.points() << " points\n";
}
