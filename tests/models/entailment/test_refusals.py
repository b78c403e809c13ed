"""What cannot be run exactly is refused with its reason, and leaves nothing behind."""

import hashlib
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.cancellation import Cancellation, Cancelled
from models.entailment import errors, importer, new_folder
from models.entailment.importer import import_model
from models.entailment.manifest import verify
from models.entailment.safetensors import read_header

FIXTURES = Path(__file__).parent / "fixtures"
WEIGHTS = "model.safetensors"


@pytest.fixture
def source(tmp_path: Path) -> Callable[[str], Path]:
    """Copies a checkpoint to a place where a test may change it."""

    def copy(name: str) -> Path:
        return Path(shutil.copytree(FIXTURES / name, tmp_path / "source" / name))

    return copy


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """Where the model would go; the folder above is for it alone."""
    return tmp_path / "models" / "tiny"


def refused(error: type[Exception], folder: Path, target: Path, **options: Any) -> str:
    """Import must fail with exactly this error and leave nothing; returns the message."""
    with pytest.raises(error) as refusal:
        import_model(folder, target, name="tiny", **options)
    assert type(refusal.value) is error
    assert not target.parent.exists() or list(target.parent.iterdir()) == []
    return str(refusal.value)


Tensors = dict[str, tuple[str, tuple[int, ...], bytes]]


def change(file: Path, edit: Callable[[Tensors], object]) -> None:
    """Rewrite a safetensors file after `edit` has changed its tensors."""
    whole = file.read_bytes()
    tensors: Tensors = {}
    for name, entry in read_header(file).items():
        size = int(np.prod(entry.shape)) * {"F32": 4, "F16": 2}[entry.dtype]
        tensors[name] = (entry.dtype, entry.shape, whole[entry.offset : entry.offset + size])
    edit(tensors)
    header, at = {}, 0
    for name, (dtype, shape, data) in tensors.items():
        header[name] = {"dtype": dtype, "shape": shape, "data_offsets": [at, at + len(data)]}
        at += len(data)
    head = json.dumps(header).encode()
    body = b"".join(data for _, _, data in tensors.values())
    file.write_bytes(len(head).to_bytes(8, "little") + head + body)


def configure(folder: Path, **values: object) -> None:
    """Change config.json; None takes a key away."""
    data = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    data.update(values)
    data = {key: value for key, value in data.items() if value is not None}
    (folder / "config.json").write_text(json.dumps(data), encoding="utf-8")


LAYER = "encoder.layer.1."
BIAS = ("F32", (32,), bytes(128))


def of_layer(tensors: Tensors, end: str) -> str:
    return next(name for name in sorted(tensors) if name.endswith(LAYER + end))


@pytest.mark.parametrize("name", ["bert", "mpnet", "t5", "flan_t5", "bert_two_labels"])
def test_every_tensor_is_needed(name: str, source: Callable[[str], Path], target: Path) -> None:
    folder = source(name)
    whole = (folder / WEIGHTS).read_bytes()
    options = {"labels": {"neutral": 0, "entailment": 1}} if "t5" in name else {}
    names = list(read_header(folder / WEIGHTS))
    for missing in names:
        (folder / WEIGHTS).write_bytes(whole)
        change(folder / WEIGHTS, lambda tensors, missing=missing: tensors.pop(missing))
        refused(errors.WeightsUnexpected, folder, target, **options)
    assert len(names) > 30


@pytest.mark.parametrize("name", ["bert", "mpnet", "flan_t5"])
def test_every_shape_is_checked(name: str, source: Callable[[str], Path], target: Path) -> None:
    folder = source(name)
    whole = (folder / WEIGHTS).read_bytes()
    options = {"labels": {"neutral": 0, "entailment": 1}} if "t5" in name else {}
    for wrong in read_header(folder / WEIGHTS):

        def lengthen(tensors: Tensors, wrong: str = wrong) -> None:
            dtype, shape, data = tensors[wrong]
            more = len(data) // shape[0]
            tensors[wrong] = (dtype, (shape[0] + 1, *shape[1:]), data + bytes(more))

        (folder / WEIGHTS).write_bytes(whole)
        change(folder / WEIGHTS, lengthen)
        refused(errors.WeightsUnexpected, folder, target, **options)


