"""The RPCs of a server behind their guards, with the health and reflection services of gRPC."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from grpc_health.v1 import health, health_pb2

from boardkeeper.service.auth.access_control import AccessControl
from boardkeeper.service.limits.admission import Admission
from boardkeeper.service.observability.counters import CallCounters
from boardkeeper.service.transport.guard import AnyServiceDescriptor, Rpc, guarded_rpcs
from boardkeeper.service.transport.reflection import SERVICE_NAMES, reflection_rpcs

if TYPE_CHECKING:
    from boardkeeper.service.observability.tracing import Tracing


class Rpcs:
    """The RPCs of a server: ``own`` are Boardkeeper's, ``all`` includes health and reflection."""

    def __init__(
        self,
        servicers: Mapping[AnyServiceDescriptor, object],
        access_control: AccessControl,
        counters: CallCounters,
        admission: Admission,
        *,
        draining: Callable[[], bool],
        tracing: Tracing | None,
        middleware: Callable[[Rpc], Rpc],
        has_reflection: bool,
    ) -> None:
        """``draining`` returns whether new calls are rejected; ``middleware`` wraps each of Boardkeeper's RPCs."""
        self.own = [
            middleware(rpc)
            for descriptor, servicer in servicers.items()
            for rpc in guarded_rpcs(
                descriptor,
                servicer,
                access_control=access_control,
                counters=counters,
                admission=admission,
                draining=draining,
                tracing=tracing,
            )
        ]
        self._health = health.aio.HealthServicer()
        health_service: AnyServiceDescriptor = health_pb2.DESCRIPTOR.services_by_name["Health"]
        names = [descriptor.full_name for descriptor in (*servicers, health_service)]
        self.all = [*self.own, *guarded_rpcs(health_service, self._health, own=False, admission=admission)]
        if has_reflection:
            names += SERVICE_NAMES
            self.all += reflection_rpcs(names, admission)
        self._services = ("", *names)

    async def set_health(self, works: bool) -> None:
        """Set what the health service reports for the server and all of its services."""
        status = health_pb2.HealthCheckResponse.SERVING if works else health_pb2.HealthCheckResponse.NOT_SERVING
        for service in self._services:
            await self._health.set(service, status)

    async def shut_down(self) -> None:
        """Report permanently that the server does not serve."""
        await self._health.enter_graceful_shutdown()
