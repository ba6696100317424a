// How to write a client of Boardkeeper: a whole game of any title with nothing but the generated stubs.
//
// A client needs no rules. It asks what a seat may do, takes one of the answers, and sends it back as it came. The same
// client, in the same seven steps, is beside this folder in other languages; how it is run is in README.md, and how calls
// are sent again while nobody answers in calls.go.
package main

import (
	"context"
	crypto "crypto/rand"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"

	pb "boardkeeper.example/play/gen/boardkeeper/v1"
)

func main() {
	// 1. One channel to the service, one stub for each of its services. The channel is told to notice a service that is
	//    gone without a word, and not to wait for long until it looks for one that was away.
	arguments := append(os.Args[1:], []string{"localhost:50051", "orleans", "", "2"}[min(len(os.Args)-1, 4):]...)
	channel, err := grpc.NewClient(arguments[0],
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 30 * time.Second}),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 2, MaxDelay: time.Second}}))
	if err != nil {
		fail(err)
	}
	games := pb.NewGamesClient(channel)
	ctx := metadata.AppendToOutgoingContext(context.Background(), "accept-language", "en")

	// 2. A game: one seat for us, the others are played by the service. RequestId makes the call safe to send again.
	//    Whoever creates a game gets a token for each seat that is neither a bot's nor left open for others to join.
	seats := []*pb.SeatRequest{{Name: "Anna"}}
	players, _ := strconv.Atoi(arguments[3])
	for len(seats) < players {
		seats = append(seats, &pb.SeatRequest{Name: fmt.Sprint("Robot ", len(seats)+1), Bot: "sensible"})
	}
	created, _ := call(ctx, games.CreateGame, &pb.CreateGameRequest{
		Title: arguments[1], Edition: arguments[2], Seats: seats, RequestId: crypto.Text(),
	})
	// 3. From now on the seat's token goes beside each call.
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+created.SeatTokens[0].Token)

	p := player{games, created.Game.GameId, created.SeatTokens[0].Seat}
	decided := p.playWhileAsked(ctx, 0)
	p.follow(ctx, func(event *pb.Event) {
		fmt.Printf("%5d  %s\n", event.Version, event.Sentence)
		// Each event says who is asked to decide next; what came before our last look is behind us.
		asked := slices.ContainsFunc(event.Effects, func(it *pb.Effect) bool {
			return it.GetAsk().GetSeat() == p.seat && it.GetAsk().GetAfter() != ""
		})
		if asked && event.Version > decided {
			decided = p.playWhileAsked(ctx, event.Version)
		}
	})

	// 7. Results are part of the game; the board has the whole score sheet.
	result, _ := call(ctx, games.GetGame, &pb.GetGameRequest{GameId: p.gameID})
	for _, it := range result.Game.Standings {
		fmt.Printf("rank %d: %s, %d points\n", it.Rank, result.Game.Seats[it.Seat-1].Name, it.Points)
	}
}

// player is a seat of a game.
type player struct {
	games  pb.GamesClient
	gameID string
	seat   int32
}

// playWhileAsked takes decisions until the seat has none, and answers the version of the game at which that was so.
func (p player) playWhileAsked(ctx context.Context, version int64) int64 {
	for refused := 0; ; {
		// 4. What may we do? MinVersion makes sure that we see the board after our own last move.
		legal, _ := call(ctx, p.games.ListLegalCommands, &pb.ListLegalCommandsRequest{GameId: p.gameID, Seat: p.seat, MinVersion: &version})
		if len(legal.Commands) == 0 {
			return legal.Version
		}
		chosen := legal.Commands[rand.IntN(len(legal.Commands))] // by their sentences a person decides, or a cleverer bot
		// 5. Do it. CommandId is made once for what we mean to do: sent again, it is not done again. If others moved
		//    meanwhile the service refuses, for we said which board we saw: then we look again.
		done, err := call(ctx, p.games.SubmitCommands, &pb.SubmitCommandsRequest{
			GameId: p.gameID, Seat: p.seat, Commands: []*pb.Command{chosen.Command},
			CommandId: crypto.Text(), ExpectedVersion: &legal.Version,
		}, codes.Aborted, codes.FailedPrecondition)
		if err == nil {
			version, refused = done.Version, 0
		} else if refused++; refused == tries {
			fail(err)
		}
	}
}

// follow tells every event of the game once, in order, to the last one.
func (p player) follow(ctx context.Context, tell func(*pb.Event)) {
	for last, tried := int64(0), 1; ; tried++ {
		// 6. The stream begins after any version, so when it is cut we ask for what comes after the last one we have.
		stream, err := p.games.WatchGame(ctx, &pb.WatchGameRequest{GameId: p.gameID, AfterVersion: last})
		for err == nil {
			var update *pb.WatchGameResponse
			update, err = stream.Recv()
			if event := update.GetEvent(); event.GetVersion() > last { // else a heartbeat, or what later services tell
				last, tried = event.Version, 0
				tell(event)
			}
		}
		if err == io.EOF { // it ended as it should: with the game, unless somebody between us and the service did that
			now, _ := call(ctx, p.games.GetGame, &pb.GetGameRequest{GameId: p.gameID})
			if now.Game.Status == pb.GameStatus_GAME_STATUS_ENDED && now.Game.Version <= last {
				return
			}
			time.Sleep(timeout / 50)
		} else {
			pause(err, tried)
		}
	}
}
