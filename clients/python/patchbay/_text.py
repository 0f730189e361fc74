from __future__ import annotations

import unicodedata

#: Control and format characters, line ends and halves of pairs: what a person does not see, or what turns a name around.
_HIDDEN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))


def strip_hidden(text: str) -> str:
    return "".join(each for each in text if unicodedata.category(each) not in _HIDDEN)
