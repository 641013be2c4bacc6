"""A built-in model's network as an ONNX graph, written from its row and its safetensors file (MiniLM: 170 nodes).

The graph holds no weights: its initializers point into `model.safetensors`, which onnxruntime maps into memory. Linear
layers are `Gemm` with `transB`, which takes PyTorch's layout as it is, so no second copy of the weights is ever made.
The built graph (25 KB) is kept in the cache folder, because importing `onnx` costs more than loading the model.

The coarse graph multiplies integers: it takes half the time, and its cosines are right within some hundredths. It holds
the weights of its linear layers (11 MB).
"""

import contextlib
import hashlib
import json
import struct
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cukereuse_engine.embedding_models.table import BuiltInModel
from cukereuse_engine.errors import CukereuseError
from cukereuse_engine.storage import cache_dir, write_atomically

LAYER_NORM_EPSILON = 1e-12
_OPSET, _IR_VERSION = 20, 9
"""Opset 20 is the first with Gelu; onnxruntime reads both since 1.17."""
_REVISION = 2
"""Raise it when the graph changes."""
_MASKED = -1e9
"""Added to the attention score of a padding token: its weight becomes exactly 0."""
_DIGEST_SIZE = 16
_ROW_LEVELS, _ZERO, _WEIGHT_LEVELS = 127, 128, 63
"""Limits of the coarse graph: a row's largest number as an integer above that of 0, and a weight's largest."""


def graph_bytes(model: BuiltInModel, weights: Path, *, coarse: bool = False) -> bytes:
    """The serialised graph for the weights in this file, from the cache folder or built and cached.

    A damaged cached graph is built again; a read-only cache folder is no error.
    """
    header = _header(weights)
    shape = f"{_REVISION}\0{model}\0{weights.name}\0{'coarse' if coarse else ''}"
    key = hashlib.blake2b(shape.encode() + header, digest_size=_DIGEST_SIZE).hexdigest()
    path = cache_dir() / "models" / f"{model.name}-{key}.onnx"
    with contextlib.suppress(OSError):  # not cached yet
        content = path.read_bytes()
        if content[:_DIGEST_SIZE] == _digest(content[_DIGEST_SIZE:]):
            return content[_DIGEST_SIZE:]
    graph = build(model, weights, coarse=coarse)
    with contextlib.suppress(OSError):  # then it is built again next time
        write_atomically(path, _digest(graph) + graph)
    return graph


