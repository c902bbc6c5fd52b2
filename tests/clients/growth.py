"""What a later version of the service may answer: values, tags and members that the contract does not list."""

from typing import Any, cast

from tests.contract.document import Json, resolved

NEW_VALUE = "something-new"
NEW_NUMBER = 999_999
NEW_MEMBER: Json = {"something_new": {"of": ["later", 1]}}


def with_new_values(value: Any, schema: Json) -> Any:
    """Return an answer with an unlisted value in the place of each listed one, and an unlisted member in each object."""
    return _grown(value, schema, tags=False)


def with_new_tags(value: Any, schema: Json) -> Any:
    """Return an answer in which every event and every turn is of an unlisted kind."""
    return _grown(value, schema, tags=True)


def _grown(value: Any, schema: Json, *, tags: bool) -> Any:
    schema = resolved(schema)
    if "oneOf" in schema:
        tag = schema["discriminator"]["propertyName"]
        mapping: dict[str, str] = schema["discriminator"]["mapping"]
        if tags:
            return {**value, tag: "something_new", **NEW_MEMBER}
        return _grown(value, {"$ref": mapping[value[tag]]}, tags=tags)
    if "x-extensible-enum" in schema:
        return value if tags else NEW_NUMBER if isinstance(value, int) else NEW_VALUE
    if isinstance(value, list):
        return [_grown(item, schema["items"], tags=tags) for item in cast("list[Any]", value)]
    if "properties" in schema:
        fields: Json = schema["properties"]
        return {name: _grown(part, fields[name], tags=tags) for name, part in value.items()} | NEW_MEMBER
    return value
