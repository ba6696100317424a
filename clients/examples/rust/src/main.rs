//! How to write a Boardkeeper client: play a whole game of any title, using only the generated stubs.
//!
//! A client needs no rules. It lists its seat's legal commands, chooses one and sends it back unchanged. The folders
//! beside this one have the same client, in the same seven steps, in other languages. README.md says how to run it.

tonic::include_proto!("stubs");

use boardkeeper::v1::{self as pb, effect::Effect, event_detail::Detail, games_client::GamesClient};
use google::rpc;
use prost::Message;
use rand::seq::IndexedRandom;
use std::{env, process, time::Duration};
use tonic::{Code, Extensions, Request, Response, Status, metadata::MetadataMap, transport::Channel};

const TIMEOUT: Duration = Duration::from_secs(10); // for one call
const MAX_TRIES: u32 = 12; // failed attempts in a row before the client gives up: with the pauses, about twenty seconds

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Status> {
    // 1. One channel to the server, and one stub for each gRPC service. Keepalive detects a dead connection, and the
    //    channel connects again at the next call.
    let arguments: Vec<_> = env::args().skip(1).collect();
    let argument = |at: usize, default: &str| arguments.get(at).cloned().unwrap_or(default.to_owned());
    let endpoint = Channel::from_shared(format!("http://{}", argument(0, "localhost:8050"))).expect("HOST:PORT");
    let channel = endpoint.http2_keep_alive_interval(Duration::from_secs(30)).connect_lazy();
    let mut line = Line { games: GamesClient::new(channel), metadata: MetadataMap::new(), tries: 0 };
    line.metadata.insert("accept-language", "en".parse().expect("ASCII"));

    // 2. Create a game: one seat for us, bots in the others. `request_id` makes it safe to send the call again. The
    //    response has a token for each seat of a person: not for bots, nor for seats that are open for others.
    let mut seats = vec![pb::SeatRequest { name: "Anna".into(), ..Default::default() }];
    for each in 2..=argument(3, "2").parse().expect("a number of players") {
        seats.push(pb::SeatRequest { name: format!("Robot {each}"), bot: "sensible".into(), ..Default::default() });
    }
    let (title, edition, request_id) = (argument(1, "orleans"), argument(2, ""), rand::random::<u128>().to_string());
    let wanted = pb::CreateGameRequest { title, edition, seats, request_id, ..Default::default() };
    let created = line.call(GamesClient::create_game, wanted, &[]).await?;
    let (game_id, token) = (created.game.unwrap_or_default().game_id, &created.seat_tokens[0]);
    // 3. Send the seat's token in the metadata of each further call.
    line.metadata.insert("authorization", format!("Bearer {}", token.token).parse().expect("ASCII"));

    let mut decided = line.make_moves(&game_id, token.seat, 0).await?;
    let (mut last, mut over) = (0, false);
    loop {
        // 6. Watch the game. After a broken connection, open the stream again after the last event that we have.
        let wanted = pb::WatchGameRequest { game_id: game_id.clone(), after_version: last };
        let question = Request::from_parts(line.metadata.clone(), Extensions::new(), wanted);
        let following = async {
            let mut stream = line.games.watch_game(question).await?.into_inner();
            while !over {
                let update = stream.message().await?.ok_or(Status::unknown("the stream ended"))?.update;
                let Some(pb::watch_game_response::Update::Event(event)) = update else { continue }; // a heartbeat
                if event.version > last {
                    println!("{:5}  {}", event.version, event.sentence);
                    (last, line.tries) = (event.version, 0);
                    over = matches!(event.detail.and_then(|it| it.detail), Some(Detail::GameEnded(_)));
                    // Effects say which seat has to decide next. Skip events known when we last listed the commands.
                    let asks = |it: &pb::Effect| matches!(&it.effect, Some(Effect::Ask(ask)) if ask.seat == token.seat);
                    if last > decided && event.effects.iter().any(asks) {
                        decided = line.make_moves(&game_id, token.seat, last).await?;
                    }
                }
            }
            Ok::<_, Status>(())
        };
        let Err(error) = following.await else { break };
        line.pause(error).await;
    }

    // 7. Show the result. GetBoard has the whole score sheet.
    let question = pb::GetGameRequest { game_id, ..Default::default() };
    let game = line.call(GamesClient::get_game, question, &[]).await?.game.unwrap_or_default();
    for it in &game.standings {
        println!("rank {}: {}, {} points", it.rank, game.seats[it.seat as usize - 1].name, it.points);
    }
    Ok(())
}

