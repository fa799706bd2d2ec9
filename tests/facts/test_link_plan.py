"""Plans of joins: what a link.toml means, and what is refused before anyone connects."""

from __future__ import annotations

import re
import tomllib
from fractions import Fraction
from pathlib import Path

import pytest

from sudare.facts.errors import InvalidPlan
from sudare.facts.link_plan import KeyColumn, read_link_plan
from sudare.facts.local_plan import Wish
from sudare.facts.schema import Schema, make_schema
from support.link_plans import NUMBER, TWO, party, plan, schema, text

HOSPITAL, SHOP = party("病院", "年齢", "血圧"), party("商店", "支出")
DOCS = Path(__file__).parents[2] / "docs"


def test_a_plan_says_what_the_file_says() -> None:
    found = plan(HOSPITAL, SHOP)
    assert (found.session, found.collector, found.names) == ("試し-1", "集計所", ("病院", "商店"))
    assert (found.pseudonyms, found.rows, found.job) == ("commutative", "joined", "randomize")
    assert found.delta == Fraction(1, 10**9)
    assert found.party("病院").key == (KeyColumn("電話番号", "phone"),)
    assert found.place("商店") == 1
    with pytest.raises(InvalidPlan, match="not a party"):
        found.party("役場")


def test_epsilon_is_divided_by_columns() -> None:
    found = plan(HOSPITAL, SHOP)
    assert [p.epsilon for p in found.parties] == [4, 2]
    own = plan(party("病院", "年齢", "血圧", more="epsilon = 0.1"), SHOP, party("役所", "所得"))
    assert [p.epsilon for p in own.parties] == [Fraction(1, 10), Fraction(59, 20), Fraction(59, 20)]
    assert own.epsilon == 6


def test_parties_that_all_name_their_epsilon_need_no_total() -> None:
    parts = (party("病院", "年齢", more="epsilon = 1"), party("商店", "支出", more="epsilon = 2.5"))
    assert plan(*parts, top="").epsilon == Fraction(7, 2)
    with pytest.raises(InvalidPlan, match="do not add up"):
        plan(*parts, top="epsilon = 4")


def test_everything_else_is_read() -> None:
    found = plan(
        party("病院", "年齢", "喫煙", more='mechanisms = ["喫煙=grr"]\ncentral = 0.5'),
        SHOP,
        top='epsilon = 2\ndelta = 1e-6\nstatistics = "mean,correlation"\nrows = "all"\n'
        'pseudonyms = "salt"\nmax_rows = 1000\nbins = 8',
        more="[dummies]\nepsilon = 0.5\ndelta = 1e-7",
    )
    assert found.party("病院").wishes == (("喫煙", Wish("grr")),)
    assert found.party("病院").central == Fraction(1, 2)
    assert found.statistics == ("mean", "covariance")
    assert found.dummies is not None
    assert (found.dummies.epsilon, found.dummies.delta) == (Fraction(1, 2), Fraction(1, 10**7))
    assert (found.pseudonyms, found.rows, found.max_rows, found.bins) == ("salt", "all", 1000, 8)


def test_a_collector_may_be_a_party() -> None:
    given = text(HOSPITAL, SHOP).replace('name = "集計所"', 'name = "商店"')
    assert read_link_plan(given, TWO.__getitem__).collector_address == "127.0.0.1:7301"


