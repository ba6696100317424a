// Runs the scenarios of tests/foreign/expectations.py with grpc-go, and prints one JSON line for each.
// Usage: foreign HOST:PORT GAME_ID SEAT_TOKEN RECORD_FILE
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	_ "google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/emptypb"

	pb "boardkeeper.example/play/gen/boardkeeper/v1"
)

const limit = 256*1024 - 4 // the field's header takes 4 bytes

func main() {
	address, gameID, token := os.Args[1], os.Args[2], os.Args[3]
	record, err := os.ReadFile(os.Args[4])
	if err != nil {
		panic(err)
	}
	channel, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 30 * time.Second}))
	if err != nil {
		panic(err)
	}
	games, history := pb.NewGamesClient(channel), pb.NewHistoryClient(channel)
	plain := context.Background()
	with := func(pairs ...string) context.Context { return metadata.AppendToOutgoingContext(plain, pairs...) }
	wrongKey := with("authorization", "Bearer bk_000000000000_"+strings.Repeat("a", 49), "accept-language", "de")
	get := &pb.GetGameRequest{GameId: gameID}
	imported := ""

	run("unary", func() (string, error) {
		ctx, done := context.WithTimeout(plain, 100*time.Hour)
		defer done()
		answer, err := games.GetGame(ctx, get)
		return answer.GetGame().GetTitle(), err
	})
	run("metadata", func() (string, error) {
		all := make([]byte, 256)
		for at := range all {
			all[at] = byte(at)
		}
		var trailer metadata.MD
		ctx := with("x-request-id", "foreign-metadata", "trace-bin", string(all), "trace-bin", "\x00")
		_, err := games.GetGame(ctx, get, grpc.Trailer(&trailer))
		return strings.Join(trailer["x-request-id"], " "), err
	})
	run("rejected", func() (string, error) { _, err := games.GetGame(wrongKey, get); return "", err })
	run("too_much_metadata", func() (string, error) {
		ctx := plain
		for at := range 80 {
			ctx = metadata.AppendToOutgoingContext(ctx, fmt.Sprint("x-", at), "1")
		}
		_, err := games.GetGame(ctx, get)
		return "", err
	})
	run("unimplemented", func() (string, error) {
		return "", channel.Invoke(plain, "/boardkeeper.v1.Games/NoSuchMethod", &emptypb.Empty{}, &emptypb.Empty{})
	})
	run("deadline", func() (string, error) {
		ctx, done := context.WithTimeout(with("x-request-id", "foreign-deadline"), 200*time.Millisecond)
		defer done()
		never := int64(1_000_000)
		wait := &pb.GetGameRequest{GameId: gameID, MinVersion: &never, Wait: durationpb.New(30 * time.Second)}
		_, err := games.GetGame(ctx, wait)
		return "", err
	})
	run("cancelled", func() (string, error) {
		ctx, cancel := context.WithCancel(with("x-request-id", "foreign-cancelled"))
		defer cancel()
		stream, err := games.WatchGame(ctx, &pb.WatchGameRequest{GameId: gameID})
		for err == nil {
			_, err = stream.Recv()
			cancel()
		}
		return "", err
	})
	oversized := func(size int, options ...grpc.CallOption) func() (string, error) {
		return func() (string, error) {
			_, err := games.GetGame(plain, &pb.GetGameRequest{GameId: strings.Repeat("x", size)}, options...)
			return "", err
		}
	}
	run("request_at_limit", oversized(limit))
	run("request_beyond_limit", oversized(limit+1))
	run("compressed", oversized(limit, grpc.UseCompressor("gzip")))
	run("compressed_beyond_limit", oversized(40*limit, grpc.UseCompressor("gzip")))
	run("client_stream", func() (string, error) {
		stream, err := history.ImportRecord(plain)
		for at := 0; at < len(record) && err == nil; at += 65_536 {
			err = stream.Send(&pb.ImportRecordRequest{Data: record[at:min(at+65_536, len(record))]})
		}
		answer, err := stream.CloseAndRecv()
		imported = answer.GetGame().GetGameId()
		return "imported", err
	})
	run("server_stream", func() (string, error) {
		stream, err := history.GetRecord(plain, &pb.GetRecordRequest{GameId: imported})
		var read []byte
		for err == nil {
			var part *pb.GetRecordResponse
			if part, err = stream.Recv(); err == nil && read == nil { // over the same connection, while the stream is not read
				_, err = games.GetGame(plain, get)
			}
			read = append(read, part.GetData()...)
		}
		if err == io.EOF && bytes.Equal(read, record) {
			return "same", nil
		}
		return "different", err
	})
	run("rejected_while_sending", func() (string, error) {
		stream, err := history.ImportRecord(wrongKey)
		for at := 0; at < 1_000 && err == nil; at++ {
			err = stream.Send(&pb.ImportRecordRequest{Data: record[:65_536]})
		}
		_, err = stream.CloseAndRecv()
		return "", err
	})
	run("duplex", func() (string, error) {
		stream, err := games.Play(with("authorization", "Bearer "+token))
		outcomes, rest := 0, 0
		for turn := 0; turn < 10 && err == nil; turn++ {
			if turn == 5 {
				err = cancelMany(games, gameID)
			}
			id := fmt.Sprint("duplex-", turn)
			action := &pb.PlayAction{Action: &pb.PlayAction_HandSeatToBot{
				HandSeatToBot: &pb.HandSeatToBotRequest{GameId: gameID, Seat: 1, CommandId: id}}}
			if turn%2 == 1 {
				action.Action = &pb.PlayAction_TakeSeatBack{
					TakeSeatBack: &pb.TakeSeatBackRequest{GameId: gameID, Seat: 1, CommandId: id}}
			}
			if err != nil {
				break
			}
			err = stream.Send(&pb.PlayRequest{Request: &pb.PlayRequest_Action{Action: action}})
			var answer *pb.PlayResponse
			if answer, err = stream.Recv(); answer.GetOutcome().GetCommandId() == id {
				outcomes++
			}
		}
		stream.CloseSend()
		for ; err == nil; rest++ {
			_, err = stream.Recv()
		}
		if err == io.EOF {
			err = nil
		}
		return fmt.Sprintf("%d outcomes, then %d", outcomes, rest-1), err
	})
	run("many", func() (string, error) {
		var answered atomic.Int32
		var all sync.WaitGroup
		for range 300 {
			all.Add(1)
			go func() {
				defer all.Done()
				if _, err := games.GetGame(plain, get); err == nil {
					answered.Add(1)
				}
			}()
		}
		all.Wait()
		return fmt.Sprint(answered.Load()), nil
	})
}

// cancelMany opens streams and cancels each after its first message, then makes another call.
func cancelMany(games pb.GamesClient, gameID string) (err error) {
	for at := 0; at < 300 && err == nil; at++ {
		ctx, cancel := context.WithCancel(context.Background())
		stream, _ := games.WatchGame(ctx, &pb.WatchGameRequest{GameId: gameID})
		if _, err = stream.Recv(); err == nil {
			cancel()
			_, err = games.GetGame(context.Background(), &pb.GetGameRequest{GameId: gameID})
		}
		cancel()
	}
	return err
}

// run prints the result of a scenario: the value that it returns, or its error with the reason in its details.
func run(name string, scenario func() (string, error)) {
	value, err := scenario()
	problem := status.Convert(err)
	if err != nil {
		value = ""
	}
	for _, detail := range problem.Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok {
			value = info.Reason
		}
	}
	json.NewEncoder(os.Stdout).Encode(map[string]any{
		"scenario": name, "code": problem.Code(), "message": problem.Message(), "value": value})
}
