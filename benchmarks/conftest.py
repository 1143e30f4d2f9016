"""What a saved run says about where it was made."""

from __future__ import annotations

import os
from typing import Any

from ginsim.cli.info import collect_info


def pytest_benchmark_update_machine_info(config: Any, machine_info: dict[str, Any]) -> None:
    """Add versions, compiler and processor, and how busy the machine was beforehand."""
    about: dict[str, Any] = dict(collect_info())
    del about["location"]
    about["load"] = round(os.getloadavg()[0], 2)
    machine_info["ginsim"] = about
