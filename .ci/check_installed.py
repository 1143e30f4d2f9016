"""Look at the ginsim that this interpreter imports, which must not be that of the tree TREE."""

import sys
from importlib.resources import files

import ginsim

home = files("ginsim")
names = {path.name for path in home.iterdir()}
assert not str(home).startswith(sys.argv[1]), f"imported from the tree: {home}"
for wanted in ("_core.pxd", "_core.pyi", "py.typed"):
    assert wanted in names, f"{wanted} is not installed"
assert home.joinpath("rulesets", "kawu.toml").is_file(), "the rule sets are not installed"
template = home.joinpath("reports", "templates", "report.html.j2")
assert template.is_file(), "the template of reports is not installed"
assert ginsim.load_schema("hands")["title"], "the JSON Schemas are not installed"
assert ginsim.deadwood("4h 5h 6h 9c 9d 9s Kd") == 10
print(f"ginsim {ginsim.__version__} in {home}")