@pytest.mark.parametrize(
    ("name", "tensor"),
    [
        ("bert", "bert.encoder.layer.2.output.dense.bias"),
        ("bert", "bert.encoder.layer.0.attention.self.distance_embedding.weight"),
        ("bert", "bert.encoder.layer.1.output.dense.bias.absmax"),
        ("bert", "encoder.layer.0.output.dense.bias"),
        ("mpnet", "mpnet.encoder.layer.0.attention.self.query.bias"),
        ("mpnet", "score.weight"),
    ],
)
def test_tensors_of_another_model(
    name: str, tensor: str, source: Callable[[str], Path], target: Path
) -> None:
    folder = source(name)
    change(folder / WEIGHTS, lambda tensors: tensors.update({tensor: BIAS}))
    refused(errors.WeightsUnexpected, folder, target)


@pytest.mark.parametrize("tensor", ["bert.embeddings.position_ids", "cls.predictions.bias"])
def test_tensors_without_a_part_in_a_score_do_no_harm(
    tensor: str, source: Callable[[str], Path], target: Path
) -> None:
    folder = source("bert")
    change(folder / WEIGHTS, lambda tensors: tensors.update({tensor: BIAS}))
    import_model(folder, target, name="tiny")
    assert verify(target).name == "tiny"


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("where", [0, -1])
def test_weights_that_are_no_numbers(
    bad: float, where: int, source: Callable[[str], Path], target: Path
) -> None:
    folder = source("bert")

    def spoil(tensors: Tensors) -> None:
        name = of_layer(tensors, "output.dense.weight")
        dtype, shape, data = tensors[name]
        values = np.frombuffer(data, dtype="<f4").copy()
        values[where] = bad
        tensors[name] = (dtype, shape, values.tobytes())

    change(folder / WEIGHTS, spoil)
    refused(errors.WeightsUnexpected, folder, target)


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 0.99])
def test_a_download_that_was_cut_short(
    share: float, source: Callable[[str], Path], target: Path
) -> None:
    folder = source("bert")
    whole = (folder / WEIGHTS).read_bytes()
    (folder / WEIGHTS).write_bytes(whole[: int(len(whole) * share)])
    refused(errors.WeightsDamaged, folder, target)


def test_a_pickle(source: Callable[[str], Path], target: Path) -> None:
    folder = source("bert")
    (folder / WEIGHTS).rename(folder / "pytorch_model.bin")
    refused(errors.PickleOnly, folder, target)


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"model_type": "deberta-v2"}, errors.UnknownArchitecture),
        ({"model_type": None}, errors.UnknownArchitecture),
        ({"model_type": ["bert"]}, errors.UnknownArchitecture),
        ({"architectures": ["BertForMaskedLM"]}, errors.UnknownArchitecture),
        ({"architectures": ["BertForQuestionAnswering"]}, errors.UnknownArchitecture),
        ({"hidden_act": "silu"}, errors.UnknownArchitecture),
        ({"hidden_act": 3}, errors.ConfigUnreadable),
        ({"position_embedding_type": "relative_key"}, errors.UnknownArchitecture),
        ({"is_decoder": True}, errors.UnknownArchitecture),
        ({"problem_type": "multi_label_classification"}, errors.UnknownArchitecture),
        ({"problem_type": "regression"}, errors.UnknownArchitecture),
        ({"num_hidden_layers": None}, errors.ConfigUnreadable),
        ({"num_hidden_layers": 1}, errors.WeightsUnexpected),
        ({"num_hidden_layers": 3}, errors.WeightsUnexpected),
        ({"num_hidden_layers": True}, errors.ConfigUnreadable),
        ({"num_hidden_layers": -1}, errors.ConfigUnreadable),
        ({"num_attention_heads": 5}, errors.ConfigUnreadable),
        ({"hidden_size": 64}, errors.WeightsUnexpected),
        ({"vocab_size": 10}, errors.WeightsUnexpected),
        ({"layer_norm_eps": "small"}, errors.ConfigUnreadable),
        ({"id2label": {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}, "label2id": None},
         errors.LabelsUnclear),
        ({"id2label": None, "label2id": None}, errors.LabelsUnclear),
        ({"id2label": {"0": "entailment", "1": "neutral", "2": "contradiction"}},
         errors.LabelsUnclear),
        ({"id2label": {"0": "entailment", "1": "not_entailment"}, "label2id": None},
         errors.WeightsUnexpected),
        ({"id2label": {"1": "entailment", "2": "neutral"}, "label2id": None},
         errors.ConfigUnreadable),
        ({"id2label": ["entailment"], "label2id": None}, errors.ConfigUnreadable),
        ({"id2label": {"x": "entailment"}, "label2id": None}, errors.ConfigUnreadable),
    ],
)  # fmt: skip
def test_configs(
    values: dict[str, object], error: type[Exception], source: Callable[[str], Path], target: Path
) -> None:
    folder = source("bert")
    configure(folder, **values)
    refused(error, folder, target)


