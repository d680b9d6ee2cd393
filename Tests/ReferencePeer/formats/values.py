"""The values in JSON payloads, and what is wrong with those that break the rules of WireFormat.md."""

from __future__ import annotations

import base64
import json
import re
from datetime import datetime
from typing import Any, Callable


class ProtocolError(Exception):
    """The other side broke the protocol. It is told so with a `failure` frame."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def invalid(message: str) -> ProtocolError:
    return ProtocolError("invalidFrame", message)


def beyond_limit(message: str) -> ProtocolError:
    return ProtocolError("limitExceeded", message)


def unexpected(message: str) -> ProtocolError:
    return ProtocolError("unexpectedFrame", message)


def parse_json(payload: bytes, allows_fractions: bool = False) -> dict[str, Any]:
    """Reads one I-JSON object within the limits of the section "JSON payloads"."""
    try:
        text = payload.decode("utf-8")
        value = json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except (ValueError, RecursionError) as error:
        raise invalid(f"not JSON: {error}") from error
    if not isinstance(value, dict):
        raise invalid("not a JSON object")
    _check_extent(value)
    if not allows_fractions and has_fraction(value):
        raise invalid("a number with a fraction or an exponent")
    return value


def has_fraction(value: Any) -> bool:
    """Whether a number is written with a fraction or an exponent; Python reads exactly these as floats."""
    if isinstance(value, dict):
        return any(map(has_fraction, value.values()))
    return any(map(has_fraction, value)) if isinstance(value, list) else isinstance(value, float)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        raise ValueError("a key stands in an object twice")
    if any(len(key.encode()) > 1_000 for key in result):
        raise beyond_limit("a key of more than 1,000 bytes")
    return result


def _constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def _check_extent(value: Any) -> None:
    count, level, depth = 0, [value], 0
    while level:
        depth, count = depth + 1, count + len(level)
        if any(isinstance(item, str) and any("\ud800" <= char <= "\udfff" for char in item) for item in level):
            raise invalid("half of a surrogate pair")
        if depth > 512 or count > 16_384:
            raise beyond_limit("JSON that is nested too deep or has too many values")
        objects = [item.values() for item in level if isinstance(item, dict)]
        lists = [item for item in level if isinstance(item, list)]
        level = [item for items in objects + lists for item in items]


# Kinds of values. A check returns what the value stands for, or raises.

Check = Callable[[Any], Any]


def integer(least: int | None, most: int | None) -> Check:
    def check(value: Any) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or (least is not None and value < least):
            raise invalid(f"not an integer from {least}: {value!r:.40}")
        if most is not None and value > most:
            raise beyond_limit(f"{value} is more than {most}")
        return value

    return check


def text(longest: int = 1_000) -> Check:
    def check(value: Any) -> str:
        if not isinstance(value, str):
            raise invalid("not a text")
        try:
            length = len(value.encode())
        except UnicodeEncodeError as error:
            raise invalid("not a Unicode text") from error
        if length > longest:
            raise beyond_limit(f"a text of more than {longest} bytes")
        return value

    return check


def pattern(expression: str) -> Check:
    def check(value: Any) -> str:
        if not isinstance(value, str) or not re.fullmatch(expression, value, re.ASCII):
            raise invalid(f"{value!r:.80} is not {expression}")
        return value

    return check


def list_of(element: Check, most: int = 64) -> Check:
    def check(value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise invalid("not a list")
        if len(value) > most:
            raise beyond_limit(f"a list of more than {most}")
        return [element(item) for item in value]

    return check


REQUIRED, OPTIONAL = True, False

Fields = dict[str, tuple[bool, Check]]
"""The keys of an object: whether each is required, and what its value has to be."""


def check_keys(name: str, body: dict[str, Any], fields: Fields) -> None:
    for key, (is_required, check) in fields.items():
        if key in body:
            check(body[key])
        elif is_required:
            raise invalid(f"{name} has no {key}")


def object_of(fields: Fields) -> Check:
    def check(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise invalid("not an object")
        check_keys("an object", value, fields)
        return value

    return check


def counts(value: Any) -> dict[str, int]:
    if not isinstance(value, dict):
        raise invalid("not an object")
    if len(value) > 64:
        raise beyond_limit("an object of more than 64 keys")
    return {key: integer(0, 1_000_000_000)(count) for key, count in value.items()}


def boolean(value: Any) -> bool:
    if not isinstance(value, bool):
        raise invalid("not a boolean")
    return value


def moment(value: Any) -> datetime:
    pattern(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")(value)
    try:
        return datetime.strptime(value, "%Y-%m-%dT%H:%M:%S%z")
    except ValueError as error:
        raise invalid("not a time") from error


def binary(longest: int) -> Check:
    def check(value: Any) -> bytes:
        if not isinstance(value, str):
            raise invalid("not base64")
        try:
            result = base64.b64decode(value, validate=True)
        except ValueError as error:
            raise invalid("not base64") from error
        if len(result) > longest:
            raise beyond_limit(f"more than {longest} bytes")
        return result

    return check


UUID = r"[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}"
KIND = r"[a-z0-9]{1,32}"
digest = pattern(r"[0-9A-Fa-f]{64}")
identifier = pattern(UUID)
kind = pattern(KIND)
incarnation = pattern(r"[A-Za-z0-9_-]{21}[AQgw]")
"""16 bytes in base64url without padding: 22 characters, the last four bits 0. A secret has the same form."""
feature = pattern(r"[a-z0-9-]+(\.[a-z0-9-]+)*")
resource_name = pattern(f"{KIND}:{UUID}")
