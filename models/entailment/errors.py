"""Every way in which a model is refused, each with its message in the person's words."""


class ModelRefused(Exception):
    """A model was not taken in, or not loaded. `str(error)` says why and what to do.

    `code` is stable and travels between processes; no message holds text of a document.
    """

    code = "model_refused"


class ConfigUnreadable(ModelRefused):
    """A description file of the model is missing or is not what it should be."""

    code = "config_unreadable"


class UnknownArchitecture(ModelRefused):
    """The model is of a kind, or uses a variant, that cannot be run exactly."""

    code = "unknown_architecture"


class PickleOnly(ModelRefused):
    """The weights are only there in a format that can run code when it is opened."""

    code = "pickle_only"


class WeightsDamaged(ModelRefused):
    """A weights file is cut short, or its structure is broken."""

    code = "weights_damaged"


class WeightsUnexpected(ModelRefused):
    """Tensors are missing, of the wrong shape, not of this architecture, or not finite."""

    code = "weights_unexpected"


class TokenizerUnusable(ModelRefused):
    """There is no tokenizer, or it does not fit the weights."""

    code = "tokenizer_unusable"


class LabelsUnclear(ModelRefused):
    """The label names do not say which output means entailment; `names` are the names.

    A person may confirm a mapping; until then the model is not taken in.
    """

    code = "labels_unclear"

    def __init__(self, message: str, names: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.names = names


class AdapterMismatch(ModelRefused):
    """The adapter was not made for these weights, or is not complete."""

    code = "adapter_mismatch"


class HashMismatch(ModelRefused):
    """A file is not the one that it should be."""

    code = "hash_mismatch"


class AlreadyInstalled(ModelRefused):
    """A model of this name is there already."""

    code = "already_installed"


class ModelDamaged(ModelRefused):
    """An installed model is not, or no longer, as it was written."""

    code = "model_damaged"


class HypothesisTooLong(ModelRefused):
    """The claim alone fills what the model can take in, so that no source would fit beside it."""

    code = "hypothesis_too_long"


class NotWritten(ModelRefused):
    """The model could not be written to the disk."""

    code = "not_written"


class ScoresUnusable(ModelRefused):
    """The model answered with something that is no number."""

    code = "scores_unusable"


def by_code(code: str, message: str) -> ModelRefused:
    """The error that `code` names, with its message, as it crosses from another process."""
    kinds = {kind.code: kind for kind in ModelRefused.__subclasses__()}
    return kinds.get(code, ModelRefused)(message)
