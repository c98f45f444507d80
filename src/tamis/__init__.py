"""tamis: index, search, rerank and compress your own documents, on one machine."""
