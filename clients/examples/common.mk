# What the examples of all languages share: where the service is, what is played, and the protos that stubs are made from.
SERVER ?= localhost:50051
TITLE ?= orleans
EDITION ?=
PLAYERS ?= 2
# The tools of this project, where it is set up; else those of the machine.
export PATH := $(abspath ../../../.venv/bin):$(PATH)
PROTOS := $(shell find ../../../proto -name '*.proto')
