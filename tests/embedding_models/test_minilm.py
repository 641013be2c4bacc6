"""The fast path equals sentence-transformers, and a text's vector does not depend on other texts."""

import os
import random
import subprocess
import sys
import threading

import numpy as np
import pytest

from cukereuse_engine.embedding_models import bert, bert_graph, sentence_transformers, weights
from cukereuse_engine.embedding_models.bert import Bert, BertWithTokens, embedder_of
from cukereuse_engine.embedding_models.opening import open_embedder
from cukereuse_engine.embedding_models.table import DEFAULT_MODEL
from cukereuse_engine.errors import Cancelled, CukereuseError
from cukereuse_engine.storage import cache_dir

WORDS = {
    "latin": "I open the page click submit button user logs in sees total price naïve café Ærø İstanbul ﬁle",
    "greek": "ο χρήστης ανοίγει τη σελίδα και βλέπει το μήνυμα",
    "cyrillic": "пользователь открывает страницу и видит сообщение ёлка",
    "hebrew": "המשתמש פותח את הדף ורואה הודעה",
    "arabic": "يفتح المستخدم الصفحة ويرى الرسالة",
    "devanagari": "उपयोगकर्ता पृष्ठ खोलता है और संदेश देखता है",
    "thai": "ผู้ใช้เปิดหน้า และเห็นข้อความ",
    "han": "用户打开页面 看到消息 前提 ログインする ページを開く",
    "hangul": "사용자가 페이지를 열고 메시지를 본다",
}
SIGNS = [
    "<name>",
    '"quoted text"',
    "`code`",
    "42",
    "-3.5",
    "#00FF00",
    "[SEP]",
    "[MASK]",
    "🎉",
    "e\u0301",
    "\u200b",
    "\u2028",
    "x" * 120,
]


def many_texts(count: int, seed: int = 5) -> list[str]:
    """Step-like texts in many scripts; one in twenty has more than 256 tokens."""
    draw = random.Random(seed)
    texts = ["", " ", "a", "[CLS]", "\ud800 lone surrogate"]
    while len(texts) < count:
        pool = [*WORDS[draw.choice(list(WORDS))].split(), *WORDS["latin"].split(), *SIGNS]
        length = draw.randint(260, 420) if len(texts) % 20 == 0 else draw.randint(1, 25)
        texts.append(" ".join(draw.choices(pool, k=length)))
    return texts


@pytest.fixture(scope="module")
def embedder(model_files) -> Bert:
    return embedder_of(model_files)


@pytest.mark.model
@pytest.mark.heavy(seconds=10)
def test_equals_sentence_transformers(embedder, model_files):
    """On a copy of the weights with sentence-transformers' own files, such as the installed package's."""
    pytest.importorskip("sentence_transformers")
    folders = [model_files.folder, *(place.folder for place in weights.describe() if not place.problem)]
    complete = [folder for folder in folders if (folder / "modules.json").is_file()]
    if not complete:
        pytest.skip("no copy of the weights has the files that sentence-transformers needs")
    expected = sentence_transformers.SentenceTransformersEmbedder.open(str(complete[0]))
    texts = many_texts(80)
    assert max(len(ids) for ids in bert._tokenise(embedder._read_tokenizer(), texts)) == 256
    difference = np.abs(embedder.embed(texts) - expected.embed(texts))
    assert difference.max() <= 1e-5
    assert expected.dim == embedder.dim
    assert expected.model_hash != embedder.model_hash


@pytest.mark.model
@pytest.mark.heavy
def test_tokens_and_their_embeddings_are_the_models_own(embedder):
    transformers = pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    folders = [place.folder for place in weights.describe() if not place.problem]
    folder = next((folder for folder in folders if (folder / "config.json").is_file()), None)
    if folder is None:
        pytest.skip("no copy of the weights has the files that transformers needs")
    texts = ["I press the _ button", "the cart contains no items", "", "注文を確認する"]
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    layer = transformers.AutoModel.from_pretrained(folder).embeddings
    for text, tokens in zip(texts, embedder.tokens(texts), strict=True):
        assert tokens.tolist() == tokenizer(text, add_special_tokens=False)["input_ids"]
        with torch.no_grad():
            words = layer.word_embeddings(torch.tensor(tokens, dtype=torch.long))
            expected = layer.LayerNorm(words + layer.token_type_embeddings.weight[0]).numpy()
        assert np.abs(embedder.token_embeddings(tokens) - expected).max(initial=0) <= 1e-5


@pytest.mark.model
@pytest.mark.heavy
def test_vector_does_not_depend_on_the_texts_beside_it(embedder):
    texts = many_texts(60, seed=6)
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    together = embedder.embed(texts)
    backwards = embedder.embed(texts[::-1])[::-1]
    assert np.abs(alone - together).max() <= 1e-6
    assert np.abs(alone - backwards).max() <= 1e-6
    np.testing.assert_allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)


@pytest.mark.model
@pytest.mark.parametrize("threads", [1, 3])
def test_texts_of_the_same_tokens_have_the_same_vector(model_files, threads):
    same = ["I open the page", "i OPEN the page", "I  open\tthe page ", "I open the page"]
    texts = [*same[:2], *many_texts(60, seed=9), *same[2:]]
    for embedder in (embedder_of(model_files, threads), embedder_of(model_files, threads).coarse()):
        vectors = embedder.embed(texts)
        assert vectors.shape == (len(texts), 384)
        for row in (1, -2, -1):
            np.testing.assert_array_equal(vectors[row], vectors[0])
        assert not np.array_equal(vectors[2], vectors[0])


