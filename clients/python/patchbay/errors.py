"""Everything that can go wrong. No text of an error holds an API key or a session."""

from __future__ import annotations

from typing import Any, Dict, Optional


class PatchbayError(Exception):
    """The parent of all errors of this package."""


class Problem(PatchbayError):
    """The server refused, and said why. `code` is stable; `detail` is for people."""

    def __init__(
        self,
        code: str,
        status: int,
        title: str,
        detail: Optional[str] = None,
        extensions: Optional[Dict[str, Any]] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        super().__init__(code, status, title, detail)
        self.code = code
        self.status = status
        self.title = title
        self.detail = detail
        self.extensions: Dict[str, Any] = {} if extensions is None else extensions
        """What the answer says besides, such as the revision that a changed file has."""
        self.retry_after = retry_after
        """Seconds after which to ask again, if the server said so."""

    def __str__(self) -> str:
        said = self.title if self.detail is None else f"{self.title}: {self.detail}"
        return f"{said} ({self.code}, {self.status})"


class UnexpectedResponse(PatchbayError):
    """Something answered that does not speak the contract, such as a proxy with a page of its own."""

    def __init__(self, status: int, what: str) -> None:
        super().__init__(status, what)
        self.status = status
        self.what = what

    def __str__(self) -> str:
        return f"unexpected answer {self.status}: {self.what}"


class Unanswered(PatchbayError):
    """No answer came, or it broke off. Whether the server did what was asked is not known."""

    def __init__(self, why: str, is_late: bool = False) -> None:
        super().__init__(why)
        self.is_late = is_late


class LoginError(PatchbayError):
    """A login ended without a session. `code`: `declined`, `expired`, `consumed` or `refused`."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


class CredentialsError(PatchbayError):
    """Stored sessions that cannot be trusted or read. The file is left as it is."""

    def __init__(self, path: str, what: str) -> None:
        super().__init__(f"{path} {what}")
        self.path = path


class JobFailed(PatchbayError):
    """KiCad could not do what was asked. `code` is that of the job's fault."""

    def __init__(self, job_id: str, state: str, code: Optional[str], detail: str) -> None:
        super().__init__(detail)
        self.job_id = job_id
        self.state = state
        self.code = code
