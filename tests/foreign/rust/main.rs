//! Runs the scenarios of `tests/foreign/expectations.py` with tonic, and prints one JSON line for each.
//! Usage: foreign HOST:PORT GAME_ID SEAT_TOKEN RECORD_FILE

tonic::include_proto!("stubs");

use boardkeeper::v1::{self as pb, games_client::GamesClient, play_action::Action, play_request, play_response};
use google::rpc;
use prost::Message;
use std::{env, fs, time::Duration};
use tokio::sync::mpsc;
use tokio_stream::{StreamExt, wrappers::UnboundedReceiverStream};
use tonic::{
    Request, Status, client::Grpc, codec::CompressionEncoding::Gzip, metadata::MetadataValue, transport::Channel,
};
use tonic_prost::ProstCodec;

const LIMIT: usize = 256 * 1024 - 4; // the field's header takes 4 bytes
const IMPORT: &str = "/boardkeeper.v1.History/ImportRecord";

type Outcome = Result<String, Status>;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let [_, address, id, token, file] = env::args().collect::<Vec<_>>().try_into().expect("four arguments");
    let record = fs::read(file).expect("a record");
    let endpoint = Channel::from_shared(format!("http://{address}")).expect("HOST:PORT");
    let channel = endpoint.http2_keep_alive_interval(Duration::from_secs(30)).connect_lazy();
    let games = GamesClient::new(channel.clone());

    show("unary", unary(games.clone(), &id).await);
    show("metadata", metadata(games.clone(), &id).await);
    show("rejected", games.clone().get_game(with_wrong_key(get(&id))).await.map(|_| String::new()));
    show("too_much_metadata", too_much_metadata(games.clone(), &id).await);
    show("unimplemented", unimplemented(channel.clone()).await);
    show("deadline", deadline(games.clone(), &id).await);
    show("cancelled", cancelled(games.clone(), &id).await);
    show("request_at_limit", oversized(games.clone(), LIMIT).await);
    show("request_beyond_limit", oversized(games.clone(), LIMIT + 1).await);
    show("compressed", oversized(games.clone().send_compressed(Gzip), LIMIT).await);
    show("compressed_beyond_limit", oversized(games.clone().send_compressed(Gzip), 40 * LIMIT).await);
    let parts: Vec<_> = record.chunks(65_536).map(<[u8]>::to_vec).collect();
    let imported = import(channel.clone(), Request::new(parts.clone())).await;
    show("client_stream", imported.as_ref().map(|_| "imported".to_owned()).map_err(Clone::clone));
    let imported = imported.unwrap_or_default();
    show("server_stream", server_stream(channel.clone(), games.clone(), imported, &id, &record).await);
    let parts = with_wrong_key(Request::new(vec![parts[0].clone(); 1_000]));
    show("rejected_while_sending", import(channel.clone(), parts).await);
    show("duplex", duplex(games.clone(), &id, &token).await);
    show("many", many(games, &id).await);
}