@pytest.mark.parametrize("content", [None, b"", b"{", b"[]", b"\xff\xfe", b"[" * 100_000])
def test_a_config_that_is_none(
    content: bytes | None, source: Callable[[str], Path], target: Path
) -> None:
    folder = source("bert")
    (folder / "config.json").unlink()
    if content is not None:
        (folder / "config.json").write_bytes(content)
    refused(errors.ConfigUnreadable, folder, target)


def test_a_person_confirms_what_the_names_leave_open(
    source: Callable[[str], Path], target: Path
) -> None:
    folder = source("bert")
    names = {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"}
    configure(folder, id2label=names, label2id=None)
    mapping = {"contradiction": 0, "entailment": 1, "neutral": 2}
    manifest = import_model(folder, target, name="tiny", labels=mapping)
    assert manifest.labels.as_dict() == mapping
    assert manifest.labels_confirmed_by == "person"
    assert manifest.label_names == tuple(names.values())


def test_a_person_may_not_turn_the_names_round(source: Callable[[str], Path], target: Path) -> None:
    mapping = {"contradiction": 1, "entailment": 0, "neutral": 2}
    refused(errors.LabelsUnclear, source("bert"), target, labels=mapping)


def test_an_answering_model_needs_a_person(source: Callable[[str], Path], target: Path) -> None:
    refused(errors.LabelsUnclear, source("t5"), target)


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"feed_forward_proj": "gated-silu"}, errors.UnknownArchitecture),
        ({"feed_forward_proj": "relu"}, errors.WeightsUnexpected),
        ({"tie_word_embeddings": True}, errors.WeightsUnexpected),
        ({"decoder_start_token_id": 2}, errors.UnknownArchitecture),
        ({"d_kv": 8}, errors.WeightsUnexpected),
        ({"num_decoder_layers": 1}, errors.WeightsUnexpected),
        ({"architectures": ["T5EncoderModel"]}, errors.UnknownArchitecture),
    ],
)
def test_configs_of_answering_models(
    values: dict[str, object], error: type[Exception], source: Callable[[str], Path], target: Path
) -> None:
    folder = source("flan_t5")
    configure(folder, **values)
    refused(error, folder, target, labels={"neutral": 0, "entailment": 1})


def test_no_tokenizer(source: Callable[[str], Path], target: Path) -> None:
    folder = source("bert")
    for name in ("tokenizer.json", "vocab.txt"):
        (folder / name).unlink()
    refused(errors.TokenizerUnusable, folder, target)


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"model": 1}'])
def test_a_tokenizer_that_is_none(
    content: str, source: Callable[[str], Path], target: Path
) -> None:
    folder = source("bert")
    (folder / "tokenizer.json").write_text(content, encoding="utf-8")
    refused(errors.TokenizerUnusable, folder, target)


def test_a_tokenizer_of_another_model(source: Callable[[str], Path], target: Path) -> None:
    folder = source("bert")
    shutil.copy(FIXTURES / "mpnet" / "tokenizer.json", folder / "tokenizer.json")
    refused(errors.TokenizerUnusable, folder, target)


def test_a_tokenizer_with_more_tokens_than_the_weights_know(
    source: Callable[[str], Path], target: Path
) -> None:
    folder = source("bert")
    data = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))
    vocabulary = data["model"]["vocab"]
    vocabulary["extra"] = len(vocabulary)
    (folder / "tokenizer.json").write_text(json.dumps(data), encoding="utf-8")
    refused(errors.TokenizerUnusable, folder, target)


def test_another_file_than_the_one_asked_for(source: Callable[[str], Path], target: Path) -> None:
    folder = source("bert")
    right = hashlib.sha256((folder / WEIGHTS).read_bytes()).hexdigest()
    refused(errors.HashMismatch, folder, target, source_sha256="0" * 64)
    assert import_model(folder, target, name="tiny", source_sha256=right).source.sha256 == right


