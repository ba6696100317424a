# Shared by all examples: the server's address, what to play, and the proto files that the stubs are generated from.
SERVER ?= localhost:8050
TITLE ?= orleans
EDITION ?=
PLAYERS ?= 2
# Prefer the tools of this repository's environment, if it exists.
export PATH := $(abspath ../../../.venv/bin):$(PATH)
PROTOS := $(shell find ../../../proto -name '*.proto')
