"""The port for browsers: Connect, gRPC-Web and JSON over HTTP/1.1, and the files of the client that is built into it.

Calls are those of gRPC: the same guard lets them in, the same servicers answer them, in the same process and loop. Here
is only how they come and go over HTTP: connections (`connections`), who may come from which page (`origins`), what a
request asks for (`site`), how messages lie in bodies (`forms`, `bodies`, `json`), a call's context (`context`), files
(`files`) and the certificate (`tls`). Needs the packages of the extra ``boardkeeper[web]``, so nothing but `port`
imports it where a service starts.
"""
