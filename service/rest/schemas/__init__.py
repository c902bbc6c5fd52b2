"""The schemas of bodies, as msgspec structs. Views and events of games are in `domain.pocha.view.schema`.

`api/openapi.yaml` states them again, and `tests/contract` holds both together.
"""
