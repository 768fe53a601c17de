r"""Making the text of strangers fit to be shown: what a terminal might obey, or would not show, becomes visible signs.

Control characters have pictures of their own in Unicode (␛), everything else without a form is written as its number
(``\u202e``), and only a few combining marks may pile up on a letter, or they would be drawn over other lines.
Refusing such text, as it is done with names, was rejected for what people say: whoever is sent it should see that.

Source: Unicode, "Control Pictures", "Variation Selectors" and the property Default_Ignorable_Code_Point.
"""

from __future__ import annotations

from typing import Final

from p2pdurak.wire.names import FORMLESS, MAX_MARKS, is_mark

_PICTURES: Final = 0x2400
_DELETE, _DELETE_PICTURE = 0x7F, "\u2421"
_BEARER, _MORE = "◌", "…"


def visible(text: str) -> str:
    """Return ``text`` as one line that any terminal can be given."""
    shown: list[str] = []
    marks = 0
    for sign in text:
        if chooses_form(sign):
            continue
        marks = marks + 1 if is_mark(sign) else 0
        if not marks:
            shown.append(_form(sign))
        elif not shown:
            shown += [_BEARER, sign]  # it would sit on whatever stands before
        elif marks <= MAX_MARKS:
            shown.append(sign)
        elif marks == MAX_MARKS + 1:
            shown.append(_MORE)
    return "".join(shown)


def chooses_form(sign: str) -> bool:
    """Tell whether a character only chooses the form of the one before: terminals disagree how wide that is then."""
    return "\ufe00" <= sign <= "\ufe0f" or "\U000e0100" <= sign <= "\U000e01ef"


def _form(sign: str) -> str:
    number = ord(sign)
    if number < ord(" "):
        return chr(_PICTURES + number)
    if number == _DELETE:
        return _DELETE_PICTURE
    if sign.isprintable() and sign not in FORMLESS:
        return sign
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
