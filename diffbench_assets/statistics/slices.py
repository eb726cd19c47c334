"""The views a score is broken down by: tier, operator, cell, family, domain, style, language, element.

Belongs here: which pairs belong to which slice. Does not belong here: computing anything on them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from diffbench_assets.statistics.answers import Ints, text

OVERALL = ("overall", "all")
UNKNOWN = "unknown"
SLICES = ("tier", "operator", "cell", "family", "domain", "style", "language", "element")


@dataclass(frozen=True)
class Slice:
    """Pairs (indices into the grid) that share a value."""

    name: str
    value: str
    members: Ints


def slices(pairs: pa.Table, members: Ints, names: tuple[str, ...] = SLICES) -> list[Slice]:
    """`members` as a whole, then split by each of `names`; a pair without a value belongs to "unknown".

    The slices of one name are disjoint and add up to `members`; empty ones are left out.
    """
    found = [Slice(*OVERALL, members)] if len(members) else []
    for name in names:
        column = elements(pairs) if name == "element" else text(pairs[name])
        values = column.fill_null(UNKNOWN).to_numpy(zero_copy_only=False)[members]
        found += [Slice(name, str(value), members[values == value]) for value in np.unique(values.astype(str))]
    return found


def elements(pairs: pa.Table) -> pa.Array:
    """Kind of the element that changed: role of the first difference's target, its tag where it has none, or null."""
    differences = pairs["differences"].combine_chunks()
    owner = pc.list_parent_indices(differences).to_numpy()
    _, first = np.unique(owner, return_index=True)
    target = pc.struct_field(pc.list_flatten(differences).take(pa.array(first)), "target")
    role, tag = (text(pc.struct_field(target, name)) for name in ("role", "tag"))
    kind = pc.coalesce(pc.if_else(pc.equal(role, ""), None, role), pc.if_else(pc.equal(tag, ""), None, tag))
    values = np.full(pairs.num_rows, None, dtype=object)
    values[owner[first]] = kind.to_numpy(zero_copy_only=False)
    return pa.array(values, pa.string())
