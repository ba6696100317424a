"""gRPC server reflection, as ``grpc.reflection.v1`` and as the older ``grpc.reflection.v1alpha``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, cast

from google.protobuf import descriptor_pool, text_format
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_reflection.v1alpha import reflection, reflection_pb2

from boardkeeper.service.limits.admission import Admission
from boardkeeper.service.transport.guard import AnyServiceDescriptor, Rpc, guarded_rpcs

_V1ALPHA: AnyServiceDescriptor = reflection_pb2.DESCRIPTOR.services_by_name["ServerReflection"]
_V1 = "grpc.reflection.v1.ServerReflection"

SERVICE_NAMES = (_V1, _V1ALPHA.full_name)
"""The full names of the reflection service in both versions."""


def reflection_rpcs(services: Iterable[str], admission: Admission) -> list[Rpc]:
    """Return the RPCs of both versions, which list these services and describe all messages of the default pool."""
    servicer = reflection.aio.ReflectionServicer(services, pool=cast(Any, _ReflectionPool()))
    (rpc,) = guarded_rpcs(_V1ALPHA, servicer, own=False, admission=admission)
    return [rpc, rpc._replace(path=f"/{_V1}/{rpc.method.name}")]  # both versions are the same on the wire


class _ReflectionPool:
    """The default descriptor pool, with two additions for the reflection servicer.

    The default implementation of protobuf (upb) cannot find a file by the name of a method, which grpcurl and ghz
    request. The package grpcio-reflection contains only the descriptors of v1alpha.
    """

    def __init__(self) -> None:
        self._default: Any = descriptor_pool.Default()
        self._v1 = descriptor_pool.DescriptorPool()  # not the default pool: another package may register v1 there
        file = FileDescriptorProto()
        reflection_pb2.DESCRIPTOR.CopyToProto(cast(Any, file))
        text = text_format.MessageToString(file).replace("v1alpha", "v1")
        file = text_format.Parse(text, FileDescriptorProto())
        file.name = "grpc/reflection/v1/reflection.proto"
        file.options.ClearField("deprecated")
        self._v1.Add(file)

    def FindFileByName(self, name: str) -> Any:
        """Return the file with this name from the default pool or the v1 pool. Raises ``KeyError``."""
        return self._first_found("FindFileByName", name)

    def FindFileContainingSymbol(self, symbol: str) -> Any:
        """Return the file that defines a symbol; the symbol can be a method. Raises ``KeyError``."""
        try:
            return self._first_found("FindFileContainingSymbol", symbol)
        except KeyError:
            return self._first_found("FindMethodByName", symbol).containing_service.file

    def _first_found(self, method: str, name: str) -> Any:
        try:
            return getattr(self._default, method)(name)
        except KeyError:
            return getattr(self._v1, method)(name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._default, name)
