//! How a call is sent again while nobody answers, and how an error is read: nothing here knows what is played.

use crate::stubs::google::rpc::{BadRequest, ErrorInfo, RetryInfo, Status as Details};
use prost::{Message, Name};
use std::{cmp, process, time::Duration};
use tonic::{Code, Request, Status, metadata::MetadataValue};

/// For one answer.
pub const TIMEOUT: Duration = Duration::from_secs(10);
/// Of one call, while nobody answers: with the pauses between, about twenty seconds.
pub const TRIES: u32 = 12;
/// Who is told to wait longer should tell a person instead.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// An id of our own for something that we mean to do.
pub fn new_id() -> String {
    format!("{:032x}", rand::random::<u128>())
}

/// One of the details that errors have beside their code: ErrorInfo, RetryInfo …
fn detail<Kind: Message + Name + Default>(error: &Status) -> Option<Kind> {
    let all = Details::decode(error.details()).ok()?.details;
    all.iter()
        .find(|it| it.type_url.ends_with(&Kind::full_name()))
        .and_then(|it| Kind::decode(it.value.as_slice()).ok())
}

/// What went wrong is told by details: a stable reason, the rule if one forbids it, and what failed.
pub fn fail<Anything>(error: Status) -> Anything {
    let info = detail::<ErrorInfo>(&error);
    let (reason, metadata) = info.clone().map(|it| (it.reason, it.metadata)).unwrap_or_default();
    eprintln!("{:?} {reason}: {}", error.code(), error.message());
    for (name, value) in metadata {
        eprintln!("  {name}: {value}");
    }
    for it in detail::<BadRequest>(&error).unwrap_or_default().field_violations {
        eprintln!("  {}: {}", it.field, it.description);
    }
    eprintln!("  what to do: {}", if info.is_some() { "see docs/errors.md" } else { "is a service there?" });
    process::exit(1)
}

/// Waits until it makes sense to ask again, and ends the program where it does not.
pub async fn pause(error: Status, tries: u32) {
    let asked = detail::<RetryInfo>(&error).and_then(|it| it.retry_delay).and_then(|it| Duration::try_from(it).ok());
    let lost = match error.code() {
        Code::Unavailable | Code::DeadlineExceeded | Code::Cancelled => true,
        // So tonic calls a connection that broke amid an answer. The service itself never says it.
        Code::Unknown | Code::Internal => error.details().is_empty(),
        // A limit says when to come back. A stream whose reader was too slow goes on whenever he likes.
        Code::ResourceExhausted => {
            asked.is_some() || detail::<ErrorInfo>(&error).is_some_and(|it| it.reason == "TOO_SLOW")
        }
        _ => false,
    };
    let own = Duration::from_millis(cmp::min(100 << tries, 3000)).mul_f64(rand::random_range(0.5..1.0));
    let wait = cmp::max(own, asked.unwrap_or_default());
    if !lost || tries >= TRIES || wait > LONGEST_PAUSE {
        fail::<()>(error);
    }
    tokio::time::sleep(wait).await;
}

/// What goes beside each call: the language of sentences, and the seat's token once there is one.
#[derive(Default)]
pub struct Line {
    pub token: String,
}

impl Line {
    pub fn asking<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        request.metadata_mut().insert("accept-language", MetadataValue::from_static("en"));
        if !self.token.is_empty() {
            let token = format!("Bearer {}", self.token).parse().expect("tokens are visible ASCII");
            request.metadata_mut().insert("authorization", token);
        }
        request
    }
}

/// The answer to a request. If none comes the same request is sent again, and by the id in it counts once.
#[macro_export]
macro_rules! call {
    ($player:expr, $method:ident, $message:expr) => {{
        let (message, mut tries) = ($message, 0);
        loop {
            let mut request = $player.line.asking(message.clone());
            request.set_timeout($crate::calls::TIMEOUT);
            let answered = tokio::time::timeout($crate::calls::TIMEOUT, $player.games.clone().$method(request)).await;
            match answered.unwrap_or_else(|_| Err(tonic::Status::deadline_exceeded("no answer came in time"))) {
                Ok(answer) => break Ok(answer.into_inner()),
                Err(error) if matches!(error.code(), tonic::Code::Aborted | tonic::Code::FailedPrecondition) => {
                    break Err(error);
                }
                Err(error) => {
                    tries += 1;
                    $crate::calls::pause(error, tries).await;
                }
            }
        }
    }};
}
