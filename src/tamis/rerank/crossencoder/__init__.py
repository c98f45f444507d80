"""Reading a query and a passage together with a local ONNX model."""
