"""The weights of the lexical fields, and why: ``python -m benchmarks.lexical`` measures them.

A match in the title, the heading or the path alone says less than one in the passage: over thirteen test collections weights of
3, 2, 1.5 and 1 give a mean nDCG@10 of .712, those below .752. Title and heading repeat each other where a document has one
heading, which is why neither has more; between .2 and .6 for the two together the mean moves by .003.
"""

from __future__ import annotations

from tamis.types import Bm25, FieldWeights

FIELD_WEIGHTS = FieldWeights(title=0.4, heading=0.2, path=0.3, body=1.0)
TITLE_WEIGHTS = FieldWeights(title=3.0, heading=2.0, path=1.5, body=0.0)
BM25 = Bm25()

# Of the body's weight, for a word that stands as it was typed, beside the match of its stem: mean nDCG@10 + .006.
PLAIN_SHARE = 0.3
# The same for an identifier or a compound in one piece, beside the matches of its parts.
WHOLE_SHARE = 0.5
