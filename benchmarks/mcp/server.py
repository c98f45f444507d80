"""``tamis ARGUMENTS`` with the embedder that needs no model."""

from __future__ import annotations

import sys

from benchmarks.scale.corpus import RandomEmbedder
from tamis import embedders
from tamis.__main__ import main

embedders.register("random")(lambda *_: RandomEmbedder())
sys.exit(main())
