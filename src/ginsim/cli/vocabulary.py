"""`ginsim rules` and `ginsim strategies`: what there is and what it means."""

from __future__ import annotations

import click

from ginsim.cli.options import RULES, STRATEGY, json_option
from ginsim.cli.text import format_entries, format_sentences, format_table, print_json
from ginsim.errors import OptionError


@click.command()
@click.argument("names", metavar="[NAME] [OTHER]", type=RULES, nargs=-1)
@click.option("--toml", "as_toml", is_flag=True, help="Print a TOML file to copy and edit.")
@json_option
def rules(names: tuple[str, ...], as_toml: bool, as_json: bool) -> None:
    """List the rule sets, explain one, or show in what two differ.

    A name may have modifiers (kawu+oklahoma+ace-gin) and may be the path of a TOML file.
    """
    if len(names) > 2 or (as_toml and (len(names) != 1 or as_json)):
        raise OptionError(
            "rules: one name is explained, two are compared; --toml takes one, without --json"
        )
    if not names:
        _list_rules(as_json)
    elif len(names) == 2:
        _compare_rules(*names, as_json)
    elif as_toml:
        from ginsim.rules import load_rules
        from ginsim.ruletext import write_toml

        click.echo(write_toml(load_rules(names[0])), nl=False)
    else:
        _explain_rules(names[0], as_json)


def _list_rules(as_json: bool) -> None:
    from ginsim.rulefiles import list_modifiers, list_rulesets, read_title

    titles = {name: read_title(name) for name in list_rulesets()}
    modifiers = {name: read_title(name, modifier=True) for name in list_modifiers()}
    if as_json:
        print_json({"rules": titles, "modifiers": modifiers})
        return
    click.echo("Rule sets:")
    click.echo(format_entries(list(titles.items())))
    click.echo("\nModifiers, as in kawu+oklahoma+ace-gin:")
    click.echo(format_entries(list(modifiers.items())))
    click.echo("\n`ginsim rules NAME` explains one, with --toml it writes it out to copy and edit.")


def _explain_rules(name: str, as_json: bool) -> None:
    from ginsim.fields import allowed_words, get_extra
    from ginsim.rules import Rules, explain, load_rules
    from ginsim.ruletext import format_value

    loaded = load_rules(name)
    sentences = explain(loaded)
    if as_json:
        print_json({"name": loaded.name, "fields": loaded.values(), "sentences": sentences})
        return
    click.echo(f"Rule set {loaded.name}\n")
    click.echo(format_sentences(sentences))
    click.echo("\nFields (change one with --set FIELD=VALUE):")
    entries = []
    for field, value in loaded.values().items():
        info = Rules.model_fields[field]
        unit = get_extra(info, "unit")
        entries.append(
            (
                f"{field} = {format_value(value)}",
                f"{info.description} [{allowed_words(info)}{f'; {unit}' if unit else ''}]",
            )
        )
    click.echo(format_entries(entries))


def _compare_rules(first: str, second: str, as_json: bool) -> None:
    from ginsim.rules import find_differences, load_rules
    from ginsim.ruletext import format_value

    one, other = load_rules(first), load_rules(second)
    differences = find_differences(one, other)
    if as_json:
        pairs = {field: list(values) for field, values in differences.items()}
        print_json({"names": [one.name, other.name], "differences": pairs})
    elif not differences:
        click.echo(f"{one.name} and {other.name} are the same rules.")
    else:
        rows = [("field", one.name, other.name)]
        rows += [
            (field, format_value(ours), format_value(theirs))
            for field, (ours, theirs) in differences.items()
        ]
        click.echo(format_table(rows, left=3))


@click.command()
@click.argument("name", required=False, type=STRATEGY)
@json_option
def strategies(name: str | None, as_json: bool) -> None:
    """List the strategies, or say of one how it decides.

    The name may have parameters: "greedy(knock_at=4)".
    """
    if name is None:
        _list_strategies(as_json)
    else:
        _explain_strategy(name, as_json)


def _list_strategies(as_json: bool) -> None:
    from ginsim.strategies import STRATEGIES

    if as_json:
        print_json(
            {
                name: {
                    "description": entry.description,
                    "parameters": {
                        parameter: {
                            "default": details.default,
                            "allowed": list(details.allowed),
                            "description": details.description,
                        }
                        for parameter, details in entry.parameters.items()
                    },
                }
                for name, entry in STRATEGIES.items()
            }
        )
        return
    for name, entry in STRATEGIES.items():
        click.echo(format_entries([(name, entry.description)], indent=""))
        parameters = [
            (f"{parameter}={details.default}", f"{details.description} [{details.allowed_words}]")
            for parameter, details in entry.parameters.items()
        ]
        if parameters:
            click.echo(format_entries(parameters, indent="    "))
    click.echo('\nWrite parameters in brackets: "greedy(knock_at=4, layoff=greedy)".')


def _explain_strategy(name: str, as_json: bool) -> None:
    from ginsim.strategies import MEANINGS, Strategy, parse_strategy

    strategy = parse_strategy(name)
    if as_json:
        print_json({"name": strategy.name, "fields": strategy.values()})
        return
    click.echo(f"Strategy {strategy.name}\n")
    entries = []
    for field, value in strategy.values().items():
        question = Strategy.model_fields[field].description
        meaning = MEANINGS.get(field, {}).get(str(value))
        text = f"{question}: {meaning}" if meaning else str(question)
        entries.append((f"{field} = {value}", text))
    click.echo(format_entries(entries))
