"""Calls over HTTP in all protocols (gRPC, Connect, gRPC-Web, JSON), and the files of the web client.

The same guard and servicers answer the calls. This package translates: requests (`exchange`), origins that may call
(`origins`), what a request asks for (`site`), the protocols (`forms`), JSON (`json`, `json_requests`), the context of a
call (`context`) and files (`files`).
"""
