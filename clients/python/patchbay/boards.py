from __future__ import annotations

import json
import time
from typing import Any, Callable, Dict, Mapping, Optional, Type, TypeVar, Union

from ._connection import Connection, is_passing
from ._routes import BOARD_ENGINE, BOARD_RESULT, LIST_BOARD_JOBS, READ_BOARD_JOB, START_BOARD_JOB
from ._stream import MOST_BYTES, Stream
from ._wire import Unfit, parse
from .display import Picture, Table
from .errors import JobFailed, PatchbayError, UnexpectedResponse
from .types import Bom, Checked, Engine, Job, JobResult, Netlist, Report

_Kind = TypeVar("_Kind", Checked, Bom, Netlist)

_REPORT = "report.json"
_REPORTS: Dict[str, Any] = {"erc": Checked, "drc": Checked, "bom": Bom, "netlist": Netlist}
#: The server waits half a minute at the most; a little less leaves it time to say so.
_LONGEST_POLL_S = 25.0
_PROGRESS_POLL_S = 2.0
_PAUSE_S = 0.25
_USUAL_WAIT_S = 120.0

_EXPORTS = {"pdf": "pdf", "netlist": "netlist", "bom": "bom", "step": "step", "glb": "model", "gerbers": "gerbers"}


class Boards:
    """KiCad on the schematics and boards of one workspace. A key needs the scope `files:read`.

    The same question about the same files is answered from what is known. `wait` is how many seconds a job may take.
    """

    def __init__(self, connection: Connection, params: Mapping[str, str]) -> None:
        self._connection = connection
        self._params = params

    def engine(self) -> Engine:
        """Whether KiCad is there, and what to install otherwise."""
        return self._connection.ask(BOARD_ENGINE, self._params)

    def check(self, path: str, *, wait: float = _USUAL_WAIT_S) -> Checked:
        """The electrical rules of a schematic, or the design rules of a board. A notebook shows a table."""
        report = self.report(self.run("erc" if _is_schematic(path) else "drc", path, wait=wait))
        return _expect(report, Checked)

    def bom(self, path: str, *, wait: float = _USUAL_WAIT_S) -> Bom:
        """The bill of materials of a schematic. A notebook shows a table."""
        return _expect(self.report(self.run("bom", path, wait=wait)), Bom)

    def netlist(self, path: str, *, wait: float = _USUAL_WAIT_S) -> Netlist:
        """The components and nets of a schematic. A notebook shows a table."""
        return _expect(self.report(self.run("netlist", path, wait=wait)), Netlist)

    def render(
        self,
        path: str,
        *,
        sheet: Optional[str] = None,
        side: Optional[str] = None,
        width: Optional[int] = None,
        height: Optional[int] = None,
        wait: float = _USUAL_WAIT_S,
    ) -> Picture:
        """A picture: of a sheet of a schematic as SVG, the first unless told, or of a side of a board as PNG."""
        if _is_schematic(path):
            if side is not None or width is not None or height is not None:
                raise ValueError("side, width and height are those of a board")
            job = self.run("sheets", path, wait=wait)
        elif sheet is not None:
            raise ValueError("a board has no sheets")
        else:
            options = {"side": side, "width": width, "height": height}
            job = self.run("render", path, options={name: each for name, each in options.items() if each is not None}, wait=wait)
        pictures = [each for each in job.results if each.media_type.startswith("image/")]
        found = [each for each in pictures if sheet is None or each.title == sheet]
        if not found:
            raise LookupError("there is no such sheet; there are: " + ", ".join(each.title for each in pictures))
        return self.picture(job, found[0])

    def export(
        self,
        path: str,
        kind: str,
        *,
        options: Optional[Mapping[str, Any]] = None,
        wait: float = _USUAL_WAIT_S,
    ) -> Stream:
        """`pdf`, `netlist`, `bom`, `step`, `glb` or `gerbers`: `workspace.boards.export("lamp.kicad_pcb", "gerbers").save("lamp.zip")`."""
        if kind not in _EXPORTS:
            raise ValueError(f"kind is one of {', '.join(_EXPORTS)}")
        job = self.run(_EXPORTS[kind], path, options=options, wait=wait)
        made = [each for each in job.results if each.name != _REPORT]
        if not made:
            raise UnexpectedResponse(200, "the job has made no file")
        return self.open(job, made[0])

    def run(
        self,
        operation: str,
        path: str,
        *,
        options: Optional[Mapping[str, Any]] = None,
        revision: Optional[int] = None,
        is_retry: bool = False,
        wait: float = _USUAL_WAIT_S,
        on_progress: Optional[Callable[[Job], None]] = None,
    ) -> Job:
        """Asks and waits. What KiCad cannot do is `JobFailed`; what is not done in time is a `TimeoutError`, and goes on."""
        job = self.start(operation, path, options=options, revision=revision, is_retry=is_retry)
        return self.wait(job, wait=wait, on_progress=on_progress)

    def start(
        self,
        operation: str,
        path: str,
        *,
        options: Optional[Mapping[str, Any]] = None,
        revision: Optional[int] = None,
        is_retry: bool = False,
    ) -> Job:
        """Asks for a job and does not wait for it."""
        body = {
            "operation": operation,
            "path": path,
            "revision": revision,
            "options": None if options is None else dict(options),
            "isRetry": True if is_retry else None,
        }
        return self._connection.ask(START_BOARD_JOB, self._params, body=body)

    def wait(
        self,
        job: Job,
        *,
        wait: float = _USUAL_WAIT_S,
        on_progress: Optional[Callable[[Job], None]] = None,
    ) -> Job:
        ends_at = time.monotonic() + wait
        longest = _LONGEST_POLL_S if on_progress is None else _PROGRESS_POLL_S
        while not job.has_ended:
            left = ends_at - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"KiCad is not done yet: go on with boards.wait, job {job.id[:12]}")
            if on_progress is not None:
                on_progress(job)
            # In whole seconds, and one at the least: nothing is asked without a pause.
            seconds = max(1, round(min(longest, left)))
            try:
                job = self._connection.ask(READ_BOARD_JOB, {**self._params, "id": job.id}, {"wait": seconds}, wait=seconds)
            except PatchbayError as error:
                # A server that restarts has not forgotten the job.
                if not is_passing(error):
                    raise
            if not job.has_ended:
                time.sleep(_PAUSE_S)
        if job.state == "done":
            return job
        detail = "KiCad could not do it" if job.fault is None else job.fault.detail
        raise JobFailed(job.id, job.state, None if job.fault is None else job.fault.code, detail)

    def list(self, path: Optional[str] = None) -> Table[Job]:
        """The jobs of the workspace, the last asked for first."""
        return self._connection.pages(LIST_BOARD_JOBS, self._params, {"path": path})

    def report(self, job: Job) -> Report:
        """What a check, a netlist or a bill of materials says."""
        kind = _REPORTS.get(job.operation)
        if kind is None:
            raise ValueError(f"a job of the kind {job.operation} has no report")
        with self.open(job, _REPORT) as stream:
            try:
                report: Report = parse(kind, json.loads(stream.read(MOST_BYTES)))
            except Unfit as error:
                raise UnexpectedResponse(200, str(error)) from None
            except (ValueError, RecursionError):
                raise UnexpectedResponse(200, "the result is no report") from None
        return report

    def picture(self, job: Job, result: JobResult) -> Picture:
        with self.open(job, result) as stream:
            return Picture(stream.read(MOST_BYTES), result.media_type, result.title)

    def open(self, job: Job, result: Union[str, JobResult]) -> Stream:
        """A file that a job has made, as it comes."""
        name = result if isinstance(result, str) else result.name
        return self._connection.open(BOARD_RESULT, {**self._params, "id": job.id, "name": name})


def _is_schematic(path: str) -> bool:
    if not path.endswith((".kicad_sch", ".kicad_pcb")):
        raise ValueError("path is that of a .kicad_sch or .kicad_pcb file")
    return path.endswith(".kicad_sch")


def _expect(report: Report, kind: Type[_Kind]) -> _Kind:
    if not isinstance(report, kind):
        raise UnexpectedResponse(200, "the report is one of another kind")
    return report
