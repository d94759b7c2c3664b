"""Every screen in both sizes and both themes: no fault of accessibility, nothing wider than the screen, a picture."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal, TypeAlias

import pytest

from browser.audit import faults_of, has_sideways_scroll
from browser.conftest import DESKTOP, PHONE, ROOT
from browser.gallery import SCENES, Scene
from browser.playing import Seated
from browser.prepared import Shelved

Theme: TypeAlias = Literal["light", "dark"]
PICTURES: Final = ROOT / "artifacts" / "screens"
THEMES: Final[tuple[Theme, ...]] = ("light", "dark")
SIZES: Final = {"phone": PHONE, "desktop": DESKTOP}


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_a_screen(
    scene: Scene, guest: Callable[..., Seated], tables: dict[str, Shelved]
) -> None:
    for size, viewport in SIZES.items():
        person = guest(viewport=viewport)
        page = person.page
        come_to(person, scene, tables)
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            page.screenshot(
                path=picture(scene.name, size, theme),
                full_page=scene.is_whole,
                animations="disabled",
            )
            assert faults_of(page) == [], (size, theme)
        assert not has_sideways_scroll(page), size
        page.close()


def come_to(person: Seated, scene: Scene, tables: dict[str, Shelved]) -> None:
    """Bring a browser to a state."""
    table = tables.get(scene.table)
    path = scene.path
    if table is not None:
        person.table_id = table.table_id
        path = path.format(id=table.table_id, code=table.invite, token=table.recovery)
        for seat in (0, 1) if scene.table == "local" else (scene.seat,):
            if seat is not None:
                person.hold(table, seat)
    if scene.name == "home-games":
        for name in ("start", "theirs", "receipt", "end", "offer", "six", "local"):
            person.hold(tables[name], 0)
        person.hold(tables["local"], 1)
    person.go(path)
    scene.reach(person)
    person.page.wait_for_selector(scene.wait, state="attached")
    if person.page.locator("aside .log").count():
        person.page.wait_for_selector("aside .log .round", state="attached")


def picture(name: str, size: str, theme: str) -> Path:
    PICTURES.mkdir(parents=True, exist_ok=True)
    return PICTURES / f"{name}-{size}-{theme}.png"
