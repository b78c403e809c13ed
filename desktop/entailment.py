"""The entailment model in use, joined with the cache of its scores."""

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from core.storage.scores import ScoreCache
    from models.entailment.worker import EntailmentWorker

NONE = "No entailment model: only near-verbatim statements can be confirmed"


class ModelInUse:
    """What answers the entailment gate; `worker` is None without a model.

    `problem` says why an installed model is not used, in the person's words; else it is empty.
    """

    def __init__(
        self,
        worker: "EntailmentWorker | None" = None,
        cache: "ScoreCache | None" = None,
        problem: str = "",
    ) -> None:
        self.worker = worker
        self.problem = problem
        self._cache = cache

    @classmethod
    def open(cls, folder: Path | None = None, name: str | None = None) -> "ModelInUse":
        """The installed model called `name`, or the one in use, from the data folder `folder`.

        Its process starts with the first question. Raises
        `models.entailment.installed.ModelMissing` where there is no model called `name`.
        """
        from core.home import home
        from core.storage.scores import FILE, ScoreCache
        from models.entailment.errors import ModelRefused
        from models.entailment.installed import FOLDER, InstalledModels
        from models.entailment.worker import EntailmentWorker

        models = InstalledModels(None if folder is None else folder / "models" / FOLDER)
        if name is not None:
            model = models.get(name)
        else:
            try:
                chosen = models.in_use()
            except ModelRefused as error:
                return cls(problem=str(error))
            if chosen is None:
                return cls()
            model = chosen
        if model.manifest is None:
            return cls(problem=model.problem)
        cache = ScoreCache((folder or home()) / FILE)
        return cls(EntailmentWorker(model, cache=cache), cache)

    def __enter__(self) -> Self:
        """Ready to use."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close."""
        self.close()

    @property
    def state(self) -> str:
        """One line on what may decide a check here: name, how it runs, what it has earned."""
        if self.worker is None:
            return self.problem or NONE
        return self.worker.description

    def close(self) -> None:
        """End the model's process and let go of the cache."""
        if self.worker is not None:
            self.worker.close()
        if self._cache is not None:
            self._cache.close()
