// Runs the scenarios of tests/foreign/expectations.py with gRPC's C++, and prints one JSON line for each.
// Usage: foreign HOST:PORT GAME_ID SEAT_TOKEN RECORD_FILE

#include <atomic>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <thread>

#include <google/protobuf/empty.pb.h>
#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/wrappers.pb.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/impl/client_unary_call.h>
#include "boardkeeper/v1/games.grpc.pb.h"
#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

using namespace boardkeeper::v1;
using namespace std::chrono;
using google::protobuf::BytesValue;
using google::protobuf::StringValue;
using grpc::ClientContext;
using grpc::Status;
using grpc::internal::RpcMethod;

constexpr size_t kLimit = 256 * 1024 - 4;  // the field's header takes 4 bytes
constexpr size_t kPart = 65'536;

// Prints the result of a scenario: the value that it assigns, or the error that it returns with the reason in its details.
void run(const std::string& name, const std::function<Status(ClientContext&, std::string&)>& scenario) {
    ClientContext context;
    std::string value;
    const auto status = scenario(context, value);
    google::rpc::Status whole;
    whole.ParseFromString(status.error_details());
    google::rpc::ErrorInfo info;
    for (const auto& each : whole.details()) each.UnpackTo(&info);
    google::protobuf::Struct line;
    auto& fields = *line.mutable_fields();
    fields["scenario"].set_string_value(name);
    fields["code"].set_number_value(status.error_code());
    fields["message"].set_string_value(status.error_message());
    fields["value"].set_string_value(status.ok() ? value : info.reason());
    std::string json;
    (void)google::protobuf::util::MessageToJsonString(line, &json);
    std::cout << json << std::endl;
}

void use_wrong_key(ClientContext& context) {
    context.AddMetadata("authorization", "Bearer bk_000000000000_" + std::string(49, 'a'));
    context.AddMetadata("accept-language", "de");
}

