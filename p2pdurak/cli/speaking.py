"""In which language a command speaks: the one asked for, else the one set in the profile's console, else the locale's.

What is only for a person is told in it; what programs read besides, such as names of events and reasons, is English.
"""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from p2pdurak.cli.terminal import knows_unicode
from p2pdurak.errors import StorageError
from p2pdurak.net.storage import read_whole
from p2pdurak.ui.console.settings import FILE_NAME, Settings, decode_settings
from p2pdurak.ui.language import LANGUAGES, catalogue, preferred, system_locale

if TYPE_CHECKING:
    import argparse
    from gettext import NullTranslations

    from p2pdurak.net.profile import Profile


def add_language(parser: argparse.ArgumentParser, default: str | None = None) -> None:
    """Ask for the language; ``default`` is as for ``add_argument``."""
    parser.add_argument(
        "--lang", choices=LANGUAGES, default=default, help="the language of the text (default: your locale's)"
    )


def load_settings(profile: Profile, language: str | None = None) -> Settings:
    """Return the settings kept in the profile; those of the locale and the terminal where there are none.

    A ``language`` that was asked for comes before both.
    """
    settings = Settings(language=preferred(os.environ, system_locale()), ascii_only=not knows_unicode())
    path = profile.folder / FILE_NAME
    with suppress(StorageError):
        if path.exists():
            settings = decode_settings(read_whole(path), settings)
    return replace(settings, language=language or settings.language)


def language_of(args: argparse.Namespace) -> str:
    """Return the language that was asked for, or else the locale's."""
    asked: str | None = args.lang
    return asked or preferred(os.environ, system_locale())


def language_in(say: NullTranslations) -> str:
    """Return the language of a catalogue."""
    return say.info().get("language", LANGUAGES[0])


def spoken(args: argparse.Namespace, profile: Profile | None = None) -> NullTranslations:
    """Return the catalogue to speak from; ``profile`` is that of the person at the terminal, if there is one."""
    return catalogue(language_of(args) if profile is None else load_settings(profile, args.lang).language)