/// The stub, the metadata of each call, and the failed attempts in a row.
struct Line {
    games: GamesClient<Channel>,
    metadata: MetadataMap,
    tries: u32,
}

impl Line {
    /// Makes moves until the seat has no decision to make; returns the version of the game at that time.
    async fn make_moves(&mut self, id: &str, seat: i32, mut version: i64) -> Result<i64, Status> {
        let mut rejected = 0;
        loop {
            // 4. List the legal commands. `min_version` makes sure that the list includes our own last move.
            let (game_id, min_version) = (id.to_owned(), Some(version));
            let question = pb::ListLegalCommandsRequest { game_id, seat, min_version, ..Default::default() };
            let legal = self.call(GamesClient::list_legal_commands, question, &[]).await?;
            // A real client shows the sentences to a person.
            let Some(chosen) = legal.commands.choose(&mut rand::rng()) else { return Ok(legal.version) };
            // 5. Submit one. Make a new `command_id` for each move: a retry with the same id is not carried out twice.
            //    If the game has changed since `expected_version`, the server rejects it: then list again.
            let (game_id, commands) = (id.to_owned(), vec![chosen.command.clone()]);
            let (command_id, expected_version) = (rand::random::<u128>().to_string(), Some(legal.version));
            let wanted = pb::SubmitCommandsRequest { game_id, seat, commands, command_id, expected_version };
            match self.call(GamesClient::submit_commands, wanted, &[Code::Aborted, Code::FailedPrecondition]).await {
                Ok(done) => (version, rejected) = (done.version, 0),
                Err(error) if rejected + 1 >= MAX_TRIES => self.pause(error).await,
                Err(_) => rejected += 1,
            }
        }
    }

    /// Returns the response. Sends the same request again if there is none; its id makes sure that it counts once.
    async fn call<Q: Clone, A>(
        &mut self,
        method: impl AsyncFn(&mut GamesClient<Channel>, Request<Q>) -> Result<Response<A>, Status>,
        question: Q,
        expected: &[Code],
    ) -> Result<A, Status> {
        let answer = loop {
            let mut request = Request::from_parts(self.metadata.clone(), Extensions::new(), question.clone());
            request.set_timeout(TIMEOUT);
            let answered = tokio::time::timeout(TIMEOUT, method(&mut self.games, request)).await;
            match answered.unwrap_or_else(|late| Err(Status::deadline_exceeded(late.to_string()))) {
                Err(error) if !expected.contains(&error.code()) => self.pause(error).await,
                answer => break answer.map(Response::into_inner),
            }
        };
        self.tries = 0;
        answer
    }

    /// Waits before the next attempt. If a retry cannot help, it prints the error and ends the program.
    async fn pause(&mut self, error: Status) {
        let details = rpc::Status::decode(error.details()).unwrap_or_default().details;
        let info = details.iter().find_map(|it| it.to_msg::<rpc::ErrorInfo>().ok()); // else it is not the server's
        let retry = details.iter().find_map(|it| it.to_msg::<rpc::RetryInfo>().ok()); // else do not retry
        let own = Duration::from_millis(3000.min(100 << self.tries)).mul_f64(rand::random_range(0.5..1.0));
        let wait = own.max(retry.unwrap_or_default().retry_delay.unwrap_or_default().try_into().unwrap_or_default());
        self.tries += 1; // and do not wait for longer than 30 seconds
        if info.is_some() && retry.is_none() || self.tries >= MAX_TRIES || wait > Duration::from_secs(30) {
            let info = info.unwrap_or_default();
            eprintln!("{:?} {}: {}", error.code(), info.reason, error.message());
            for (name, value) in info.metadata {
                eprintln!("  {name}: {value}");
            }
            eprintln!("  what to do: see docs/errors.md");
            process::exit(1);
        }
        tokio::time::sleep(wait).await;
    }
}