fn show(scenario: &str, outcome: Outcome) {
    let (code, message, value) = match outcome {
        Ok(value) => (0, String::new(), value),
        Err(status) => {
            let details = rpc::Status::decode(status.details()).unwrap_or_default().details;
            let info = details.iter().find_map(|it| it.to_msg::<rpc::ErrorInfo>().ok()).unwrap_or_default();
            (status.code() as i32, status.message().to_owned(), info.reason)
        }
    };
    println!(r#"{{"scenario": {scenario:?}, "code": {code}, "message": {message:?}, "value": {value:?}}}"#);
}

fn get(id: &str) -> Request<pb::GetGameRequest> {
    Request::new(pb::GetGameRequest { game_id: id.to_owned(), ..Default::default() })
}

fn with_wrong_key<T>(mut request: Request<T>) -> Request<T> {
    let key = format!("Bearer bk_000000000000_{}", "a".repeat(49));
    request.metadata_mut().insert("authorization", key.parse().expect("ASCII"));
    request.metadata_mut().insert("accept-language", MetadataValue::from_static("de"));
    request
}

async fn unary(mut games: GamesClient<Channel>, id: &str) -> Outcome {
    let mut request = get(id);
    request.set_timeout(Duration::from_secs(360_000));
    Ok(games.get_game(request).await?.into_inner().game.unwrap_or_default().title)
}

async fn metadata(mut games: GamesClient<Channel>, id: &str) -> Outcome {
    let mut request = get(id);
    request.metadata_mut().insert("x-request-id", MetadataValue::from_static("foreign-metadata"));
    let all: Vec<u8> = (0..=255).collect();
    request.metadata_mut().append_bin("trace-bin", MetadataValue::from_bytes(&all));
    request.metadata_mut().append_bin("trace-bin", MetadataValue::from_bytes(b"\0"));
    let answer = games.get_game(request).await?; // its metadata are the headers and the trailers
    Ok(answer.metadata().get("x-request-id").and_then(|it| it.to_str().ok()).unwrap_or_default().to_owned())
}

async fn too_much_metadata(mut games: GamesClient<Channel>, id: &str) -> Outcome {
    let mut request = get(id);
    for at in 0..80 {
        let key = format!("x-{at}").parse::<tonic::metadata::AsciiMetadataKey>().expect("a name");
        request.metadata_mut().insert(key, MetadataValue::from_static("1"));
    }
    games.get_game(request).await.map(|_| String::new())
}

async fn unimplemented(channel: Channel) -> Outcome {
    let mut any = Grpc::new(channel);
    any.ready().await.map_err(|it| Status::unknown(it.to_string()))?;
    let path = "/boardkeeper.v1.Games/NoSuchMethod".parse().expect("a path");
    any.unary(Request::new(()), path, ProstCodec::<(), ()>::default()).await.map(|_| String::new())
}

async fn deadline(mut games: GamesClient<Channel>, id: &str) -> Outcome {
    let mut request = get(id);
    request.get_mut().min_version = Some(1_000_000);
    request.get_mut().wait = Some(prost_types::Duration { seconds: 30, nanos: 0 });
    request.metadata_mut().insert("x-request-id", MetadataValue::from_static("foreign-deadline"));
    request.set_timeout(Duration::from_millis(200));
    games.get_game(request).await.map(|_| String::new())
}

async fn cancelled(mut games: GamesClient<Channel>, id: &str) -> Outcome {
    let mut request = Request::new(pb::WatchGameRequest { game_id: id.to_owned(), after_version: 0 });
    request.metadata_mut().insert("x-request-id", MetadataValue::from_static("foreign-cancelled"));
    let mut stream = games.watch_game(request).await?.into_inner();
    stream.message().await?;
    drop(stream);
    Err(Status::cancelled("dropped")) // tonic reports nothing for a stream that was dropped
}

/// Opens streams and cancels each after its first message, then makes another call.
async fn cancel_many(mut games: GamesClient<Channel>, id: &str) -> Result<(), Status> {
    let mut failed = 0;
    for _ in 0..300 {
        let request = pb::WatchGameRequest { game_id: id.to_owned(), after_version: 0 };
        let watched = match games.watch_game(request).await {
            Ok(stream) => stream.into_inner().message().await.map(|_| ()),
            Err(error) => Err(error),
        };
        for result in [watched, games.get_game(get(id)).await.map(|_| ())] {
            match result {
                // When the server asks for a new connection while a stream is open, hyper does not send the next call.
                Err(error) if error.message() == "operation was canceled" && failed < 10 => failed += 1,
                result => result?,
            }
        }
    }
    Ok(())
}

async fn oversized(mut games: GamesClient<Channel>, size: usize) -> Outcome {
    games.get_game(get(&"x".repeat(size))).await.map(|_| String::new())
}

/// Sends a record in parts. Its messages look like the well-known types of one `bytes` field.
async fn import(channel: Channel, parts: Request<Vec<Vec<u8>>>) -> Outcome {
    let mut any = Grpc::new(channel);
    any.ready().await.map_err(|it| Status::unknown(it.to_string()))?;
    let parts = parts.map(tokio_stream::iter);
    let codec = ProstCodec::<Vec<u8>, Vec<u8>>::default();
    let game = any.client_streaming(parts, IMPORT.parse().expect("a path"), codec).await?.into_inner();
    Ok(pb::Game::decode(game.as_slice()).map_err(|it| Status::unknown(it.to_string()))?.game_id)
}

async fn server_stream(
    channel: Channel,
    mut games: GamesClient<Channel>,
    imported: String,
    id: &str,
    record: &[u8],
) -> Outcome {
    let mut any = Grpc::new(channel);
    any.ready().await.map_err(|it| Status::unknown(it.to_string()))?;
    let path = "/boardkeeper.v1.History/GetRecord".parse().expect("a path");
    let codec = ProstCodec::<String, Vec<u8>>::default();
    let mut stream = any.server_streaming(Request::new(imported), path, codec).await?.into_inner();
    let mut read = stream.message().await?.unwrap_or_default();
    games.get_game(get(id)).await?; // over the same connection, while the stream is not read
    while let Some(part) = stream.message().await? {
        read.extend(part);
    }
    Ok(if read == record { "same" } else { "different" }.to_owned())
}

async fn duplex(mut games: GamesClient<Channel>, id: &str, token: &str) -> Outcome {
    let (sender, receiver) = mpsc::unbounded_channel();
    let mut call = Request::new(UnboundedReceiverStream::new(receiver));
    call.metadata_mut().insert("authorization", format!("Bearer {token}").parse().expect("ASCII"));
    let mut stream = None;
    let mut outcomes = 0;
    let mut call = Some(call);
    for turn in 0..10 {
        if turn == 5 {
            cancel_many(games.clone(), id).await?;
        }
        let (game_id, command_id) = (id.to_owned(), format!("duplex-{turn}"));
        let action = if turn % 2 == 0 {
            let command_id = command_id.clone();
            Action::HandSeatToBot(pb::HandSeatToBotRequest { game_id, seat: 1, command_id, ..Default::default() })
        } else {
            Action::TakeSeatBack(pb::TakeSeatBackRequest { game_id, seat: 1, command_id: command_id.clone() })
        };
        let action = pb::PlayAction { action: Some(action), ..Default::default() };
        sender.send(pb::PlayRequest { request: Some(play_request::Request::Action(action)) }).expect("a stream");
        if let Some(call) = call.take() {
            stream = Some(games.play(call).await?.into_inner()); // returns when the headers of the response arrive
        }
        let answer = stream.as_mut().expect("a stream").message().await?.unwrap_or_default().response;
        outcomes += matches!(answer, Some(play_response::Response::Outcome(it)) if it.command_id == command_id) as u32;
    }
    drop(sender);
    let rest = stream.expect("a stream").collect::<Result<Vec<_>, _>>().await?.len();
    Ok(format!("{outcomes} outcomes, then {rest}"))
}

async fn many(games: GamesClient<Channel>, id: &str) -> Outcome {
    let start = |_| {
        let (mut games, request) = (games.clone(), get(id));
        tokio::spawn(async move { games.get_game(request).await })
    };
    let calls: Vec<_> = (0..300).map(start).collect();
    let mut answered = 0;
    for call in calls {
        answered += call.await.is_ok_and(|it| it.is_ok()) as u32;
    }
    Ok(answered.to_string())
}
