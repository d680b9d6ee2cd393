"""Chunks, their digests, and the manifest that lists the resources."""

from __future__ import annotations

import hashlib
import struct
from dataclasses import dataclass
from typing import Any, BinaryIO, Iterable

from formats import wire


def sha256(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


@dataclass(frozen=True)
class Layout:
    """How a resource is cut into chunks."""

    size: int

    @property
    def chunk_length(self) -> int:
        length = 16_384
        while self.size > length * 65_536:
            length *= 2
        return length

    @property
    def count(self) -> int:
        return -(-self.size // self.chunk_length)

    def bytes(self, chunks: range) -> range:
        """The bytes of some neighbouring chunks."""
        return range(chunks.start * self.chunk_length, min(chunks.stop * self.chunk_length, self.size))


def chunk_digests(file: BinaryIO, layout: Layout) -> list[bytes]:
    """The digests of the chunks of a file; what the file lacks is left out of them."""
    file.seek(0)
    return [sha256(file.read(layout.chunk_length)) for _ in range(layout.count)]


def resource_digest(size: int, digests: Iterable[bytes]) -> bytes:
    return sha256(b"hikeshare resource\0", struct.pack(">Q", size), *digests)


@dataclass(frozen=True)
class Resource:
    """A resource as the manifest has it."""

    index: int
    kind: str
    layout: Layout
    digest: bytes


@dataclass(frozen=True)
class Manifest:
    """An offer."""

    id: str
    body: dict[str, Any]
    resources: list[Resource]

    @property
    def size(self) -> int:
        return sum(resource.layout.size for resource in self.resources)


def make_manifest(body: dict[str, Any], files: list[tuple[str, int, bytes]]) -> dict[str, Any]:
    """Adds a list of resources (kind, size, resource digest) to an application's description."""
    return body | {
        "resources": [
            {
                "name": f"{kind}:{body['id']}",
                "size": size,
                "digest": digest.hex(),
            }
            for kind, size, digest in files
        ]
    }


def read_manifest(body: dict[str, Any]) -> Manifest:
    """Checks the two keys of a manifest that are the protocol's."""
    try:
        id = wire.identifier(body.get("id"))
        listed = wire.list_of(lambda item: item, wire.MAXIMUM_RESOURCES)(body.get("resources"))
        resources = [_read_resource(index, item, id) for index, item in enumerate(listed)]
    except wire.ProtocolError as error:
        if error.code == "limitExceeded":
            raise
        raise _invalid(str(error)) from error
    if len({resource.kind for resource in resources}) < len(resources):
        raise _invalid("a kind stands in it twice")
    manifest = Manifest(id, body, resources)
    if manifest.size > wire.MAXIMUM_SIZE:
        raise wire.beyond_limit("all resources together are too large")
    return manifest


def _read_resource(index: int, item: Any, id: str) -> Resource:
    if not isinstance(item, dict):
        raise _invalid("a resource is not an object")
    kind, _, owner = wire.resource_name(item.get("name")).partition(":")
    if owner.upper() != id.upper() or kind in ("manifest", "done"):
        raise _invalid(f"the name {item['name']} is not allowed")
    layout = Layout(wire.integer(0, wire.MAXIMUM_SIZE)(item.get("size")))
    return Resource(index, kind, layout, bytes.fromhex(wire.digest(item.get("digest"))))


def _invalid(message: str) -> wire.ProtocolError:
    return wire.ProtocolError("invalidManifest", f"invalid manifest: {message}")


def runs(chunks: Iterable[int]) -> list[range]:
    """Joins ascending positions to runs."""
    result: list[range] = []
    for chunk in chunks:
        if result and result[-1].stop == chunk:
            result[-1] = range(result[-1].start, chunk + 1)
        else:
            result.append(range(chunk, chunk + 1))
    return result
