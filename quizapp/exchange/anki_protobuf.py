"""The little of the protobuf wire format that Anki packages need: the fields of one message, in order.

Source: protobuf.dev, Encoding. Groups (wire types 3 and 4) are not used by Anki and count as broken.
"""

from __future__ import annotations

from collections.abc import Iterator


class ProtobufError(ValueError):
    """A message that ends too early or is none."""


def message(data: bytes) -> Iterator[tuple[int, int | bytes]]:
    """The fields of a message as (number, value): an int for varints, bytes for all else. Raises ProtobufError."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == 0:
            value, at = _varint(data, at)
            yield number, value
            continue
        if wire == 2:
            size, at = _varint(data, at)
        elif wire in (1, 5):
            size = 8 if wire == 1 else 4
        else:
            raise ProtobufError(f"wire type {wire}")
        if at + size > len(data):
            raise ProtobufError("a field ends beyond its message")
        yield number, data[at : at + size]
        at += size


def number_of(data: bytes, field: int, default: int = 0) -> int:
    """The last value of a varint field."""
    found = default
    for number, value in message(data):
        if number == field and isinstance(value, int):
            found = value
    return found


def text_of(data: bytes, field: int) -> str:
    """The last value of a text field."""
    found = b""
    for number, value in message(data):
        if number == field and isinstance(value, bytes):
            found = value
    return found.decode("utf-8", "replace")


def _varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        if at >= len(data) or shift > 63:
            raise ProtobufError("a number without an end")
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7
