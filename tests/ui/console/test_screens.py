"""The screens before and after a game, without a terminal: keys in, choices and text out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from p2pdurak.cards import cards_in
from p2pdurak.crypto.identity import fingerprint_words
from p2pdurak.errors import NotationError
from p2pdurak.game.ruleset import DEFAULT, PRESETS, ruleset
from p2pdurak.session.events import Played
from p2pdurak.ui.console.canvas import Canvas, shortened, width_of
from p2pdurak.ui.console.chat_screen import ChatScreen
from p2pdurak.ui.console.choices import Choice, Join, OpenNew, OpenTable, PlayBots, Quit
from p2pdurak.ui.console.conversation import Conversation
from p2pdurak.ui.console.help_screen import HelpScreen, SettingsScreen
from p2pdurak.ui.console.invite_screen import Invitation
from p2pdurak.ui.console.lobby_screen import LobbyScreen, Met
from p2pdurak.ui.console.new_table_screen import NewTableScreen, Plan
from p2pdurak.ui.console.replaying import read_replay
from p2pdurak.ui.console.screen import Screen, wrapped
from p2pdurak.ui.console.settings import CardSize, Colours, Settings, decode_settings, encode_settings
from p2pdurak.ui.console.start_screen import StartScreen
from p2pdurak.wire.talk import Place
from p2pdurak.wire.terms import Terms
from tests.helpers import Table, eager, make_genesis, signing_key

RUSSIAN = Settings(language="ru")
KEYS = [signing_key(seat).public for seat in range(6)]


def text(screen: Screen, columns: int = 80, rows: int = 24) -> str:
    painted = screen.canvas(columns, rows, 0.0).text()
    assert all(width_of(line) <= columns for line in painted.splitlines())
    return painted


def type_into(screen: Screen, words: str) -> None:
    for sign in words:
        assert screen.typed(sign)


class Started:
    """A start screen, and what was chosen on it."""

    def __init__(self, settings: Settings | None = None, *tables: OpenTable) -> None:
        self.choices: list[Choice] = []
        self.names: list[str] = []
        self.screen = StartScreen(
            settings or Settings(), "player-1", "acid actor", chosen=self.choices.append, named=self.names.append
        )
        self.screen.tables = {table.key: table for table in tables}


def open_table(number: int, *, code: bool = False) -> OpenTable:
    return OpenTable(
        KEYS[number],
        f"127.0.0.1:{47800 + number}",
        f"table {number}",
        "Anna",
        PRESETS["albanian"],
        36,
        4,
        2,
        False,
        code,
        ("Anna",),
    )


@pytest.mark.parametrize(("key", "choice"), [("b", PlayBots()), ("n", OpenNew()), ("q", Quit()), ("quit", Quit())])
def test_commands_of_the_start_screen(key: str, choice: Choice) -> None:
    start = Started()
    assert "None yet." in text(start.screen)
    start.screen.press(key)
    assert start.choices == [choice]


def test_tables_are_chosen_by_number_or_by_arrows_and_watched() -> None:
    start = Started(None, open_table(0), open_table(1), open_table(2, code=True))
    assert "table 1" in text(start.screen)
    for keys in (["2"], ["down", "enter"], ["w"], ["9"], ["up", "up", "enter"]):
        for key in keys:
            start.screen.press(key)
    second = Join("127.0.0.1:47801", key=KEYS[1])
    assert start.choices == [second, second, replace(second, watch=True), Join("127.0.0.1:47800", key=KEYS[0])]
    start.screen.press("3")
    assert "Code of the table" in text(start.screen)
    type_into(start.screen, "red-fox-12")
    start.screen.press("enter")
    assert start.choices[-1] == Join("127.0.0.1:47802", "red-fox-12", KEYS[2])


def test_the_choice_stays_with_its_table_while_others_come_and_go() -> None:
    start = Started(None, open_table(0), open_table(1))
    start.screen.press("down")
    del start.screen.tables[KEYS[0]]
    start.screen.tables[KEYS[2]] = open_table(2)
    start.screen.tables[KEYS[0]] = open_table(0)
    assert "▸1 table 1" in text(start.screen)
    start.screen.tables = {KEYS[2]: open_table(2), **start.screen.tables}
    start.screen.press("enter")
    assert start.choices == [Join("127.0.0.1:47801", key=KEYS[1])]
    del start.screen.tables[KEYS[1]]
    assert "▸2 table 0" in text(start.screen)


def test_a_table_with_a_code_is_not_gone_to_without_one() -> None:
    start = Started(None, open_table(2, code=True))
    for key in ("1", "enter"):
        start.screen.press(key)
    assert "This table has a code" in text(start.screen)
    assert start.choices == []
    assert "code needed · 2/4 · " in text(start.screen, 60, 20), "what matters most stays in a narrow window"


def test_going_to_an_address_or_by_an_invite() -> None:
    start = Started()
    start.screen.press("j")
    type_into(start.screen, "10.0.0.9:47800x")
    start.screen.press("backspace")
    start.screen.press("enter")
    start.screen.press("enter")
    start.screen.press("j")
    type_into(start.screen, "p2pdurak:abc")
    start.screen.press("enter")
    assert start.choices == [Join("10.0.0.9:47800"), Join("p2pdurak:abc")]


def test_a_name_is_changed_if_it_can_be_one() -> None:
    start = Started()
    start.screen.press("a")
    start.screen.press("empty")
    start.screen.press("enter")
    assert "A nickname must have" in text(start.screen)
    type_into(start.screen, "Анна")
    start.screen.press("enter")
    assert start.names == ["Анна"]
    assert "Анна" in text(start.screen)
    start.screen.press("a")
    start.screen.press("escape")
    assert start.choices == []


def test_the_start_screen_speaks_russian_and_shows_both_letters() -> None:
    painted = text(Started(RUSSIAN, open_table(0)).screen)
    assert "Столы в этой сети" in painted
    assert "N/Т открыть новый стол" in painted


def new_table(settings: Settings | None = None) -> tuple[NewTableScreen, list[Plan | None]]:
    plans: list[Plan | None] = []
    return (
        NewTableScreen(settings or Settings(), "Anna's", opened=plans.append, back=lambda: plans.append(None)),
        plans,
    )


def test_a_new_table_is_described_line_by_line() -> None:
    screen, plans = new_table()
    type_into(screen, " kitchen")
    for changes in (["right"], ["right"], ["right", "right"], ["right"], ["left"], ["right"]):
        for key in ("down", *changes):
            screen.press(key)
    assert "as perevodnoy" not in text(screen)
    screen.press("enter")
    plan = plans[0]
    assert plan is not None
    names = tuple(PRESETS)
    rules = PRESETS[names[(names.index(DEFAULT.name) + 1) % len(names)]]
    assert plan == Plan(Terms("Anna's kitchen", rules, 52, 6, games=10, code=True), bots=1)
    screen.press("escape")
    assert plans[-1] is None


def test_names_of_options_are_whole_where_there_is_room() -> None:
    screen, _ = new_table()
    screen.press("up")
    painted = screen.canvas(100, 40, 0.0).text()
    assert "whether attacks are transferred in the first bout of a game" in painted


@pytest.mark.parametrize("settings", [Settings(), RUSSIAN])
@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 24)])
def test_a_new_table_shows_all_keys_that_the_list_goes_on_and_all_that_an_option_means(
    settings: Settings, columns: int, rows: int
) -> None:
    screen, _ = new_table(settings)
    for at in range(22):
        painted = text(screen, columns, rows)
        flat = " ".join(painted.split())
        assert f"Esc {screen.say.gettext('back')}" in painted
        assert screen._meaning() in flat
        assert "▸ " in painted
        assert at > 0 or "↓ " in painted.splitlines()[rows - 5]
        assert at < 21 or "↑ " in painted.splitlines()[1]
        screen.press("down")


def go_to(screen: Screen, line: str) -> None:
    """Press the arrow until this line is chosen."""
    for _ in range(40):
        if f"▸ {line}" in text(screen):
            return
        screen.press("down")
    raise AssertionError(text(screen))


def test_single_rules_are_changed_and_contradictions_explained() -> None:
    screen, plans = new_table()
    screen.press("up")  # the last option
    screen.press("right")
    assert "perevodnoy-2 with 1 change" not in text(screen), "far above"
    screen.press("enter")
    assert plans[0] is not None
    assert plans[0].terms.rules.title == "perevodnoy-2, next_lead=from-under"
    screen.press("down")
    screen.press("down")
    assert "perevodnoy-2 with 1 change" in text(screen)
    screen.rules = PRESETS["podkidnoy"]
    go_to(screen, "who throws in")
    screen.press("left")
    assert "With throwers=none nobody can throw in after a take" in text(screen)
    screen.rules = ruleset("perevodnoy-2", {"bout_cap": "1"})
    screen.press("up")
    screen.press("down")
    assert "This has no effect here, since a bout has only one attack card." in text(screen)


class Gathered:
    """A lobby, and what was wanted there."""

    def __init__(self, settings: Settings | None = None, *, opens: bool = True) -> None:
        self.wishes: list[object] = []
        self.screen = LobbyScreen(
            settings or Settings(),
            KEYS[0],
            words=fingerprint_words,
            ready=self.wishes.append,
            start=(lambda: self.wishes.append("start")) if opens else None,
            leave=lambda: self.wishes.append("leave"),
        )
        self.screen.terms = Terms("kitchen", DEFAULT, 36, 4)
        self.screen.places = (Place(KEYS[0], "Anna", "", 1), Place(KEYS[1], "Boris", "10.0.0.2", 1, True))
        self.screen.met = {KEYS[1]: Met("known", day="2026-01-02")}


def test_a_lobby_tells_who_sits_there_and_takes_wishes() -> None:
    lobby = Gathered()
    painted = text(lobby.screen)
    assert fingerprint_words(KEYS[1]) in painted
    assert "met before, last on 2026-01-02" in painted
    assert "Are you ready to play?" in painted
    for key in ("enter", "s", "escape", "q", "escape", "z"):
        lobby.screen.press(key)
    assert lobby.wishes == [True, "start"]
    lobby.screen.press("q")
    assert "Leave the table?" in text(lobby.screen)
    lobby.screen.press("q")
    assert lobby.wishes == [True, "start", "leave"]
    lobby.screen.places = (replace(lobby.screen.places[0], ready=True), lobby.screen.places[1])
    lobby.screen.press("enter")
    assert lobby.wishes[-1] is False


def test_only_bots_that_are_not_there_yet_are_waited_for() -> None:
    lobby = Gathered()
    lobby.screen.bots = 2
    lobby.screen.places = tuple(replace(place, ready=True) for place in lobby.screen.places)
    assert "2 bots are coming" in text(lobby.screen)
    lobby.screen.met = {KEYS[1]: Met("bot")}
    assert "1 bot is coming" in text(lobby.screen)
    lobby.screen.bots = 1
    assert "Waiting for more players" in text(lobby.screen)


@pytest.mark.parametrize("settings", [Settings(), RUSSIAN])
@pytest.mark.parametrize(("columns", "rows"), [(60, 20), (80, 24)])
def test_settings_are_whole_in_every_size(settings: Settings, columns: int, rows: int) -> None:
    screen = SettingsScreen(settings, lambda _: None, lambda: None)
    painted = text(screen, columns, rows)
    say = screen.say
    for words in ("Pass by itself when nothing could be thrown in", "as the window allows", "four: ♣ ♦ ♥ ♠"):
        assert f" {say.gettext(words)}" in painted


@pytest.mark.parametrize("settings", [Settings(), RUSSIAN])
def test_large_cards_without_room_for_them_say_so(settings: Settings) -> None:
    screen = SettingsScreen(replace(settings, size=CardSize.LARGE), lambda _: None, lambda: None)
    said = screen.say.gettext("This window has no room for large cards: they take {columns} columns by {rows} rows.")
    said = said.format(columns=100, rows=34)
    for size in ((60, 20), (80, 24)):
        assert said in " ".join(text(screen, *size).split())
        assert screen.say.gettext("Mouse") in text(screen, *size)
    assert said not in " ".join(text(screen, 100, 34).split())
    screen.settings = settings
    assert said not in " ".join(text(screen).split())


def test_help_tells_first_of_the_keys_of_the_screen_that_it_is_asked_on() -> None:
    conversation = Conversation(KEYS[0], lambda _: None)
    first = {
        Started().screen: "B  a game with three bots",
        new_table()[0]: "↑ ↓  to another line; below",
        Gathered().screen: "Enter  you are ready to play",
        SettingsScreen(Settings(), lambda _: None, lambda: None): "↑ ↓  to another line      ← →",
        ChatScreen(Settings(), conversation, lambda: None): "↑ ↓  to what was said before",
    }
    for screen, words in first.items():
        lines = text(HelpScreen(Settings(), screen, None, lambda: None), 120, 40).splitlines()
        assert lines[1].strip().startswith(words)
    assert "S  begin although" in text(HelpScreen(Settings(), Gathered().screen, None, lambda: None))
    assert "begin although" not in text(HelpScreen(Settings(), Gathered(opens=False).screen, None, lambda: None))


def test_a_namesake_is_warned_of_in_both_languages() -> None:
    for settings, word in ((Settings(), "BEWARE"), (RUSSIAN, "ВНИМАНИЕ")):
        lobby = Gathered(settings, opens=False)
        lobby.screen.met = {KEYS[1]: Met("namesake", name="Boris")}
        assert word in text(lobby.screen)
        lobby.screen.press("s")
        assert lobby.wishes == []


def test_an_invite_can_be_read_whole_in_every_size() -> None:
    lobby = Gathered()
    invite = "p2pdurak:" + "abcdefghij" * 14
    lobby.screen.invitation = Invitation("", ("192.168.1.7:47800",), invite)
    for columns, rows in ((80, 24), (120, 40)):
        assert invite in text(lobby.screen, columns, rows).replace("\n ", "")


def test_names_of_strangers_are_drawn_and_not_obeyed() -> None:
    canvas = Canvas(20, 1)
    canvas.put(0, 0, "a\x1b[2Jb\u202e\u0000c\u0301")
    assert canvas.text() == "a[2Jbc\u0301\n"
    canvas.put(0, 0, "界界x")
    assert canvas.text().startswith("界界x")
    assert next(canvas.runs(0)).text.startswith("界界x")
    assert shortened("界界界", 5) == "界界…"
    assert wrapped("one two three", 7) == ["one two", "three"]
    assert wrapped("a /home/anna/game", 7) == ["a", "/home/a", "nna/gam", "e"]


def test_settings_come_back_and_nonsense_counts_as_not_set() -> None:
    settings = Settings("Анна", "ru", Colours.NONE, CardSize.LARGE, ascii_only=True, auto_pass=False, mouse=False)
    assert decode_settings(encode_settings(settings), Settings()) == settings
    for data in (b"", b"[]", b"\xff", b'{"language": "xx", "size": 5, "mouse": "no", "name": "\\u0007"}', b"[" * 9999):
        assert decode_settings(data, settings) == settings


def test_a_replay_opens_all_hands_and_ends_as_the_game_did() -> None:
    table = Table(make_genesis(3, seed=4), seed=4, choose=lambda _: eager)
    dealt: list[tuple[int, ...]] = []

    def look(_: Table) -> bool:
        if not dealt and table.sessions[0].state.game is not None and table.sessions[0].state.game.bouts == 0:
            dealt.extend(tuple(sorted(session.hand())) for session in table.sessions)
        return False

    table.run(until=look)
    replay = read_replay(table.sessions[1].transcript())
    assert replay.open_hands
    assert [cards_in(hand.known) for hand in replay.moments[0].game.hands] == dealt
    played = [event for moment in replay.moments for event in moment.events if isinstance(event, Played)]
    assert played == [event for event in table.events[0] if isinstance(event, Played)]
    assert replay.table(len(replay.moments) - 1).outcome is not None
    with pytest.raises(NotationError):
        read_replay(table.sessions[1].transcript()[:5000])


def test_closed_books_keep_the_hands_closed() -> None:
    table = Table(make_genesis(2, seed=4, open_books=False), seed=4, choose=lambda _: eager).run()
    replay = read_replay(table.sessions[0].transcript())
    assert not replay.open_hands
    assert all(hand.known == hand.public for moment in replay.moments for hand in moment.game.hands)
