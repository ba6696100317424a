// How to write a client of Boardkeeper: a whole game of any title with nothing but the generated stubs.
//
// A client needs no rules. It asks what a seat may do, takes one of the answers, and sends it back as it came. The same
// client, in the same seven steps, is beside this folder in other languages; how it is run is in README.md.
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

const patience = 12 // so often in a row there may be no answer: with the pauses between, for about twenty seconds
var tries = 0       // so often in a row there was none

func main() {
	// 1. One channel to the service, one stub for each of its services. The channel is told to notice a service that is
	//    gone without a word, and not to wait for long until it looks for one that was away.
	arguments := append(os.Args[1:], []string{"localhost:50051", "orleans", "", "2"}[min(len(os.Args)-1, 4):]...)
	channel, err := grpc.NewClient(arguments[0],
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 30 * time.Second}),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 2, MaxDelay: time.Second}}))
	if err != nil {
		panic(err)
	}
	games := pb.NewGamesClient(channel)
	ctx := metadata.AppendToOutgoingContext(context.Background(), "accept-language", "en")

	// 2. A game: one seat for us, the others are played by the service. RequestId makes the call safe to send again.
	//    Whoever creates a game gets a token for each seat that is neither a bot's nor left open for others to join.
	seats := []*pb.SeatRequest{{Name: "Anna"}}
	for players, _ := strconv.Atoi(arguments[3]); len(seats) < players; {
		seats = append(seats, &pb.SeatRequest{Name: fmt.Sprint("Robot ", len(seats)+1), Bot: "sensible"})
	}
	wanted := &pb.CreateGameRequest{Title: arguments[1], Edition: arguments[2], Seats: seats, RequestId: crypto.Text()}
	created, _ := call(ctx, games.CreateGame, wanted)
	gameID, seat := created.Game.GameId, created.SeatTokens[0].Seat
	// 3. From now on the seat's token goes beside each call.
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+created.SeatTokens[0].Token)

	decided := playWhileAsked(ctx, games, gameID, seat, 0)
	for last, over := int64(0), false; !over; {
		// 6. Follow the game. The stream begins after any version, so when it is cut we ask for what comes after that.
		stream, err := games.WatchGame(ctx, &pb.WatchGameRequest{GameId: gameID, AfterVersion: last})
		for err == nil && !over {
			var update *pb.WatchGameResponse
			update, err = stream.Recv()
			event := update.GetEvent()
			if event.GetVersion() <= last {
				continue // a heartbeat, something that later services tell, or nothing, for the stream has ended
			}
			fmt.Printf("%5d  %s\n", event.Version, event.Sentence)
			last, tries, over = event.Version, 0, event.Detail.GetGameEnded() != nil
			// Each event says who is asked to decide next; what came before our last look is behind us.
			asked := slices.ContainsFunc(event.Effects, func(it *pb.Effect) bool { return it.GetAsk().GetSeat() == seat })
			if asked && last > decided {
				decided = playWhileAsked(ctx, games, gameID, seat, last)
			}
		}
		if !over {
			pause(err)
		}
	}

	// 7. Results are part of the game; the board has the whole score sheet.
	result, _ := call(ctx, games.GetGame, &pb.GetGameRequest{GameId: gameID})
	for _, it := range result.Game.Standings {
		fmt.Printf("rank %d: %s, %d points\n", it.Rank, result.Game.Seats[it.Seat-1].Name, it.Points)
	}
}

// playWhileAsked takes decisions until the seat has none, and answers the version of the game at which that was so.
func playWhileAsked(ctx context.Context, games pb.GamesClient, gameID string, seat int32, version int64) int64 {
	for refused := 0; ; {
		// 4. What may we do? MinVersion makes sure that we see the board after our own last move.
		legal, _ := call(ctx, games.ListLegalCommands, &pb.ListLegalCommandsRequest{GameId: gameID, Seat: seat, MinVersion: &version})
		if len(legal.Commands) == 0 {
			return legal.Version
		}
		chosen := legal.Commands[rand.IntN(len(legal.Commands))] // by their sentences a person decides, or a cleverer bot
		// 5. Do it. CommandId is made once for what we mean to do: sent again, it is not done again. If others moved
		//    meanwhile the service refuses, for we said which board we saw: then we look again.
		meant := &pb.SubmitCommandsRequest{GameId: gameID, Seat: seat, Commands: []*pb.Command{chosen.Command},
			CommandId: crypto.Text(), ExpectedVersion: &legal.Version}
		done, err := call(ctx, games.SubmitCommands, meant, codes.Aborted, codes.FailedPrecondition)
		if err == nil {
			version, refused = done.Version, 0
		} else if refused++; refused >= patience {
			pause(err)
		}
	}
}

// call is the answer to a request. If none comes the same request is sent again, and by the id in it counts once.
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

// pause waits until it makes sense to ask again; where it does not, the program ends and says why.
func pause(err error) {
	var info *errdetails.ErrorInfo  // why, in a stable word; who has none is not the service: the line broke
	var retry *errdetails.RetryInfo // when to ask again; what does not pass has none
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
	tries++ // who is told to wait for longer than half a minute should tell a person instead
	if info != nil && retry == nil || tries >= patience || wait > 30*time.Second {
		fmt.Fprintf(os.Stderr, "%v %s: %s\n", status.Code(err), info.GetReason(), status.Convert(err).Message())
		for name, value := range info.GetMetadata() {
			fmt.Fprintf(os.Stderr, "  %s: %s\n", name, value)
		}
		fmt.Fprintln(os.Stderr, "  what to do: see docs/errors.md")
		os.Exit(1)
	}
	time.Sleep(wait)
}