@pytest.mark.model
@pytest.mark.parametrize("threads", [1, 3])
def test_order_shape_and_threads(model_files, threads):
    embedder = embedder_of(model_files, threads)
    assert embedder.embed([]).shape == (0, 384)
    texts = many_texts(60, seed=7)
    vectors = embedder.embed(texts)
    assert vectors.dtype == np.float32
    results: list[np.ndarray] = []
    callers = [threading.Thread(target=lambda: results.append(embedder.embed(texts))) for _ in range(2)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    for result in results:
        assert np.abs(result - vectors).max() <= 1e-6
    likeness = embedder.embed(["I open the page", "I open the site", "the price is 5 euros"])
    assert likeness[0] @ likeness[1] > likeness[0] @ likeness[2]


@pytest.mark.model
def test_a_coarse_model_is_near_the_exact_one(embedder):
    coarse = embedder.coarse()
    assert coarse is embedder.coarse() is coarse.coarse()
    assert coarse.model_hash != embedder.model_hash
    texts = many_texts(40, seed=8)
    vectors, exact = coarse.embed(texts), embedder.embed(texts)
    for ready in (True, False):
        embedder.rest(ready=ready)
        np.testing.assert_allclose(embedder.embed(texts[:2]), exact[:2], atol=1e-6)
    assert np.einsum("ij,ij->i", vectors, exact).min() >= 0.97
    assert np.abs(vectors @ vectors.T - exact @ exact.T).max() <= 0.06
    alone = np.concatenate([coarse.embed([text]) for text in texts[-5:]])
    assert np.abs(alone - vectors[-5:]).max() <= 1e-6


class Impatient:
    """Cancels at the second batch."""

    def __init__(self) -> None:
        self.done = 0

    def stage(self, label, total=None, unit=""):
        from contextlib import nullcontext

        assert (label, unit) == ("embedding", "texts")
        assert 390 < total < 400  # "" and " " are the same to the model
        return nullcontext(self)

    def advance(self, n=1):
        if self.done:
            raise Cancelled
        self.done += n


@pytest.mark.model
@pytest.mark.parametrize("threads", [1, 2])
def test_cancelled_between_batches(model_files, threads):
    with pytest.raises(Cancelled):
        embedder_of(model_files, threads).embed(many_texts(400), Impatient())


@pytest.mark.model
def test_damaged_graph_in_the_cache_is_built_anew(model_files):
    good = bert_graph.graph_bytes(model_files.model, model_files.weights)
    (path,) = (cache_dir() / "models").glob("*-MiniLM-*.onnx")
    stored = path.read_bytes()
    for position in (0, len(stored) // 2, len(stored) - 1):
        damaged = bytearray(stored)
        damaged[position] ^= 1
        path.write_bytes(damaged)
        assert bert_graph.graph_bytes(model_files.model, model_files.weights) == good
        assert path.read_bytes() == stored
    path.write_bytes(stored[: len(stored) // 2])
    assert bert_graph.graph_bytes(model_files.model, model_files.weights) == good


def test_graph_of_what_is_no_safetensors_file(tmp_path):
    path = tmp_path / "model.safetensors"
    for content in (b"", b"\x05", b"\xff" * 64, (4).to_bytes(8, "little") + b"nope"):
        path.write_bytes(content)
        with pytest.raises(CukereuseError, match="safetensors"):
            bert_graph.graph_bytes(DEFAULT_MODEL, path)


def test_import_loads_nothing_heavy():
    code = (
        "import sys, cukereuse_engine.embedding_models.bert, cukereuse_engine.embedding_models.sentence_transformers, "
        "cukereuse_engine.embedding_models.opening, cukereuse_engine.index.vector_join, cukereuse_engine.index.hnsw\n"
        "heavy = {'onnx', 'onnxruntime', 'tokenizers', 'torch', 'transformers', 'hnswlib', 'sentence_transformers'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


@pytest.mark.model
def test_the_runtime_reports_nothing_to_its_makers(model_files, tmp_path):
    """Whoever reports keeps an identity on disk."""
    code = (
        "import sys, pathlib, cukereuse_engine.embedding_models.opening as opening\n"
        "opening.open_embedder(folder=pathlib.Path(sys.argv[1])).embed(['a'])"
    )
    home = {"HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code, str(model_files.folder)], check=True, env=os.environ | home)
    assert not [path for path in tmp_path.rglob("*") if "onnxruntime" in path.name]


@pytest.mark.model
@pytest.mark.parametrize("name", ["minilm", "all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"])
def test_names_of_minilm(model_files, name):
    assert isinstance(open_embedder(name, folder=model_files.folder), BertWithTokens)


def test_other_models_need_the_extra(monkeypatch):
    util = sentence_transformers.importlib.util
    find_spec = util.find_spec
    monkeypatch.setattr(util, "find_spec", lambda name: None if name == "sentence_transformers" else find_spec(name))
    with pytest.raises(CukereuseError, match="pip install 'cukereuse\\[sentence-transformers\\]'"):
        open_embedder("some/other-model")


@pytest.mark.heavy
def test_unknown_model_is_an_error_for_the_user(tmp_path):
    pytest.importorskip("sentence_transformers")
    with pytest.raises(CukereuseError, match="can't be loaded"):
        open_embedder(str(tmp_path / "no-model"))
