"""Results and errors for every shell: the envelope with its JSON, and text for people.

``wrap(value, elapsed_ms).data()`` is the one schema; the text of each kind of result is a function of the value and a
``Style`` in a module of its own, imported when it is needed.
"""

from tamis.render.envelope import Envelope, encode, error_data, wrap
from tamis.render.payload import payload
from tamis.render.printable import one_line, printable
from tamis.render.style import Style

__all__ = ["Envelope", "Style", "encode", "error_data", "one_line", "payload", "printable", "wrap"]
