//! How to write a client of Boardkeeper: a whole game of any title with nothing but the generated stubs.
//!
//! A client needs no rules. It asks what a seat may do, takes one of the answers, and sends it back as it came. The same
//! seven steps are beside this folder in other languages. README.md says how it is run, calls.rs sends calls again.

mod calls;
#[allow(clippy::all, dead_code)]
mod stubs {
    tonic::include_proto!("stubs");
}

use calls::{Line, TRIES, fail, new_id, pause};
use rand::seq::IndexedRandom;
use std::{env, time::Duration};
use stubs::boardkeeper::v1::games_client::GamesClient;
use stubs::boardkeeper::v1::{
    CreateGameRequest, Event, Game, GameStatus, GetGameRequest, ListLegalCommandsRequest, SeatRequest,
    SubmitCommandsRequest, WatchGameRequest, effect::Effect, watch_game_response::Update,
};
use tonic::transport::{Channel, Endpoint};
use tonic::Status;

/// A seat of a game, and the line on which it is played.
struct Player {
    games: GamesClient<Channel>,
    line: Line,
    game_id: String,
    seat: i32,
}

impl Player {
    /// Takes decisions until the seat has none; returns the version of the game at which that was so.
    async fn play_while_asked(&self, mut version: i64) -> i64 {
        let mut refused = 0;
        loop {
            // 4. What may we do? `min_version` makes sure that we see the board after our own last move.
            let question = ListLegalCommandsRequest {
                game_id: self.game_id.clone(),
                seat: self.seat,
                min_version: Some(version),
                ..Default::default()
            };
            let legal = call!(self, list_legal_commands, question).unwrap_or_else(fail);
            // Each comes with a sentence: here a person or a cleverer bot decides.
            let Some(chosen) = legal.commands.choose(&mut rand::rng()) else { return legal.version };
            // 5. Do it. `command_id` is made once for what we mean to do: sent again, it is not done again. If others
            //    moved meanwhile the service refuses, for we said which board we saw: then we look again.
            let submission = SubmitCommandsRequest {
                game_id: self.game_id.clone(),
                seat: self.seat,
                commands: vec![chosen.command.clone()],
                command_id: new_id(),
                expected_version: Some(legal.version),
            };
            match call!(self, submit_commands, submission) {
                Ok(done) => (version, refused) = (done.version, 0),
                Err(error) if refused == TRIES => fail(error),
                Err(_) => refused += 1,
            }
        }
    }

    /// How far the game is, and in the end its result.
    async fn game(&self) -> Game {
        let question = GetGameRequest { game_id: self.game_id.clone(), ..Default::default() };
        call!(self, get_game, question).unwrap_or_else(fail).game.unwrap_or_default()
    }

    /// Tells every event of the game once, in order, to the last one.
    async fn follow(&self, mut tell: impl AsyncFnMut(&Event)) {
        let (mut last, mut tries) = (0, 0);
        loop {
            // 6. The stream begins after any version, so when it is cut we ask for what comes after the last one we have.
            let question = WatchGameRequest { game_id: self.game_id.clone(), after_version: last };
            let ended: Result<(), Status> = async {
                let mut stream = self.games.clone().watch_game(self.line.asking(question)).await?.into_inner();
                while let Some(answer) = stream.message().await? {
                    match answer.update {
                        Some(Update::Event(event)) if event.version > last => {
                            (last, tries) = (event.version, 0);
                            tell(&event).await;
                        }
                        _ => {} // a heartbeat: nothing happened for a while; or something that later services tell
                    }
                }
                Ok(())
            }
            .await;
            tries += 1;
            match ended {
                Err(error) => pause(error, tries).await,
                Ok(()) => {
                    // It ended as it should: with the game, unless somebody between us and the service did that.
                    let game = self.game().await;
                    if game.status() == GameStatus::Ended && game.version <= last {
                        return;
                    }
                    tokio::time::sleep(Duration::from_millis(200)).await;
                }
            }
        }
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    // 1. One channel to the service, one stub for each of its services. The channel is told to notice a service that is gone
    //    without a word.
    let given: Vec<_> = env::args().skip(1).collect();
    let argument = |at: usize, usual: &str| given.get(at).cloned().unwrap_or(usual.to_owned());
    let endpoint = Endpoint::from_shared(format!("http://{}", argument(0, "localhost:50051"))).expect("HOST:PORT");
    let channel = endpoint.http2_keep_alive_interval(Duration::from_secs(30)).connect_lazy();
    let games = GamesClient::new(channel);
    let mut player = Player { games, line: Line::default(), game_id: String::new(), seat: 0 };

    // 2. A game: one seat for us, the others are played by the service. `request_id` makes the call safe to send again.
    //    Whoever creates a game gets a token for each seat that is neither a bot's nor left open for others to join.
    let mut seats = vec![SeatRequest { name: "Anna".into(), ..Default::default() }];
    for each in 2..=argument(3, "2").parse().expect("a number of players") {
        seats.push(SeatRequest { name: format!("Robot {each}"), bot: "sensible".into(), ..Default::default() });
    }
    let (title, edition, request_id) = (argument(1, "orleans"), argument(2, ""), new_id());
    let wanted = CreateGameRequest { title, edition, seats, request_id, ..Default::default() };
    let created = call!(player, create_game, wanted).unwrap_or_else(fail);
    // 3. From now on the seat's token goes beside each call.
    let token = &created.seat_tokens[0];
    player.game_id = created.game.unwrap_or_default().game_id;
    (player.seat, player.line.token) = (token.seat, token.token.clone());

    let mut decided = player.play_while_asked(0).await;
    player
        .follow(async |event| {
            println!("{:5}  {}", event.version, event.sentence);
            // Each event says who is asked to decide next; what came before our last look is behind us.
            let asks =
                |it: &_| matches!(it, Some(Effect::Ask(ask)) if ask.seat == player.seat && !ask.after.is_empty());
            if event.version > decided && event.effects.iter().any(|it| asks(&it.effect)) {
                decided = player.play_while_asked(event.version).await;
            }
        })
        .await;

    // 7. Results are part of the game; the board has the whole score sheet.
    let game = player.game().await;
    for it in &game.standings {
        println!("rank {}: {}, {} points", it.rank, game.seats[it.seat as usize - 1].name, it.points);
    }
}
