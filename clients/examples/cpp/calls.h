// How a call is made with patience, and how an error is read: nothing here knows what is played.
#pragma once

#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <thread>

#include <grpcpp/grpcpp.h>

#include "google/rpc/error_details.pb.h"
#include "google/rpc/status.pb.h"

constexpr std::chrono::seconds kTimeout{10};       // for one answer
constexpr int kTries = 12;                             // of one call while nobody answers: about twenty seconds
constexpr std::chrono::milliseconds kLongest{30'000};  // who is told to wait longer should tell a person instead

inline std::mt19937_64 chance{std::random_device{}()};

// An id of our own for something that we mean to do.
inline std::string new_id() {
    std::random_device device;
    std::string id;
    for (int each = 0; each < 4; ++each) id += std::to_string(device()) + '-';
    return id;
}

// One of the details that errors have beside their code: ErrorInfo, RetryInfo and the like; empty if it is not there.
template <typename Kind>
Kind detail(const grpc::Status& error) {
    Kind found;
    google::rpc::Status whole;
    whole.ParseFromString(error.error_details());
    for (const auto& each : whole.details())
        if (each.Is<Kind>()) each.UnpackTo(&found);
    return found;
}

// What went wrong is told by details: a stable reason, the rule if one forbids it, and what failed.
[[noreturn]] inline void fail(const grpc::Status& error) {
    const auto info = detail<google::rpc::ErrorInfo>(error);
    std::cerr << "code " << error.error_code() << ' ' << info.reason() << ": " << error.error_message() << '\n';
    for (const auto& [name, value] : info.metadata()) std::cerr << "  " << name << ": " << value << '\n';
    for (const auto& it : detail<google::rpc::BadRequest>(error).field_violations())
        std::cerr << "  " << it.field() << ": " << it.description() << '\n';
    std::cerr << "  what to do: " << (info.reason().empty() ? "is a service there?" : "see docs/errors.md") << '\n';
    std::exit(1);
}

// Waits until it makes sense to ask again, and ends the program where it does not.
inline void pause(const grpc::Status& error, int tries) {
    using std::chrono::milliseconds;
    const auto code = error.error_code();
    const auto asked = detail<google::rpc::RetryInfo>(error);
    const auto reason = detail<google::rpc::ErrorInfo>(error).reason();
    bool lost = code == grpc::UNAVAILABLE || code == grpc::DEADLINE_EXCEEDED || code == grpc::CANCELLED;
    if (code == grpc::INTERNAL || code == grpc::UNKNOWN)  // so is a connection that broke amid an answer called
        lost = reason.empty();  // what the service says itself has a reason
    // A limit says when to come back. A stream whose reader was too slow goes on whenever he likes.
    const bool busy = code == grpc::RESOURCE_EXHAUSTED && (asked.has_retry_delay() || reason == "TOO_SLOW");
    const milliseconds own{std::uniform_int_distribution<long>(50, 100)(chance) * std::min(1 << std::min(tries, 5), 30)};
    const auto& delay = asked.retry_delay();
    const auto wait = std::max(own, milliseconds{delay.seconds() * 1000 + delay.nanos() / 1'000'000});
    if (!(lost || busy) || tries >= kTries || wait > kLongest) fail(error);
    std::this_thread::sleep_for(wait);
}

// A line to one of the services, on which a seat's token goes along once there is one.
template <typename Stub>
struct Line {
    std::unique_ptr<Stub> stub;
    std::string token;

    // What goes beside each call: the language of sentences, and the right to the seat.
    void introduce(grpc::ClientContext& context) const {
        context.AddMetadata("accept-language", "en");
        if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
    }

    // The answer to a request. If none comes the same request is sent again, and by the id in it counts once.
    template <typename Method, typename Request, typename Answer>
    grpc::Status call(Method method, const Request& request, Answer& answer, bool may_be_refused = false) const {
        for (int tries = 1;; ++tries) {
            grpc::ClientContext context;
            introduce(context);
            context.set_deadline(std::chrono::system_clock::now() + kTimeout);
            const auto status = (stub.get()->*method)(&context, request, &answer);
            const auto code = status.error_code();
            if (status.ok() || (may_be_refused && (code == grpc::ABORTED || code == grpc::FAILED_PRECONDITION))) return status;
            pause(status, tries);
        }
    }
};
