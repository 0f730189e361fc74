from __future__ import annotations

import os
import secrets
from pathlib import Path
from typing import Iterable, Union


def write_atomically(path: Union[str, Path], chunks: Iterable[bytes], overwrite: bool = True, mode: int = 0o666) -> Path:
    """Readers see the file as it was or whole. What breaks off leaves nothing behind."""
    target = Path(path)
    if not overwrite and target.exists():
        raise FileExistsError(f"{target} is there already")
    temporary = target.with_name(f"{target.name}.{secrets.token_hex(8)}.part")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with os.fdopen(os.open(temporary, flags, mode), "wb") as file:
            for chunk in chunks:
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        if overwrite:
            os.replace(temporary, target)
        else:
            # The name appears with the whole content, unless somebody took it meanwhile.
            os.link(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)
    return target
