"""The orders that need no model: newest file, deepest path, most matched terms."""
