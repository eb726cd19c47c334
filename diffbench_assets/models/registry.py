"""models.yaml and judges.yaml: what can be asked, and how.

Belongs here: the shape of both files and one clear error for each mistake in them. Does not belong here: keys (only the
*name* of an environment variable is ever held), requests, and which baselines and judges are embedded: the caller
says their names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal
from urllib.parse import urlsplit

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError, field_validator

from diffbench_assets.errors import UserError
from diffbench_assets.schemas import SLUG

CLIENT_FIELDS = frozenset({"model", "messages", "stream", "n", "response_format"})
"""Body fields that the client alone decides."""

Slug = Annotated[str, StringConstraints(pattern=SLUG, max_length=100)]
Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]


class RegistryError(UserError, ValueError):
    """A mistake in models.yaml or judges.yaml; the message names file, entry and field, one line each."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, protected_namespaces=(), allow_inf_nan=False)


class Facts(_Strict):
    """What tables and plots group models by; nothing here reaches an endpoint."""

    family: Text | None = None
    access: Literal["proprietary", "open_weight"] | None = None
    total_params_b: float | None = Field(default=None, gt=0)
    active_params_b: float | None = Field(default=None, gt=0)
    reasoning: bool | None = None


class Sampling(_Strict):
    """Sampling parameters as they stand in the request body; `null` leaves a field out of it."""

    temperature: float | None = Field(default=0.0, ge=0)
    max_tokens: int | None = Field(default=16_384, gt=0)
    max_tokens_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    extra: dict[str, Any] = Field(default_factory=dict)

    @field_validator("extra")
    @classmethod
    def _leaves_the_clients_fields_alone(cls, extra: dict[str, Any]) -> dict[str, Any]:
        taken = CLIENT_FIELDS | {"temperature", "max_tokens", "max_completion_tokens"}
        if clash := sorted(taken & extra.keys()):
            raise ValueError(f"{', '.join(clash)} cannot be set here; the client or another field sets it")
        try:
            json.dumps(extra, allow_nan=False)
        except (TypeError, ValueError, RecursionError):
            raise ValueError("holds what JSON cannot say, such as a date; write it in quotes") from None
        return extra

    def body(self, asked: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The fields of the request body that these parameters make, with those of `asked` in their place.

        What is `null` here stays out whatever is asked: the model does not take it.
        """
        asked = asked or {}
        own = {"temperature": self.temperature, "max_tokens": self.max_tokens}
        named = {name: asked.get(name, value) for name, value in own.items() if value is not None}
        if "max_tokens" in named:
            named[self.max_tokens_name] = named.pop("max_tokens")
        return named | self.extra | {name: value for name, value in asked.items() if name not in own}


class Price(_Strict):
    """US dollars per million tokens."""

    input: float = Field(ge=0)
    output: float = Field(ge=0)


class Entry(_Strict):
    """What every entry has. A retired one is not asked any more; what it answered before stays.

    `embedded` entries answer from code of this package; the others are models behind an endpoint.
    """

    embedded: ClassVar[bool]
    id: Slug
    retired: bool = False


class Endpoint(Entry):
    """An OpenAI-compatible endpoint and one model behind it. `client` says how it is talked to (`models/clients`)."""

    embedded: ClassVar[Literal[False]] = False
    endpoint: str
    client: Literal["chat", "image_edit"] = "chat"
    model: Text | None = None
    snapshot: Text | None = None
    api_key_env: str | None = None
    sampling: Sampling = Sampling()
    image_detail: Literal["auto", "low", "high"] | None = None
    json_schema: bool = False
    concurrency: int = Field(default=8, ge=1, le=1024)
    requests_per_minute: float | None = Field(default=None, gt=0)
    tokens_per_minute: float | None = Field(default=None, gt=0)
    usd_per_million_tokens: Price | None = None
    timeout_s: float = Field(default=600.0, gt=0)

    @property
    def sent_model(self) -> str:
        """The model name the endpoint is sent."""
        return self.model or self.id

    @field_validator("endpoint")
    @classmethod
    def _is_a_base_url(cls, url: str) -> str:
        try:
            parts = urlsplit(url.strip())
            host, _ = parts.hostname, parts.port
        except ValueError:
            raise ValueError("is not a URL") from None
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("must be a bare URL; a key belongs in the variable that api_key_env names")
        if parts.scheme not in {"http", "https"} or not host or not host.isprintable() or " " in url.strip():
            raise ValueError("must start with http:// or https:// and name a host, such as http://localhost:8000/v1")
        base = parts.geturl().rstrip("/")
        if base.endswith("/chat/completions"):
            raise ValueError("is the base URL; leave off /chat/completions")
        return base

    @field_validator("api_key_env")
    @classmethod
    def _names_a_variable(cls, name: str | None) -> str | None:
        # Capitals only: a key pasted here by mistake is refused before anything could print it.
        if name is not None and not re.fullmatch(r"[A-Z_][A-Z0-9_]{0,63}", name):
            raise ValueError("must be the NAME of an environment variable in capitals, such as OPENAI_API_KEY")
        return name


class EndpointModel(Endpoint):
    """A model that is evaluated, or put to other use, through an endpoint."""

    facts: Facts = Facts()


class BaselineModel(Entry):
    """An embedded baseline, evaluated like a model; it sees what a model would be shown and nothing else."""

    embedded: ClassVar[Literal[True]] = True
    client: ClassVar[Literal["baseline"]] = "baseline"
    baseline: Text
    facts: Facts = Facts(family="baseline")


class EndpointJudge(Endpoint):
    """A model that judges answers; its replies follow a JSON schema where the endpoint obeys one."""

    json_schema: bool = True


class EmbeddedJudge(Entry):
    """A judge that needs no model, such as `kind: rules`."""

    embedded: ClassVar[Literal[True]] = True
    kind: Text


Model = EndpointModel | BaselineModel
Judge = EndpointJudge | EmbeddedJudge


def load_models(path: str | Path, baselines: Collection[str]) -> dict[str, Model]:
    """Entries of models.yaml by id, in the file's order, retired ones included. Raises RegistryError."""
    return _load(Path(path), "models", {"baseline": BaselineModel, "endpoint": EndpointModel}, baselines)


def load_judges(path: str | Path, kinds: Collection[str]) -> dict[str, Judge]:
    """Entries of judges.yaml by id, in the file's order, retired ones included. Raises RegistryError."""
    return _load(Path(path), "judges", {"kind": EmbeddedJudge, "endpoint": EndpointJudge}, kinds)


def _load(path: Path, key: str, choose: Mapping[str, type[Any]], embedded: Collection[str]) -> dict[str, Any]:
    entries: dict[str, Any] = {}
    problems: list[str] = []
    for position, raw in enumerate(_read(path, key), start=1):
        name = raw.get("id") if isinstance(raw, dict) else None
        where = f"{path.name}: {key[:-1]} {name!r}" if isinstance(name, str) else f"{path.name}: entry {position}"
        try:
            entry = _entry(raw, choose, embedded)
        except ValidationError as error:
            problems += [f"{where}: {_explain(detail)}" for detail in error.errors(include_input=False)]
        except ValueError as error:
            problems.append(f"{where}: {error}")
        else:
            if entry.id in entries:
                problems.append(f"{where}: id: stands twice in this file; ids must be unique")
            entries[entry.id] = entry
    if problems:
        raise RegistryError("\n".join(problems))
    return entries


def _entry(raw: object, choose: Mapping[str, type[Any]], embedded: Collection[str]) -> Any:
    if not isinstance(raw, dict):
        raise ValueError("must be a mapping of fields, such as `id: my-model`")
    named = [field for field in choose if field in raw]
    if len(named) != 1:
        raise ValueError(f"needs exactly one of the fields {' and '.join(choose)}, has {' and '.join(named) or 'none'}")
    entry = choose[named[0]].model_validate(raw)
    if entry.embedded and raw[named[0]] not in embedded:
        raise ValueError(f"{named[0]}: is none of {', '.join(embedded)}")
    return entry


def _explain(detail: Any) -> str:
    """One line for one pydantic error. The value is left out: it may be a key in the wrong place."""
    field = ".".join(str(part) for part in detail["loc"])
    if "api_key" in field and detail["type"] == "extra_forbidden":
        return f"{field}: keys never stand in this file; name the environment variable in api_key_env"
    if detail["type"] == "extra_forbidden":
        return f"{field}: unknown field"
    if detail["type"] == "string_pattern_mismatch":
        return f"{field}: may hold only a-z, 0-9, dot, underscore and hyphen"
    return f"{field}: {detail['msg'].removeprefix('Value error, ')}"


def _read(path: Path, key: str) -> Sequence[object]:
    try:
        raw = yaml.load(path.read_text(encoding="utf-8"), Loader=_UniqueKeys)
    except OSError as error:
        raise RegistryError(f"{path}: cannot be read ({error.strerror})") from None
    except RecursionError:
        raise RegistryError(f"{path.name}: is nested too deep") from None
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        mark = getattr(error, "problem_mark", None)
        line = f" line {mark.line + 1}" if mark else ""
        raise RegistryError(f"{path.name}:{line} not valid YAML: {getattr(error, 'problem', None) or error}") from None
    if not isinstance(raw, dict) or set(raw) != {key} or not isinstance(raw[key] or [], list):
        raise RegistryError(f"{path.name}: must hold one list named `{key}`")
    return raw[key] or []


class _UniqueKeys(yaml.SafeLoader):
    """YAML lets a field stand twice and keeps the last one silently; here that is an error."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key_node, _ in node.value:
            mark = key_node.start_mark
            if not isinstance(key_node, yaml.ScalarNode):
                raise yaml.constructor.ConstructorError(None, None, "a field's name must be a word", mark)
            if key_node.value in seen:
                raise yaml.constructor.ConstructorError(None, None, f"field {key_node.value!r} stands twice", mark)
            seen.add(key_node.value)
        return super().construct_mapping(node, deep)
