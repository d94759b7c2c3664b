"""No wheel without the browser client: it is built, or the wheel is not."""

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ClientBuildHook(BuildHookInterface[Any]):
    """Builds `web/` into the package before the files of a wheel are collected."""

    def dependencies(self) -> list[str]:
        """Return what the build needs besides Python: a Node, where the system has none."""
        client = self._client()
        return [client["NODE_PACKAGE"]] if client and client["needs_node_package"]() else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the client; an editable install does without, `make web` builds there."""
        if version == "editable":
            return
        client = self._client()
        if client:
            client["build"]()
        static = Path(self.root) / "src" / "lostcities" / "server" / "static"
        if not (static / "index.html").is_file():
            raise FileNotFoundError(f"expected the built browser client in {static}, found none")
        build_data["artifacts"].append("src/lostcities/server/static/**")

    def _client(self) -> dict[str, Any] | None:
        script = Path(self.root) / "web" / "build.py"
        return runpy.run_path(str(script)) if script.is_file() else None
