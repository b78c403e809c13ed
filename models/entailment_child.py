"""The entailment worker: owns CTranslate2 and one model, in a process of its own.

The runtime is imported and the model loaded, with every file's hash checked, by the first request.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from models.entailment.errors import ModelDamaged, ModelRefused
from models.host.child import Call, serve

if TYPE_CHECKING:
    from models.entailment.scorer import Scorer


class Scoring:
    """Scores pairs with the model that it has loaded."""

    def __init__(self) -> None:
        self._scorer: Scorer | None = None
        self._loaded = ("", "")

    def score(self, params: dict[str, Any], call: Call) -> dict[str, Any]:
        """Score `pairs`, a list of [premise, hypothesis], with the model in `folder`.

        The model must be the one whose manifest has the hash `sha256`. Gives `scores`, a list of
        [entailment, contradiction or null], and `description`, what the model runs on.
        """
        scorer = self._scorer_of(params["folder"], params["sha256"])
        pairs = [(premise, hypothesis) for premise, hypothesis in params["pairs"]]
        scores = scorer.score(pairs, progress=call.progress, cancellation=call.cancellation)
        return {"scores": scores, "description": scorer.description}

    def _scorer_of(self, folder: str, sha256: str) -> "Scorer":
        if self._scorer is None or self._loaded != (folder, sha256):
            from models.entailment.scorer import Scorer

            self._scorer = None
            scorer = Scorer(Path(folder))
            if scorer.sha256 != sha256:
                raise ModelDamaged(
                    "The entailment model was exchanged while it was in use, so it was stopped. "
                    "Nothing was lost. Start the program again."
                )
            self._scorer, self._loaded = scorer, (folder, sha256)
        return self._scorer


def add(params: dict[str, Any], call: Call) -> str:
    """Take in the checkpoint in `folder` as the model in `target`; gives the model's hash.

    The other params are those of `models.entailment.importer.import_model`.
    """
    from models.entailment.importer import import_model

    names = ("name", "quantization", "labels", "prompt", "source_sha256")
    options = {name: params[name] for name in names}
    manifest = import_model(
        Path(params["folder"]),
        Path(params["target"]),
        **options,
        adapter=Path(params["adapter"]) if params["adapter"] else None,
        progress=call.progress,
        cancellation=call.cancellation,
    )
    return manifest.sha256


if __name__ == "__main__":
    serve({"score": Scoring().score, "add": add}, errors=(ModelRefused,))
