"""Privileges of a database role, and the grants that are missing (docs/operations.md, *Roles*)."""

from collections.abc import Sequence

import asyncpg  # pyright: ignore[reportMissingTypeStubs] - there are none

from service.adapters.postgres.connection import Row
from service.adapters.postgres.schema_mismatch import Asked, SchemaMismatch

_READ_ONLY_TABLES = ("schema_migration", "bucket_layout")
_ROLE = """
    SELECT current_user AS role, current_database() AS database, current_schema() AS schema,
        coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create
"""
_OWNER = """
    SELECT pg_get_userbyid(relowner) AS owner FROM pg_class
    WHERE oid = to_regclass('schema_migration') AND NOT pg_has_role(relowner, 'USAGE')
"""
_HIDDEN = """
    SELECT min(relnamespace::regnamespace::text) AS schema FROM pg_class WHERE relname = 'schema_migration' AND relkind = 'r'
"""
_CLOSED = """
    SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL
    AND NOT (has_table_privilege(to_regclass(name), 'SELECT') AND (name = ANY ($2::text[])
        OR has_table_privilege(to_regclass(name), 'INSERT') AND has_table_privilege(to_regclass(name), 'UPDATE')
        AND has_table_privilege(to_regclass(name), 'DELETE')))
"""
_PAGE = "see Roles in docs/operations.md"


class MissingPrivilege(SchemaMismatch):
    """The role lacks a privilege; the message names the role and the grant."""


async def require_visible(database: Asked) -> None:
    """Return unless the tables are there and the role cannot see them.

    Raises:
        MissingPrivilege: it cannot.
    """
    [hidden] = await database.fetch(_HIDDEN)
    if hidden["schema"] is not None:
        role = await _role(database)
        raise MissingPrivilege(
            f"role {role['role']} does not see the tables of Pocha, which are in schema {hidden['schema']}: "
            f"GRANT USAGE ON SCHEMA {hidden['schema']} TO {role['role']}, and have it in the role's search_path ({_PAGE})"
        )


async def require_tables(database: Asked, tables: Sequence[str]) -> None:
    """Return when the role may read and write `tables`, as far as they are there.

    Raises:
        MissingPrivilege: it may not.
    """
    closed = [row["name"] for row in await database.fetch(_CLOSED, list(tables), list(_READ_ONLY_TABLES))]
    if closed:
        role = await _role(database)
        raise MissingPrivilege(
            f"role {role['role']} may not read and write {', '.join(closed)}: GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES "
            f"IN SCHEMA {role['schema']} TO {role['role']} ({_PAGE})"
        )


async def require_schema(database: Asked) -> None:
    """Return when the role may make tables, and change those that are there.

    Raises:
        MissingPrivilege: it may not.
    """
    role = await _role(database)
    name, schema = role["role"], role["schema"]
    for row in await database.fetch(_OWNER):
        raise MissingPrivilege(
            f"role {name} may not change the tables of Pocha, which belong to role {row['owner']}: run `pocha migrate` as "
            f"{row['owner']}, or GRANT {row['owner']} TO {name} ({_PAGE})"
        )
    if schema is None:
        raise MissingPrivilege(
            f"role {name} has no schema to make tables in: its search_path names none that is there and open to it ({_PAGE})"
        )
    if not role["may_create"]:
        raise MissingPrivilege(
            f"role {name} may not make tables in schema {schema} of database {role['database']}: "
            f"GRANT CREATE ON SCHEMA {schema} TO {name}, or run `pocha migrate` as a role that may ({_PAGE})"
        )


async def create_schema(database: Asked, schema: str) -> None:
    """Create a schema, unless it is there.

    Raises:
        MissingPrivilege: the role may not.
    """
    [found] = await database.fetch("SELECT to_regnamespace($1) IS NOT NULL AS there", schema)
    if found["there"]:
        return
    try:
        await database.fetch(f"CREATE SCHEMA {schema}")
    except asyncpg.InsufficientPrivilegeError as error:
        role = await _role(database)
        raise MissingPrivilege(
            f"role {role['role']} may not make schemas in database {role['database']}: "
            f"GRANT CREATE ON DATABASE {role['database']} TO {role['role']}, or run `pocha migrate` as a role that may ({_PAGE})"
        ) from error


def is_denied(error: BaseException) -> bool:
    """Tell whether the error is a missing privilege."""
    return isinstance(error, asyncpg.InsufficientPrivilegeError)


async def _role(database: Asked) -> Row:
    [role] = await database.fetch(_ROLE)
    return role