int main(int, char** given) {
    const std::string address = given[1], game_id = given[2], token = given[3];
    std::ifstream file(given[4], std::ios::binary);
    const std::string record{std::istreambuf_iterator<char>(file), {}};
    grpc::ChannelArguments options;
    options.SetInt(GRPC_ARG_KEEPALIVE_TIME_MS, 30'000);
    const auto channel = grpc::CreateCustomChannel(address, grpc::InsecureChannelCredentials(), options);
    const auto games = Games::NewStub(channel);
    GetGameRequest get;
    get.set_game_id(game_id);
    std::string imported;

    run("unary", [&](auto& context, auto& value) {
        context.set_deadline(system_clock::now() + hours(100));
        GetGameResponse answer;
        const auto status = games->GetGame(&context, get, &answer);
        value = answer.game().title();
        return status;
    });
    run("metadata", [&](auto& context, auto& value) {
        std::string all(256, '\0');
        for (size_t at = 0; at < all.size(); ++at) all[at] = static_cast<char>(at);
        context.AddMetadata("x-request-id", "foreign-metadata");
        context.AddMetadata("trace-bin", all);
        context.AddMetadata("trace-bin", std::string(1, '\0'));
        GetGameResponse answer;
        const auto status = games->GetGame(&context, get, &answer);
        const auto& trailers = context.GetServerTrailingMetadata();
        if (const auto found = trailers.find("x-request-id"); found != trailers.end())
            value.assign(found->second.data(), found->second.size());
        return status;
    });
    run("rejected", [&](auto& context, auto&) {
        use_wrong_key(context);
        GetGameResponse answer;
        return games->GetGame(&context, get, &answer);
    });
    run("too_much_metadata", [&](auto& context, auto&) {
        for (int at = 0; at < 80; ++at) context.AddMetadata("x-" + std::to_string(at), "1");
        GetGameResponse answer;
        return games->GetGame(&context, get, &answer);
    });
    run("unimplemented", [&](auto& context, auto&) {
        const RpcMethod method("/boardkeeper.v1.Games/NoSuchMethod", RpcMethod::NORMAL_RPC);
        google::protobuf::Empty empty;
        return grpc::internal::BlockingUnaryCall(channel.get(), method, &context, empty, &empty);
    });
    run("deadline", [&](auto& context, auto&) {
        context.AddMetadata("x-request-id", "foreign-deadline");
        context.set_deadline(system_clock::now() + milliseconds(200));
        auto waiting = get;
        waiting.set_min_version(1'000'000);
        waiting.mutable_wait()->set_seconds(30);
        GetGameResponse answer;
        return games->GetGame(&context, waiting, &answer);
    });
    run("cancelled", [&](auto& context, auto&) {
        context.AddMetadata("x-request-id", "foreign-cancelled");
        WatchGameRequest watched;
        watched.set_game_id(game_id);
        WatchGameResponse update;
        const auto stream = games->WatchGame(&context, watched);
        stream->Read(&update);
        context.TryCancel();
        while (stream->Read(&update)) {
        }
        return stream->Finish();
    });
    const auto oversized = [&](const std::string& name, size_t size, grpc_compression_algorithm compression) {
        run(name, [&](auto& context, auto&) {
            context.set_compression_algorithm(compression);
            auto large = get;
            large.set_game_id(std::string(size, 'x'));
            GetGameResponse answer;
            return games->GetGame(&context, large, &answer);
        });
    };
    oversized("request_at_limit", kLimit, GRPC_COMPRESS_NONE);
    oversized("request_beyond_limit", kLimit + 1, GRPC_COMPRESS_NONE);
    oversized("compressed", kLimit, GRPC_COMPRESS_GZIP);
    oversized("compressed_beyond_limit", 40 * kLimit, GRPC_COMPRESS_GZIP);

    // The messages of records look like the well-known types with one field.
    const RpcMethod import_record("/boardkeeper.v1.History/ImportRecord", RpcMethod::CLIENT_STREAMING);
    using Importing = grpc::internal::ClientWriterFactory<BytesValue>;
    run("client_stream", [&](auto& context, auto& value) {
        BytesValue part, answer;
        const std::unique_ptr<grpc::ClientWriter<BytesValue>> stream{
            Importing::Create(channel.get(), import_record, &context, &answer)};
        for (size_t at = 0; at < record.size(); at += kPart) {
            part.set_value(record.substr(at, kPart));
            stream->Write(part);
        }
        stream->WritesDone();
        const auto status = stream->Finish();
        Game game;
        game.ParseFromString(answer.value());
        imported = game.game_id();
        value = "imported";
        return status;
    });
    run("server_stream", [&](auto& context, auto& value) {
        const RpcMethod method("/boardkeeper.v1.History/GetRecord", RpcMethod::SERVER_STREAMING);
        StringValue request;
        request.set_value(imported);
        const std::unique_ptr<grpc::ClientReader<BytesValue>> stream{
            grpc::internal::ClientReaderFactory<BytesValue>::Create(channel.get(), method, &context, request)};
        std::string read;
        for (BytesValue part; stream->Read(&part); read += part.value()) {
            if (!read.empty()) continue;
            ClientContext another;  // over the same connection, while the stream is not read
            GetGameResponse answer;
            if (const auto status = games->GetGame(&another, get, &answer); !status.ok()) return status;
        }
        value = read == record ? "same" : "different";
        return stream->Finish();
    });
    run("rejected_while_sending", [&](auto& context, auto&) {
        use_wrong_key(context);
        BytesValue part, answer;
        part.set_value(record.substr(0, kPart));
        const std::unique_ptr<grpc::ClientWriter<BytesValue>> stream{
            Importing::Create(channel.get(), import_record, &context, &answer)};
        for (int at = 0; at < 1'000 && stream->Write(part); ++at) {
        }
        stream->WritesDone();
        return stream->Finish();
    });
    // Opens streams and cancels each after its first message, then makes another call.
    const auto cancel_many = [&] {
        for (int at = 0; at < 300; ++at) {
            ClientContext watching, context;
            WatchGameRequest watched;
            watched.set_game_id(game_id);
            WatchGameResponse update;
            GetGameResponse answer;
            const auto stream = games->WatchGame(&watching, watched);
            if (!stream->Read(&update)) return stream->Finish();
            watching.TryCancel();
            stream->Finish();
            if (const auto status = games->GetGame(&context, get, &answer); !status.ok()) return status;
        }
        return Status::OK;
    };
    run("duplex", [&](auto& context, auto& value) {
        context.AddMetadata("authorization", "Bearer " + token);
        const auto stream = games->Play(&context);
        PlayResponse answer;
        int outcomes = 0, rest = 0;
        for (int turn = 0; turn < 10; ++turn) {
            if (turn == 5)
                if (const auto status = cancel_many(); !status.ok()) {
                    context.TryCancel();
                    return status;
                }
            PlayRequest request;
            const auto fill = [&](auto* action) {
                action->set_game_id(game_id);
                action->set_seat(1);
                action->set_command_id("duplex-" + std::to_string(turn));
            };
            if (turn % 2 == 0) fill(request.mutable_action()->mutable_hand_seat_to_bot());
            if (turn % 2 == 1) fill(request.mutable_action()->mutable_take_seat_back());
            if (!stream->Write(request) || !stream->Read(&answer)) break;
            outcomes += answer.outcome().command_id() == "duplex-" + std::to_string(turn);
        }
        stream->WritesDone();
        while (stream->Read(&answer)) ++rest;
        value = std::to_string(outcomes) + " outcomes, then " + std::to_string(rest);
        return stream->Finish();
    });
    run("many", [&](auto&, auto& value) {
        std::atomic<int> answered{0};
        std::vector<std::thread> threads;
        for (int at = 0; at < 300; ++at) {
            threads.emplace_back([&] {
                ClientContext context;
                GetGameResponse answer;
                answered += games->GetGame(&context, get, &answer).ok();
            });
        }
        for (auto& thread : threads) thread.join();
        value = std::to_string(answered);
        return Status::OK;
    });
}
