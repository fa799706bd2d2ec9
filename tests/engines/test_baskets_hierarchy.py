"""Hierarchies of items: the tree that a file describes, and files that describe none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines.baskets_made import assert_silent, write
from sudare.engines.baskets.hierarchy import read_hierarchy
from sudare.facts.errors import InvalidFile
from sudare.facts.item_tree import Hierarchy
from support.tiers import examples

CANARY = "CANARY4711"
ITEMS = ("apple", "beer", "pear")


def above(tree: Hierarchy) -> dict[str, str | None]:
    return {
        name: None if up < 0 else tree.names[up]
        for name, up in zip(tree.names, tree.parent.tolist(), strict=True)
    }


def test_one_tree(tmp_path: Path) -> None:
    text = "item,parent\napple,fruit\nbeer,drink\npear,fruit\nfruit,food\ndrink,food\nfood,\n"
    tree = read_hierarchy(write(tmp_path / "h.csv", text), ITEMS)
    assert tree.names[:3] == ITEMS
    assert above(tree) == {
        "apple": "fruit",
        "beer": "drink",
        "pear": "fruit",
        "fruit": "food",
        "drink": "food",
        "food": None,
    }
    assert tree.names[tree.root] == "food"
    assert tree.parent.dtype == np.int32
    # Who stands above others and under nothing needs no row of its own.
    bare = write(tmp_path / "b.csv", text.replace("food,\n", ""))
    assert above(read_hierarchy(bare, ITEMS)) == above(tree)


def test_several_tops_and_missing_items_hang_under_one_root(tmp_path: Path) -> None:
    path = write(tmp_path / "h.csv", "item,parent\napple,fruit\nplum,fruit\nbeer,\n")
    found = above(read_hierarchy(path, ITEMS))
    assert found == {
        "apple": "fruit",
        "beer": "*",
        "pear": "*",
        "plum": "fruit",
        "fruit": "*",
        "*": None,
    }
    given = write(tmp_path / "h.csv", "item,parent\napple,fruit\nfruit,*\n")
    assert above(read_hierarchy(given, ITEMS)) == {
        "apple": "fruit",
        "beer": "*",
        "pear": "*",
        "fruit": "*",
        "*": None,
    }
    assert above(read_hierarchy(write(tmp_path / "h.csv", "item,parent\n"), ("a",))) == {
        "a": "*",
        "*": None,
    }


REFUSED = {
    "circle": (["apple,a", "a,b", f"b,{CANARY}", f"{CANARY},a"], "Row 1 .* leads back to itself"),
    "itself": (["apple,fruit", f"{CANARY},{CANARY}"], "Row 2 .* leads back to itself"),
    "two": (["apple,a", "pear,a", f"apple,{CANARY}"], "Row 3 .* another parent"),
    "top and not": (["x,", "apple,x", "x,y"], "Row 3 .* another parent"),
    "item": ([f"{CANARY},apple"], "Row 1 .* an item of the data as parent"),
    "nameless": (["apple,a", ",a"], "Row 2 .* names no item"),
    "star": (["apple,*", "*,top"], r"has \* below its top"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_tree_is_refused_by_row(tmp_path: Path, case: str) -> None:
    lines, said = REFUSED[case]
    path = write(tmp_path / "h.csv", "\n".join(["item,parent", *lines]) + "\n")
    with pytest.raises(InvalidFile, match=said) as caught:
        read_hierarchy(path, ITEMS)
    assert_silent(caught.value, CANARY)


def test_the_same_row_twice_says_it_once(tmp_path: Path) -> None:
    path = write(tmp_path / "h.csv", "item,parent\napple,f\napple,f\nbeer,f\npear,f\n")
    assert set(above(read_hierarchy(path, ITEMS))) == {*ITEMS, "f"}


def test_the_columns_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(InvalidFile, match="the hierarchy has no columns 'item' and 'parent'"):
        read_hierarchy(write(tmp_path / "h.csv", "a,b\n"), ITEMS)


@examples(60)
@given(data=st.data(), nodes=st.integers(2, 12))
def test_any_parents_are_a_tree_or_refused(data: st.DataObject, nodes: int) -> None:
    """Parents drawn at random: refused exactly if following them does not end."""
    ups = data.draw(st.lists(st.integers(-1, nodes - 1), min_size=nodes, max_size=nodes))
    parents = [None if up < 0 else f"n{up}" for up in ups]
    table = pa.table(
        {"item": [f"n{node}" for node in range(nodes)], "parent": pa.array(parents, pa.string())}
    )

    def ends(node: int) -> bool:
        for _ in range(nodes + 1):
            if ups[node] < 0:
                return True
            node = ups[node]
        return False

    if all(map(ends, range(nodes))):
        found = above(read_hierarchy(table, ("x",)))
        assert all(found[f"n{node}"] == (up or "*") for node, up in enumerate(parents))
    else:
        with pytest.raises(InvalidFile, match="leads back"):
            read_hierarchy(table, ("x",))
