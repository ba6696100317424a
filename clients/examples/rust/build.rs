//! Generates the stubs from `proto/` whenever a file there changes.

use prost_build::Config;
use prost_types::field_descriptor_proto::Type;
use std::{env, io};

const PROTO: &str = "../../../proto";

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed={PROTO}");
    let wanted = ["boardkeeper/v1/games.proto", "google/rpc/error_details.proto"];
    let mut files = Config::new().load_fds(&wanted, &[PROTO])?;
    files.file.retain(|it| ours(it.package()));
    let messages = files.file.iter_mut().flat_map(|it| &mut it.message_type);
    messages.flat_map(|it| &mut it.field).filter(|it| goes_back_as_it_came(it.type_name())).for_each(|field| {
        field.set_type(Type::Bytes);
        field.type_name = None;
    });
    let mut config = Config::new();
    config.enable_type_names().out_dir(env::var("OUT_DIR").expect("cargo says where")); // names distinguish the error details
    tonic_prost_build::configure().build_server(false).include_file("stubs.rs").compile_fds_with_config(files, config)
}

/// Whether it is a package whose messages a client of any title reads.
fn ours(package: &str) -> bool {
    package.starts_with("boardkeeper.v1") || package.starts_with("google.")
}

/// `prost` drops unknown fields, such as those of later versions. So commands and the messages of titles are declared as
/// `bytes`, which look the same on the wire. A client that reads these messages removes this step and compiles all titles.
fn goes_back_as_it_came(kind: &str) -> bool {
    kind == ".boardkeeper.v1.Command" || (kind.starts_with('.') && !ours(&kind[1..]))
}
