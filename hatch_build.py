"""No wheel without the browser client: it is built, or the wheel is not."""

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ClientBuildHook(BuildHookInterface[Any]):
    """Builds `web/` into the package before the files of a wheel are collected."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the client; an editable install may do without, its Makefile builds it."""
        if version == "editable":
            return
        if (Path(self.root) / "web").is_dir():
            runpy.run_path(str(Path(self.root) / "web" / "build.py"))["build"]()
        static = Path(self.root) / "src" / "lostcities" / "server" / "static"
        if not (static / "index.html").is_file():
            raise FileNotFoundError(f"expected the built browser client in {static}, found none")
        build_data["artifacts"].append("src/lostcities/server/static/**")
