// How to write a Boardkeeper client: play a whole game of any title, using only the generated stubs.
//
// A client needs no rules. It lists its seat's legal commands, chooses one and sends it back unchanged. The folders
// beside this one have the same client, in the same seven steps, in other languages. README.md says how to run it.
package main

import (
	"context"
	crypto "crypto/rand"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	pb "boardkeeper.example/play/gen/boardkeeper/v1"
)

const maxTries = 12 // failed attempts in a row before the client gives up: with the pauses, about twenty seconds
var tries = 0       // failed attempts in a row

func main() {
	// 1. One channel to the server, and one stub for each gRPC service. Keepalive detects a dead connection; the backoff
	//    settings make the channel reconnect soon after the server was away.
	arguments := append(os.Args[1:], []string{"localhost:8050", "orleans", "", "2"}[min(len(os.Args)-1, 4):]...)
	channel, err := grpc.NewClient(arguments[0],
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 30 * time.Second}),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 2, MaxDelay: time.Second}}))
	if err != nil {
		panic(err)
	}
	games := pb.NewGamesClient(channel)
	ctx := metadata.AppendToOutgoingContext(context.Background(), "accept-language", "en")

	// 2. Create a game: one seat for us, bots in the others. RequestId makes it safe to send the call again. The
	//    response has a token for each seat of a person: not for bots, nor for seats that are open for others.
	seats := []*pb.SeatRequest{{Name: "Anna"}}
	for players, _ := strconv.Atoi(arguments[3]); len(seats) < players; {
		seats = append(seats, &pb.SeatRequest{Name: fmt.Sprint("Robot ", len(seats)+1), Bot: "sensible"})
	}
	wanted := &pb.CreateGameRequest{Title: arguments[1], Edition: arguments[2], Seats: seats, RequestId: crypto.Text()}
	created, _ := call(ctx, games.CreateGame, wanted)
	gameID, seat := created.Game.GameId, created.SeatTokens[0].Seat
	// 3. Send the seat's token in the metadata of each further call.
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+created.SeatTokens[0].Token)

	decided := makeMoves(ctx, games, gameID, seat, 0)
	for last, over := int64(0), false; !over; {
		// 6. Watch the game. After a broken connection, open the stream again after the last event that we have.
		stream, err := games.WatchGame(ctx, &pb.WatchGameRequest{GameId: gameID, AfterVersion: last})
		for err == nil && !over {
			var update *pb.WatchGameResponse
			update, err = stream.Recv()
			event := update.GetEvent()
			if event.GetVersion() <= last {
				continue // a heartbeat, an event that we have, an update of a newer server, or the end of the stream
			}
			fmt.Printf("%5d  %s\n", event.Version, event.Sentence)
			last, tries, over = event.Version, 0, event.Detail.GetGameEnded() != nil
			// Effects say which seat has to decide next. Skip events that we knew when we last listed the commands.
			mustDecide := slices.ContainsFunc(event.Effects, func(it *pb.Effect) bool { return it.GetAsk().GetSeat() == seat })
			if mustDecide && last > decided {
				decided = makeMoves(ctx, games, gameID, seat, last)
			}
		}
		if !over {
			pause(err)
		}
	}

	// 7. Show the result. GetBoard has the whole score sheet.
	result, _ := call(ctx, games.GetGame, &pb.GetGameRequest{GameId: gameID})
	for _, it := range result.Game.Standings {
		fmt.Printf("rank %d: %s, %d points\n", it.Rank, result.Game.Seats[it.Seat-1].Name, it.Points)
	}
}

// makeMoves makes moves until the seat has no decision to make, and returns the version of the game at that time.
func makeMoves(ctx context.Context, games pb.GamesClient, gameID string, seat int32, version int64) int64 {
	for rejected := 0; ; {
		// 4. List the legal commands. MinVersion makes sure that the list includes our own last move.
		legal, _ := call(ctx, games.ListLegalCommands, &pb.ListLegalCommandsRequest{GameId: gameID, Seat: seat, MinVersion: &version})
		if len(legal.Commands) == 0 {
			return legal.Version
		}
		chosen := legal.Commands[rand.IntN(len(legal.Commands))] // a real client shows the sentences
		// 5. Submit one. Make a new CommandId for each move: a retry with the same id is not carried out twice. With
		//    ExpectedVersion the server rejects the command if the game has changed: then list the commands again.
		move := &pb.SubmitCommandsRequest{GameId: gameID, Seat: seat, Commands: []*pb.Command{chosen.Command},
			CommandId: crypto.Text(), ExpectedVersion: &legal.Version}
		done, err := call(ctx, games.SubmitCommands, move, codes.Aborted, codes.FailedPrecondition)
		if err == nil {
			version, rejected = done.Version, 0
		} else if rejected++; rejected >= maxTries {
			pause(err)
		}
	}
}

// call returns the response. It sends the same request again if there is none; its id makes sure that it counts once.
func call[Q, A any](ctx context.Context, method func(context.Context, Q, ...grpc.CallOption) (A, error), request Q, expected ...codes.Code) (A, error) {
	for {
		limited, done := context.WithTimeout(ctx, 10*time.Second)
		answer, err := method(limited, request)
		done()
		if err == nil || slices.Contains(expected, status.Code(err)) {
			tries = 0
			return answer, err
		}
		pause(err)
	}
}

// pause waits before the next attempt. If a retry cannot help, it prints the error and ends the program.
func pause(err error) {
	var info *errdetails.ErrorInfo  // the reason; without it, the error is not the server's
	var retry *errdetails.RetryInfo // when to retry; without it, do not retry
	for _, each := range status.Convert(err).Details() {
		switch detail := each.(type) {
		case *errdetails.ErrorInfo:
			info = detail
		case *errdetails.RetryInfo:
			retry = detail
		}
	}
	wait := min(100*time.Millisecond<<tries, 3*time.Second)
	wait = max(wait/2+rand.N(wait/2), retry.GetRetryDelay().AsDuration())
	tries++ // and do not wait for longer than 30 seconds
	if info != nil && retry == nil || tries >= maxTries || wait > 30*time.Second {
		fmt.Fprintf(os.Stderr, "%v %s: %s\n", status.Code(err), info.GetReason(), status.Convert(err).Message())
		for name, value := range info.GetMetadata() {
			fmt.Fprintf(os.Stderr, "  %s: %s\n", name, value)
		}
		fmt.Fprintln(os.Stderr, "  what to do: see docs/errors.md")
		os.Exit(1)
	}
	time.Sleep(wait)
}
