"""One line of text being typed."""

from __future__ import annotations


class Field:
    """A text of at most ``limit`` characters; it is typed and pasted at its end."""

    def __init__(self, text: str = "", limit: int = 40) -> None:
        self.text = text
        self._limit = limit

    def type(self, text: str) -> None:
        """Add what is printable; line ends, where a paste was broken, count for nothing."""
        self.text = (self.text + "".join(sign for sign in text if sign.isprintable()))[: self._limit]

    def press(self, key: str) -> bool:
        """Take away the last character, the last word or everything; return whether the key means that."""
        match key:
            case "backspace" | "delete":
                self.text = self.text[:-1]
            case "word":
                words = self.text.rstrip()
                self.text = words[: words.rfind(" ") + 1]
            case "empty":
                self.text = ""
            case _:
                return False
        return True