CHANGES = [
    ("epsilon = 6", "epsilon = 6.5"),
    ('rule = "phone"', 'rule = "exact"'),
    ("127.0.0.1:7301", "127.0.0.1:7303"),
    ('"試し-1"', '"試し-2"'),
    ('columns = ["支出"]' , 'columns = ["回数"]'),
    ("epsilon = 6", 'epsilon = 6\nrows = "all"'),
    ("epsilon = 6", "epsilon = 6\nmax_rows = 5"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new"), CHANGES)
def test_whatever_differs_gives_another_digest(old: str, new: str) -> None:
    given = text(HOSPITAL, SHOP).replace("'", '"')
    changed = given.replace(old, new)
    assert changed != given
    first, second = (read_link_plan(each, TWO.__getitem__) for each in (given, changed))
    assert first.digest() == plan(HOSPITAL, SHOP).digest()
    assert first.digest() != second.digest()
    assert re.fullmatch("[0-9a-f]{64}", second.digest())


def test_another_schema_gives_another_digest() -> None:
    wider = {**TWO, "商店": schema("商店", {"支出": {**NUMBER, "max": 2000}})}
    assert plan(HOSPITAL, SHOP, schemas=wider).digest() != plan(HOSPITAL, SHOP).digest()


REFUSED = [
    (text(HOSPITAL, SHOP, top="epsilom = 6"), "epsilom"),
    (text(HOSPITAL, SHOP, top="epsilon = 0"), "lies above 0"),
    (text(HOSPITAL, SHOP, top="epsilon = true"), "write a number"),
    (text(HOSPITAL, SHOP, top="epsilon = 2000"), "at most 1000"),
    (text(HOSPITAL, SHOP, top=""), "no ε for the parties"),
    (text(HOSPITAL, SHOP, top="epsilon = 1\ndelta = 1"), "delta lies"),
    (text(HOSPITAL), "at least 2"),
    (text(HOSPITAL, HOSPITAL), "same name"),
    (text(HOSPITAL, party("商店", "身長")), "not declared"),
    (text(HOSPITAL, party("商店", "支出", "支出")), "twice"),
    (text(HOSPITAL, party("商店", "電話番号")), "column of its key"),
    (text(HOSPITAL, SHOP.replace("phone", "email")), "different rules"),
    (text(HOSPITAL, SHOP.replace("phone", "fax")), "rule"),
    (text(HOSPITAL, SHOP.replace(":7302", "")), "host:port"),
    (text(HOSPITAL.replace('address = "127.0.0.1:7302"', ""),
          SHOP.replace('address = "127.0.0.1:7302"', "")), "neighbours in the ring"),
    (text(HOSPITAL, SHOP).replace('address = "127.0.0.1:7301"', ""), "collector has no address"),
    (text(HOSPITAL, SHOP).replace('name = "集計所"\naddress = "127.0.0.1:7301"', 'name = "商店"'),
     "collector has no address"),
    (text(HOSPITAL, SHOP).replace('name = "集計所"\naddress = "127.0.0.1:7301"',
                                  'name = "商店"\naddress = "127.0.0.1:7302"'),
     "address of the party"),
    (text(HOSPITAL, SHOP).replace("試し-1", "試し/1"), "characters"),
    (text(HOSPITAL, SHOP).replace("試し-1", "試し１"), "characters"),
    (text(HOSPITAL, SHOP).replace("試し-1", "試" * 22), "characters"),
    (text(HOSPITAL, SHOP, top='epsilon = 1\njob = "pk"\nk = 5'), "takes no epsilon"),
    (text(HOSPITAL, SHOP, top='job = "pk"'), "needs k"),
    (text(HOSPITAL, SHOP, top="epsilon = 1\nk = 5"), "go with job"),
    (text(HOSPITAL, SHOP, top='epsilon = 1\njob = "secure"'), "helper"),
    (text(HOSPITAL, SHOP, top='epsilon = 1\njob = "secure"', more='[helper]\nname = "集計所"'),
     "both shares"),
    (text(HOSPITAL, SHOP, top='epsilon = 1\njob = "secure"', more='[helper]\nname = "助手"'),
     "helper has no address"),
    (text(HOSPITAL, SHOP, more="[dummies]\nepsilon = 1\ndelta = 0"), "needs a δ"),
    (text(HOSPITAL, party("商店", "支出", more='mechanisms = ["best"]')), "mechanism is not known"),
    (text(HOSPITAL, SHOP, top='epsilon = 1\nstatistics = "mode"'), "statistic is not known"),
    ("session = ", "not valid TOML"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "said"), REFUSED, ids=[said for _, said in REFUSED])
def test_refusals_say_what_to_do(given: str, said: str) -> None:
    with pytest.raises(InvalidPlan, match=said) as caught:
        read_link_plan(given, TWO.__getitem__)
    assert caught.value.hint


def test_a_secure_plan_has_its_epsilon_whole() -> None:
    found = plan(HOSPITAL, SHOP, top='epsilon = 1\njob = "secure"', more='[helper]\nname = "商店"')
    assert [p.epsilon for p in found.parties] == [1, 1]
    assert (found.epsilon, found.helper, found.helper_address) == (1, "商店", "127.0.0.1:7302")


def test_the_example_of_the_docs_is_a_plan() -> None:
    page = (DOCS / "link-plan.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```toml\n(.*?)```", page, flags=re.DOTALL)
    schemas = {name: _schema(blocks, name) for name in ("病院.schema.toml", "商店街.schema.toml")}
    found = read_link_plan(blocks[0], schemas.__getitem__)
    assert found.names == ("中央病院", "駅前商店街")
    assert found.epsilon == 4


def _schema(blocks: list[str], name: str) -> Schema:
    block = next(each for each in blocks if each.startswith(f"# {name}"))
    return make_schema(tomllib.loads(block))
