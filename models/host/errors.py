"""Every way in which a worker process can fail a call."""


class WorkerError(Exception):
    """A worker did not answer as asked. `str(error)` is in the person's words.

    `details` is for a bug report that a person folds out: how the process ended and the last lines
    that it wrote, or where in the code a handler failed. It stays in memory and goes to no log.
    """

    def __init__(self, message: str, *, details: str = "") -> None:
        super().__init__(message)
        self.details = details


class WorkerCrashed(WorkerError):
    """The process ended, or broke the protocol, before it had answered."""


class WorkerTimeLimit(WorkerError):
    """The call took longer than its limit, or was silent for longer; the process was killed."""


class WorkerMemoryLimit(WorkerError):
    """The process needed more memory than its limit and was ended."""


class WorkerUnavailable(WorkerError):
    """The process cannot be started, failed too often, or the supervisor is closed."""


class WorkerRefused(WorkerError):
    """The worker is well, and answered with an error of its own.

    `code` is the error's stable name: a name of the handler's, `UNKNOWN_METHOD`, `INTERNAL` (the
    handler failed in a way that it does not name) or `ANSWER_TOO_LARGE`.
    """

    def __init__(self, message: str, *, code: str, details: str = "") -> None:
        super().__init__(message, details=details)
        self.code = code


UNKNOWN_METHOD = "unknown_method"
INTERNAL = "internal"
ANSWER_TOO_LARGE = "answer_too_large"
CANCELLED = "cancelled"
OUT_OF_MEMORY = "out_of_memory"
