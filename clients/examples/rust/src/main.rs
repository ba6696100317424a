//! How to write a client of Boardkeeper: a whole game of any title with nothing but the generated stubs.
//!
//! A client needs no rules. It asks what a seat may do, takes one of the answers, and sends it back as it came. The
//! same client, in the same seven steps, is beside this folder in other languages; how it is run is in README.md.

tonic::include_proto!("stubs");

use boardkeeper::v1::{self as pb, effect::Effect, event_detail::Detail, games_client::GamesClient};
use google::rpc;
use prost::Message;
use rand::seq::IndexedRandom;
use std::{env, process, time::Duration};
use tonic::{Code, Extensions, Request, Response, Status, metadata::MetadataMap, transport::Channel};

const TIMEOUT: Duration = Duration::from_secs(10); // for one answer
const PATIENCE: u32 = 12; // so often in a row there may be no answer: with the pauses between, for about twenty seconds

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Status> {
    // 1. One channel to the service, one stub for each of its services. The channel is told to notice a service that is
    //    gone without a word; for one that was away it looks at each call.
    let given: Vec<_> = env::args().skip(1).collect();
    let argument = |at: usize, usual: &str| given.get(at).cloned().unwrap_or(usual.to_owned());
    let endpoint = Channel::from_shared(format!("http://{}", argument(0, "localhost:50051"))).expect("HOST:PORT");
    let channel = endpoint.http2_keep_alive_interval(Duration::from_secs(30)).connect_lazy();
    let mut line = Line { games: GamesClient::new(channel), metadata: MetadataMap::new(), tries: 0 };
    line.metadata.insert("accept-language", "en".parse().expect("ASCII"));

    // 2. A game: one seat for us, the others are played by the service. `request_id` makes the call safe to send again.
    //    Whoever creates a game gets a token for each seat that is neither a bot's nor left open for others to join.
    let mut seats = vec![pb::SeatRequest { name: "Anna".into(), ..Default::default() }];
    for each in 2..=argument(3, "2").parse().expect("a number of players") {
        seats.push(pb::SeatRequest { name: format!("Robot {each}"), bot: "sensible".into(), ..Default::default() });
    }
    let (title, edition, request_id) = (argument(1, "orleans"), argument(2, ""), rand::random::<u128>().to_string());
    let wanted = pb::CreateGameRequest { title, edition, seats, request_id, ..Default::default() };
    let created = line.call(GamesClient::create_game, wanted, &[]).await?;
    let (game_id, token) = (created.game.unwrap_or_default().game_id, &created.seat_tokens[0]);
    // 3. From now on the seat's token goes beside each call.
    line.metadata.insert("authorization", format!("Bearer {}", token.token).parse().expect("ASCII"));

    let mut decided = line.play_while_asked(&game_id, token.seat, 0).await?;
    let (mut last, mut over) = (0, false);
    loop {
        // 6. Follow the game. The stream begins after any version, so when it is cut we ask for what comes after that.
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
                    // Each event says who is asked to decide next; what came before our last look is behind us.
                    let asks = |it: &pb::Effect| matches!(&it.effect, Some(Effect::Ask(ask)) if ask.seat == token.seat);
                    if last > decided && event.effects.iter().any(asks) {
                        decided = line.play_while_asked(&game_id, token.seat, last).await?;
                    }
                }
            }
            Ok::<_, Status>(())
        };
        let Err(error) = following.await else { break };
        line.pause(error).await;
    }

    // 7. Results are part of the game; the board has the whole score sheet.
    let question = pb::GetGameRequest { game_id, ..Default::default() };
    let game = line.call(GamesClient::get_game, question, &[]).await?.game.unwrap_or_default();
    for it in &game.standings {
        println!("rank {}: {}, {} points", it.rank, game.seats[it.seat as usize - 1].name, it.points);
    }
    Ok(())
}

/// The service, what goes beside each call, and how often in a row nobody answered.
struct Line {
    games: GamesClient<Channel>,
    metadata: MetadataMap,
    tries: u32,
}

impl Line {
    /// Takes decisions until the seat has none; returns the version of the game at which that was so.
    async fn play_while_asked(&mut self, id: &str, seat: i32, mut version: i64) -> Result<i64, Status> {
        let mut refused = 0;
        loop {
            // 4. What may we do? `min_version` makes sure that we see the board after our own last move.
            let (game_id, min_version) = (id.to_owned(), Some(version));
            let question = pb::ListLegalCommandsRequest { game_id, seat, min_version, ..Default::default() };
            let legal = self.call(GamesClient::list_legal_commands, question, &[]).await?;
            // By their sentences a person decides, or a cleverer bot.
            let Some(chosen) = legal.commands.choose(&mut rand::rng()) else { return Ok(legal.version) };
            // 5. Do it. `command_id` is made once for what we mean to do: sent again, it is not done again. If others
            //    moved meanwhile the service refuses, for we said which board we saw: then we look again.
            let (game_id, commands) = (id.to_owned(), vec![chosen.command.clone()]);
            let (command_id, expected_version) = (rand::random::<u128>().to_string(), Some(legal.version));
            let meant = pb::SubmitCommandsRequest { game_id, seat, commands, command_id, expected_version };
            match self.call(GamesClient::submit_commands, meant, &[Code::Aborted, Code::FailedPrecondition]).await {
                Ok(done) => (version, refused) = (done.version, 0),
                Err(error) if refused + 1 >= PATIENCE => self.pause(error).await,
                Err(_) => refused += 1,
            }
        }
    }

    /// The answer to a request. If none comes the same request is sent again, and by the id in it counts once.
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

    /// Waits until it makes sense to ask again; where it does not, the program ends and says why.
    async fn pause(&mut self, error: Status) {
        let details = rpc::Status::decode(error.details()).unwrap_or_default().details;
        let info = details.iter().find_map(|it| it.to_msg::<rpc::ErrorInfo>().ok()); // why; without it the line broke
        let retry = details.iter().find_map(|it| it.to_msg::<rpc::RetryInfo>().ok()); // when; without it not at all
        let own = Duration::from_millis(3000.min(100 << self.tries)).mul_f64(rand::random_range(0.5..1.0));
        let wait = own.max(retry.unwrap_or_default().retry_delay.unwrap_or_default().try_into().unwrap_or_default());
        self.tries += 1; // who is told to wait for longer than half a minute should tell a person instead
        if info.is_some() && retry.is_none() || self.tries >= PATIENCE || wait > Duration::from_secs(30) {
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
