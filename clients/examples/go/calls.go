package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

const (
	timeout      = 10 * time.Second // for one answer
	tries        = 12               // of one call, while nobody answers: with the pauses between, about twenty seconds
	longestPause = 30 * time.Second // who is told to wait longer should tell a person instead
)

// detail is one of the details that errors have beside their code: *errdetails.ErrorInfo, *errdetails.RetryInfo …
func detail[Kind any](err error) (found Kind, there bool) {
	for _, each := range status.Convert(err).Details() {
		if found, there = each.(Kind); there {
			break
		}
	}
	return found, there
}

// pause waits until it makes sense to ask again, and ends the program where it does not.
func pause(err error, tried int) {
	code := status.Code(err)
	lost := code == codes.Unavailable || code == codes.DeadlineExceeded || code == codes.Canceled
	said, _ := detail[*errdetails.ErrorInfo](err)
	if code == codes.Internal || code == codes.Unknown { // so is a connection that broke amid an answer called
		lost = said == nil // what the service says itself has a reason
	}
	// A limit says when to come back. A stream whose reader was too slow goes on whenever he likes.
	info, asked := detail[*errdetails.RetryInfo](err)
	busy := code == codes.ResourceExhausted && (asked || said.GetReason() == "TOO_SLOW")
	wait := min(100*time.Millisecond<<tried, 3*time.Second)
	wait = max(wait/2+rand.N(wait/2), info.GetRetryDelay().AsDuration())
	if !lost && !busy || tried >= tries || wait > longestPause {
		fail(err)
	}
	time.Sleep(wait)
}

// call is the answer to a request. If none comes the same request is sent again, and by the id in it counts once.
func call[Q, A any](ctx context.Context, method func(context.Context, Q, ...grpc.CallOption) (A, error), request Q, expected ...codes.Code) (A, error) {
	for tried := 1; ; tried++ {
		limited, done := context.WithTimeout(ctx, timeout)
		answer, err := method(limited, request)
		done()
		if err == nil || slices.Contains(expected, status.Code(err)) {
			return answer, err
		}
		pause(err, tried)
	}
}

// fail tells what went wrong by the details: a stable reason, the rule if one forbids it, and what failed.
func fail(err error) {
	info, _ := detail[*errdetails.ErrorInfo](err)
	fmt.Fprintf(os.Stderr, "%v %s: %s\n", status.Code(err), info.GetReason(), status.Convert(err).Message())
	for name, value := range info.GetMetadata() {
		fmt.Fprintf(os.Stderr, "  %s: %s\n", name, value)
	}
	request, _ := detail[*errdetails.BadRequest](err)
	for _, each := range request.GetFieldViolations() {
		fmt.Fprintf(os.Stderr, "  %s: %s\n", each.Field, each.Description)
	}
	if info == nil {
		fmt.Fprintln(os.Stderr, "  what to do: is a service there?")
	} else {
		fmt.Fprintln(os.Stderr, "  what to do: see docs/errors.md")
	}
	os.Exit(1)
}
