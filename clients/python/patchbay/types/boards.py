from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Dict, Optional, Tuple, Union

from ..display import Table, table_html

__all__ = [
    "Bom",
    "BomLine",
    "Checked",
    "Component",
    "Engine",
    "Job",
    "JobFault",
    "JobProgress",
    "JobResult",
    "Net",
    "Netlist",
    "Pin",
    "Report",
    "Violation",
    "ViolationItem",
]


@dataclass(frozen=True)
class Engine:
    """Whether KiCad is there. `hint` says what to install otherwise."""

    is_running: bool
    workers: int
    version: Optional[str]
    seen_at: Optional[datetime]
    hint: Optional[str]


@dataclass(frozen=True)
class JobFault:
    code: str
    detail: str


@dataclass(frozen=True)
class JobResult:
    name: str
    title: str
    media_type: str
    bytes: int
    sha256: str
    href: str


@dataclass(frozen=True)
class JobProgress:
    step: str
    said: Optional[str]
    elapsed_ms: int
    typical_ms: Optional[int]
    percent: Optional[int]


@dataclass(frozen=True)
class Job:
    """A question to KiCad. `state`: `queued`, `running`, `done`, `failed` or `refused`."""

    id: str
    operation: str
    path: str
    state: str
    fault: Optional[JobFault]
    counts: Dict[str, int]
    results: Table[JobResult]
    notes: Tuple[str, ...]
    options: Dict[str, Any]
    revision: int
    inputs: int
    engine: str
    attempts: int
    created_at: datetime
    started_at: Optional[datetime]
    finished_at: Optional[datetime]
    progress: Optional[JobProgress] = None

    @property
    def has_ended(self) -> bool:
        return self.state not in ("queued", "running")


@dataclass(frozen=True)
class ViolationItem:
    description: str
    uuid: str
    x: float
    y: float

    def __str__(self) -> str:
        return f"{self.description} at {self.x:g}, {self.y:g} mm"


@dataclass(frozen=True)
class Violation:
    severity: str
    type: str
    description: str
    items: Tuple[ViolationItem, ...]
    sheet: Optional[str]
    group: str
    is_excluded: bool


@dataclass(frozen=True)
class Checked:
    """What KiCad finds: `erc` in a schematic, `drc` in a board."""

    kind: str
    errors: int
    warnings: int
    exclusions: int
    is_complete: bool
    violations: Table[Violation]

    def _repr_html_(self) -> str:
        title = f"<p>{'Electrical' if self.kind == 'erc' else 'Design'} rules: {self.errors} errors, {self.warnings} warnings.</p>"
        return title + (self.violations._repr_html_() if self.violations else "")


@dataclass(frozen=True)
class BomLine:
    references: Tuple[str, ...]
    quantity: int
    value: str
    footprint: str
    datasheet: str
    is_do_not_populate: bool


@dataclass(frozen=True)
class Bom:
    kind: str
    is_complete: bool
    lines: Table[BomLine]

    def _repr_html_(self) -> str:
        return self.lines._repr_html_()


@dataclass(frozen=True)
class Component:
    reference: str
    value: str
    footprint: str
    datasheet: str
    description: str
    library: str
    sheet: str
    uuids: Tuple[str, ...]


@dataclass(frozen=True)
class Pin:
    reference: str
    pin: str
    function: str
    type: str

    def __str__(self) -> str:
        return f"{self.reference}.{self.pin}"


@dataclass(frozen=True)
class Net:
    name: str
    net_class: str
    pins: Tuple[Pin, ...]


@dataclass(frozen=True)
class Netlist:
    kind: str
    is_complete: bool
    components: Table[Component]
    nets: Table[Net]

    def _repr_html_(self) -> str:
        rows = [(each.name, [str(pin) for pin in each.pins]) for each in self.nets]
        return table_html(("net", "pins"), rows, len(rows))


Report = Union[Checked, Bom, Netlist]
