"""Everything an operator may set, in one frozen object: constructed once by the command line, passed down from there.

Only facts of the deployment belong here. Options of a room are in `TableSettings` and the variants' rules.
Every field may be given as an environment variable: `MJ_PORT`, `MJ_VALKEY_URL` and so on.
"""

import os
import secrets
from ipaddress import ip_network
from pathlib import Path
from typing import Annotated, Final, Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import (
    BaseSettings,
    NoDecode,
    PydanticBaseSettingsSource,
    SecretsSettingsSource,
    SettingsConfigDict,
)

Listed = Annotated[tuple[str, ...], NoDecode]
"""Several texts; in the environment and on the command line with commas between them."""


SECRETS_FOLDER: Final = "/run/secrets"
"""Where containers find their secrets as files, unless `SECRETS_VARIABLE` names another folder."""
SECRETS_VARIABLE: Final = "MJ_SECRETS_DIR"


class Settings(BaseSettings):
    """The deployment's settings. Raises pydantic's ValidationError, naming the field, for a value out of bounds.

    A file named as the variable (`MJ_SECRET`, or `mj_secret`) in the folder of secrets sets a field as well.
    """

    model_config = SettingsConfigDict(env_prefix="MJ_", frozen=True, extra="forbid", env_ignore_empty=True)

    @classmethod
    def settings_customise_sources(
        cls, settings_cls: type[BaseSettings], init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource, dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:  # fmt: skip
        """Options first, then the environment, then files."""
        folder = os.environ.get(SECRETS_VARIABLE) or SECRETS_FOLDER
        if not Path(folder).is_dir():
            return init_settings, env_settings
        return init_settings, env_settings, SecretsSettingsSource(settings_cls, folder)

    host: str = Field("127.0.0.1", description="Address to listen on; 0.0.0.0 for every interface.")
    port: int = Field(8000, ge=0, le=65535, description="Port to listen on; 0 takes a free one.")
    data: Path | None = Field(None, description="Data folder of the embedded stores and the generated secret.")
    nodes: int = Field(1, ge=1, le=64, description="Server processes to run behind one port.")
    node: str = Field(
        "n1", pattern=r"^[a-z0-9][a-z0-9-]{0,31}$", description="Name of this node, the <node> in /n/<node>/."
    )
    embedded: bool = Field(True, description="Start the embedded Valkey and Postgres where no URL is given.")
    valkey_url: str = Field(
        "", description="Live store: redis://, rediss://, unix:// or redis+sentinel://host:port,…/service."
    )
    valkey_replicas: int = Field(
        0, ge=0, le=5, description="Replicas (of each shard) that must have a write before it counts as kept: WAIT."
    )
    valkey_fsync: Literal["no", "everysec", "always"] = Field(
        "always", description="Weakest appendfsync of the live store without a warning."
    )
    database_url: str = Field("", description="postgresql:// address of the archive, as the nodes use it.")
    owner_database_url: str = Field(
        "",
        description="The same with the owner of the tables, for migrations only. Empty: MJ_DATABASE_URL owns them.",
    )
    secret: SecretStr = Field(
        default_factory=lambda: SecretStr(secrets.token_urlsafe(32)),
        description="Signing key of tokens and tickets, 32 characters or more, the same on every node.",
    )
    admin_token: SecretStr | None = Field(
        None, description="Operators' bearer token of the deployment, 32 characters or more; none when empty."
    )
    operator_second_factor: bool = Field(
        False, description="Demand a second factor of operators: without one a sign-in may only enrol."
    )
    public_url: str = Field("", description="Origin that clients see, e.g. https://mj.example.org; derived when empty.")
    allowed_origins: Listed = Field((), description="Origins besides our own that may open a WebSocket; with commas.")
    trusted_proxies: Listed = Field(
        ("127.0.0.1", "::1"),
        description="Addresses and networks of proxies whose X-Forwarded-For is trusted; with commas.",
    )
    alert_url: str = Field(
        "", description="Where alerts are sent: an address of apprise, e.g. json://host/path for a webhook."
    )
    watchers: Listed = Field(
        ("127.0.0.1", "::1"), description="Addresses and networks that may read /metrics; with commas."
    )
    lines_per_address: int = Field(
        2000, ge=1, le=1_000_000, description="Connections one address (IPv6: /64) may have at one node."
    )
    rooms_per_address: int = Field(
        64, ge=1, le=100_000,
        description="Open rooms one address (IPv6: /64) may have made; at most a quarter of MJ_MAX_TABLES, at least 4.",
    )  # fmt: skip
    seats_per_address: int = Field(
        1200, ge=4, le=1_000_000, description="Seats that people of one address (IPv6: /64) may hold at a time."
    )
    ranked_apart: Listed = Field(
        ("address", "device", "circle"),
        description="What two people at a ranked table must not share if its rounds are to count; with commas.",
    )
    address_factor: float = Field(
        1.0, gt=0, le=1000, description="Factor of the budgets of one address: larger for a school or a carrier's NAT."
    )
    webhooks_private: bool = Field(
        False, description="Let webhooks lead to http and to private addresses: for a closed network only."
    )
    ranked_bots: bool = Field(False, description="Let bot accounts sit at ranked tables.")
    max_tables: int = Field(400, ge=1, le=100_000, description="Live tables one node accepts before it answers 503.")
    spectator_delay_s: float = Field(0.0, ge=0, le=3600, description="Delay of the spectators' view.")
    open: bool = Field(False, description="Open a browser once the server is up.")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Lowest severity of log lines.")
    log_format: Literal["text", "json"] = Field("text", description="Log lines for people, or one JSON object each.")

    @field_validator("database_url", "owner_database_url")
    @classmethod
    def _with_driver(cls, url: str) -> str:
        """SQLAlchemy wants the driver in the scheme; people write the plain one."""
        for plain in ("postgresql://", "postgres://"):
            if url.startswith(plain):
                return "postgresql+asyncpg://" + url.removeprefix(plain)
        if url and not url.startswith("postgresql+asyncpg://"):
            raise ValueError("must begin with postgresql://")
        return url

    @field_validator("valkey_url")
    @classmethod
    def _known_scheme(cls, url: str) -> str:
        url = url.replace("valkey", "redis", 1) if url.startswith("valkey") else url
        if url.startswith("rediss+sentinel://") or url.startswith("redis+sentinel://"):
            if not urlsplit(url).path.strip("/"):
                raise ValueError("must name the service: redis+sentinel://host:port,host:port/service")
        elif url and not url.startswith(("redis://", "rediss://", "unix://")):
            raise ValueError("must begin with redis://, rediss://, unix:// or redis+sentinel://")
        return url

    @field_validator("allowed_origins", "trusted_proxies", "watchers", "ranked_apart", mode="before")
    @classmethod
    def _with_commas(cls, given: object) -> object:
        return tuple(part.strip() for part in given.split(",") if part.strip()) if isinstance(given, str) else given

    @field_validator("ranked_apart")
    @classmethod
    def _known_kinds(cls, kinds: tuple[str, ...]) -> tuple[str, ...]:
        if set(kinds) - {"address", "device", "circle"}:
            raise ValueError("must be of address, device, circle")
        return kinds

    @field_validator("trusted_proxies", "watchers")
    @classmethod
    def _networks(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        for network in given:
            ip_network(network, strict=False)  # raises ValueError
        return given

    @field_validator("secret", "admin_token")
    @classmethod
    def _long_enough(cls, secret: SecretStr | None) -> SecretStr | None:
        if secret is not None and len(secret.get_secret_value()) < 32:
            raise ValueError("must be 32 characters or more")
        return secret