@pytest.mark.parametrize(
    "options",
    [
        {"quantization": "int4"},
        {"quantization": "bfloat16"},
        {"prompt": "{premise}"},
        {"prompt": "{hypothesis} {premise}"},
        {"prompt": "{premise} {premise} {hypothesis}"},
    ],
)
def test_options(options: dict[str, str], source: Callable[[str], Path], target: Path) -> None:
    with pytest.raises(errors.ModelRefused):
        import_model(source("bert"), target, name="tiny", **options)
    assert not target.parent.exists()


@pytest.mark.parametrize("name", ["", "../tiny", "a b", "nul"])
def test_names(name: str, source: Callable[[str], Path], target: Path) -> None:
    with pytest.raises(errors.ModelRefused):
        import_model(source("bert"), target, name=name)
    assert not target.parent.exists()


def test_a_model_that_is_there_is_left_as_it_is(
    source: Callable[[str], Path], target: Path
) -> None:
    target.mkdir(parents=True)
    (target / "mine").write_text("kept", encoding="utf-8")
    with pytest.raises(errors.AlreadyInstalled):
        import_model(source("bert"), target, name="tiny")
    assert [p.name for p in target.parent.iterdir()] == ["tiny"]
    assert (target / "mine").read_text(encoding="utf-8") == "kept"


@pytest.mark.parametrize("steps", range(6))
def test_cancelling_leaves_nothing(steps: int, source: Callable[[str], Path], target: Path) -> None:
    cancellation = Cancellation()
    left = [steps]

    def progress(done: int, total: int, what: str) -> None:
        left[0] -= 1
        if left[0] < 0:
            cancellation.cancel()

    with pytest.raises(Cancelled):
        import_model(
            source("bert"), target, name="tiny", progress=progress, cancellation=cancellation
        )
    assert not target.parent.exists() or list(target.parent.iterdir()) == []


@pytest.mark.parametrize("step", ["savez", "list_files", "write", "_sync"])
def test_a_full_disk_leaves_nothing(
    step: str, source: Callable[[str], Path], target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: object, **kwargs: object) -> None:
        raise OSError(28, "No space left on device")

    owner = {"savez": importer.np, "_sync": new_folder}.get(step, importer.manifests)
    monkeypatch.setattr(owner, step, full)
    message = refused(errors.NotWritten, source("bert"), target)
    assert "No space left" in message


def test_a_place_that_cannot_be_written(source: Callable[[str], Path], target: Path) -> None:
    target.parent.parent.mkdir(exist_ok=True)
    target.parent.write_text("a file", encoding="utf-8")
    with pytest.raises(errors.NotWritten):
        import_model(source("bert"), target, name="tiny")


def test_what_a_killed_import_left_is_cleared(source: Callable[[str], Path], target: Path) -> None:
    target.parent.mkdir()
    dead = target.parent / f".tiny.{2**22 + 7}.abc{new_folder.PARTIAL}"
    alive = target.parent / f".tiny.{os.getpid()}.abc{new_folder.PARTIAL}"
    other = target.parent / f".tiny2.{2**22 + 7}.abc{new_folder.PARTIAL}"
    for folder in (dead, alive, other):
        folder.mkdir()
    import_model(source("bert"), target, name="tiny")
    assert sorted(p.name for p in target.parent.iterdir()) == sorted(
        [alive.name, other.name, "tiny"]
    )


def test_the_licence_is_read_from_the_model_s_own_page(
    source: Callable[[str], Path], target: Path
) -> None:
    folder = source("bert")
    page = "---\nlanguage: en\nlicense: apache-2.0\n---\nlicense: mine\n"
    (folder / "README.md").write_text(page, encoding="utf-8")
    assert import_model(folder, target, name="tiny").licence == "apache-2.0"


def test_no_path_of_a_machine_gets_into_a_manifest(
    source: Callable[[str], Path], target: Path
) -> None:
    folder = source("bert")
    configure(folder, _name_or_path="/home/someone/models/my-nli/")
    assert import_model(folder, target, name="tiny").source.name == "my-nli"
    assert str(folder) not in (target / "manifest.json").read_text(encoding="utf-8")
