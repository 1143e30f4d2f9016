"""Record the signature of the present build: `python -m tests.record_signature`.

For a change of play that is meant: it goes into the same commit, and CHANGELOG.md says what it is.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import ginsim
from ginsim.signatures import Signature, signature

PATH = Path(ginsim.__file__).with_name("signature.json")


def main() -> None:
    """Write the file, and say which parts are not as they were."""
    old = Signature(**json.loads(PATH.read_text("utf-8"))) if PATH.exists() else Signature("", {})
    new = signature()
    PATH.write_text(json.dumps(asdict(new), indent=2) + "\n", encoding="utf-8")
    differing = new.find_differences(old)
    print(f"{new.number}, before {old.number or 'none'}; {len(differing)} parts differ")
    print("\n".join(differing[:20]))


if __name__ == "__main__":
    main()