def build(model: BuiltInModel, weights: Path, *, coarse: bool = False) -> bytes:
    """The serialised ONNX model: `input_ids`, `attention_mask` (both `(batch, sequence)` int64) to `embedding`
    (`(batch, width)` float32, masked mean of the last layer, L2-normalised).

    Architecture: BERT (Devlin et al. 2019) post-norm encoder with exact GELU; pooling of sentence-transformers.
    """
    from onnx import TensorProto

    header = _header(weights)
    graph = (_CoarseGraph if coarse else _Graph)(model, json.loads(header), weights, 8 + len(header))
    length = graph.op("Shape", "input_ids", start=1, end=2)
    rows = graph.constant("rows", [-1, model.width])
    hidden = graph.op("Reshape", _embeddings(graph, length), rows)
    heads = graph.constant("heads", [model.heads, model.width // model.heads])
    per_head = graph.op("Concat", graph.constant("any_batch", [-1]), length, heads, axis=0)
    real = graph.op(
        "Cast", graph.op("Unsqueeze", "attention_mask", graph.constant("axes_1_2", [1, 2])), to=TensorProto.BOOL
    )
    bias = graph.op("Where", real, graph.scalar("attended", 0.0), graph.scalar("masked", _MASKED))
    for layer in range(model.layers):
        hidden = _encoder_layer(graph, f"encoder.layer.{layer}.", hidden, per_head, bias, rows)
    shape = graph.op("Concat", graph.constant("any_rows", [-1]), length, graph.constant("width", [model.width]), axis=0)
    _pool(graph, graph.op("Reshape", hidden, shape))
    return graph.serialise()


def token_embeddings(weights: Path, tokens: NDArray[np.int32]) -> NDArray[np.float32]:
    """`(len(tokens), width)`: each token as the first layer gets it, normalised, as if it had no position."""
    header = _header(weights)
    tensors, start = json.loads(header), 8 + len(header)

    def tensor(name: str) -> NDArray[np.float32]:
        return _tensor(weights, start, tensors[f"embeddings.{name}"])

    vectors = tensor("word_embeddings.weight")[tokens] + tensor("token_type_embeddings.weight")[0]
    vectors -= vectors.mean(1, keepdims=True)
    vectors /= np.sqrt(np.square(vectors).mean(1, keepdims=True) + LAYER_NORM_EPSILON)
    return np.asarray(vectors * tensor("LayerNorm.weight") + tensor("LayerNorm.bias"), np.float32)


def _embeddings(graph: "_Graph", length: str) -> str:
    """Word, position and (always the first) token type embeddings, normalised: `(batch, sequence, width)`."""
    zero = graph.constant("axis_0", [0])
    words = graph.op("Gather", graph.weight("embeddings.word_embeddings.weight"), "input_ids")
    positions = graph.op("Slice", graph.weight("embeddings.position_embeddings.weight"), zero, length, zero)
    kind = graph.op("Gather", graph.weight("embeddings.token_type_embeddings.weight"), zero)
    return graph.layer_norm(graph.op("Add", graph.op("Add", words, positions), kind), "embeddings.LayerNorm")


def _encoder_layer(graph: "_Graph", prefix: str, hidden: str, per_head: str, bias: str, rows: str) -> str:
    """Attention and feed-forward, each with its residual and normalisation; `hidden` is `(batch·sequence, width)`."""

    def heads(name: str, axes: list[int]) -> str:
        projected = graph.linear(hidden, f"{prefix}attention.self.{name}")
        return graph.op("Transpose", graph.op("Reshape", projected, per_head), perm=axes)

    scale = graph.scalar("scale", (graph.model.width // graph.model.heads) ** -0.5)
    scores = graph.op("Mul", graph.op("MatMul", heads("query", [0, 2, 1, 3]), heads("key", [0, 2, 3, 1])), scale)
    weights = graph.op("Softmax", graph.op("Add", scores, bias), axis=-1)
    context = graph.op("Transpose", graph.op("MatMul", weights, heads("value", [0, 2, 1, 3])), perm=[0, 2, 1, 3])
    attended = graph.linear(graph.op("Reshape", context, rows), f"{prefix}attention.output.dense")
    hidden = graph.layer_norm(graph.op("Add", attended, hidden), f"{prefix}attention.output.LayerNorm")
    wide = graph.op("Gelu", graph.linear(hidden, f"{prefix}intermediate.dense"))
    return graph.layer_norm(
        graph.op("Add", graph.linear(wide, f"{prefix}output.dense"), hidden), f"{prefix}output.LayerNorm"
    )


def _pool(graph: "_Graph", hidden: str) -> None:
    """Masked mean over the tokens, then L2 norm: the graph's output."""
    from onnx import TensorProto

    axis = graph.constant("axis_1", [1])
    mask = graph.op("Cast", "attention_mask", to=TensorProto.FLOAT)
    total = graph.op("Squeeze", graph.op("MatMul", graph.op("Unsqueeze", mask, axis), hidden), axis)
    mean = graph.op("Div", total, graph.op("ReduceSum", mask, axis, keepdims=1))
    norm = graph.op("Max", graph.op("ReduceL2", mean, axis, keepdims=1), graph.scalar("smallest_norm", 1e-12))
    graph.op("Div", mean, norm, output="embedding")


def _header(weights: Path) -> bytes:
    """The JSON header of a safetensors file: 8 bytes of little-endian length, then the header, then the tensors."""
    try:
        with weights.open("rb") as file:
            (length,) = struct.unpack("<Q", file.read(8))
            if length > 1_000_000:
                raise ValueError("header too long")
            header = file.read(length)
        json.loads(header)
    except (OSError, ValueError, struct.error) as error:
        raise CukereuseError(f"{weights} can't be read as safetensors: {error}") from error
    return header


def _tensor(weights: Path, start: int, entry: dict[str, Any]) -> NDArray[np.float32]:
    """A tensor by its entry in the header; `start` is the offset of the first, in bytes."""
    return np.memmap(weights, np.dtype("<f4"), "r", start + entry["data_offsets"][0], tuple(entry["shape"]))


def _digest(content: bytes) -> bytes:
    return hashlib.blake2b(content, digest_size=_DIGEST_SIZE).digest()


@dataclass(slots=True)
class _Graph:
    """Collects nodes and initializers; every method returns the name of a value."""

    model: BuiltInModel
    header: dict[str, Any]
    weights: Path
    """Beside this file the graph is loaded."""
    start: int
    """Offset of the first tensor in that file, in bytes."""
    nodes: list[Any] = field(default_factory=list)
    initializers: dict[str, Any] = field(default_factory=dict)
    domains: tuple[tuple[str, int], ...] = (("", _OPSET),)
    """The domains of the operators, with their versions."""

    def op(self, kind: str, *inputs: str, output: str = "", **attributes: Any) -> str:
        from onnx import helper

        output = output or f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [output], **attributes))
        return output

    def weight(self, name: str) -> str:
        from onnx import TensorProto

        entry = self.header[name]
        begin, end = entry["data_offsets"]
        tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=entry["shape"])
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (("location", self.weights.name), ("offset", self.start + begin), ("length", end - begin)):
            tensor.external_data.add(key=key, value=str(value))
        self.initializers[name] = tensor
        return name

    def constant(self, name: str, values: list[int]) -> str:
        return self.held(name, np.array(values, np.int64))

    def scalar(self, name: str, value: float) -> str:
        return self.held(name, np.array(value, np.float32))

    def held(self, name: str, values: NDArray[Any]) -> str:
        from onnx import numpy_helper

        self.initializers[name] = numpy_helper.from_array(values, name)
        return name

    def linear(self, rows: str, name: str) -> str:
        return self.op("Gemm", rows, self.weight(f"{name}.weight"), self.weight(f"{name}.bias"), transB=1)

    def layer_norm(self, value: str, name: str) -> str:
        weight, bias = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.op("LayerNormalization", value, weight, bias, axis=-1, epsilon=LAYER_NORM_EPSILON)

    def serialise(self) -> bytes:
        from onnx import TensorProto, helper

        inputs = [
            helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"])
            for name in ("input_ids", "attention_mask")
        ]
        output = helper.make_tensor_value_info("embedding", TensorProto.FLOAT, ["batch", self.model.width])
        graph = helper.make_graph(self.nodes, self.model.name, inputs, [output], list(self.initializers.values()))
        opsets = [helper.make_opsetid(domain, version) for domain, version in self.domains]
        return bytes(helper.make_model(graph, opset_imports=opsets, ir_version=_IR_VERSION).SerializeToString())


@dataclass(slots=True)
class _CoarseGraph(_Graph):
    """Linear layers in integers: each row in 8 bits by its own largest number, so that a text's vector does not depend
    on the texts beside it, and each output's weights in 7 bits, with which no processor's sums overflow."""

    domains: tuple[tuple[str, int], ...] = (("", _OPSET), ("com.microsoft", 1))
    in_bits: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Rows to themselves as integers, and the scale of each."""

    def linear(self, rows: str, name: str) -> str:
        numbers, scale = self.in_bits.get(rows) or self._rows_in_bits(rows)
        weight = _tensor(self.weights, self.start, self.header[f"{name}.weight"])
        scales = np.abs(weight).max(axis=1) / _WEIGHT_LEVELS
        product = self.op(
            "MatMulIntegerToFloat",
            numbers,
            self.held(f"{name}.integers", np.round(weight / scales[:, None]).astype(np.int8).T.copy()),
            self.scalar("one", 1.0),
            self.held(f"{name}.scales", scales.astype(np.float32)),
            "zero_level",
            domain="com.microsoft",
        )
        return self.op("Add", self.op("Mul", product, scale), self.weight(f"{name}.bias"))

    def _rows_in_bits(self, rows: str) -> tuple[str, str]:
        axis = self.constant("axis_1", [1])
        largest = self.op("ReduceMax", self.op("Abs", rows), axis, keepdims=1)
        largest = self.op("Max", largest, self.scalar("smallest_norm", 1e-12))
        scale = self.op("Mul", largest, self.scalar("level", 1 / _ROW_LEVELS))
        scales = self.op("Squeeze", scale, axis)
        zeros = self.op("Expand", self.held("zero_level", np.array(_ZERO, np.uint8)), self.op("Shape", scales))
        self.in_bits[rows] = self.op("QuantizeLinear", rows, scales, zeros, axis=0), scale
        return self.in_bits[rows]
