"""Every screen in both sizes and both themes: no fault of accessibility, nothing told by color alone, nothing wider than the screen, a picture."""

from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal, TypeAlias

import pytest

from browser.audit import faults_of, told_by_color, too_wide
from browser.conftest import DESKTOP, PHONE, ROOT
from browser.gallery import SCENES, Scene, come_to
from browser.playing import Seated
from browser.prepared import Shelved

Theme: TypeAlias = Literal["light", "dark"]
PICTURES: Final = ROOT / "artifacts" / "screens"
THEMES: Final[tuple[Theme, ...]] = ("light", "dark")
SIZES: Final = {"phone": PHONE, "desktop": DESKTOP}


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_a_screen(scene: Scene, guest: Callable[..., Seated], tables: dict[str, Shelved]) -> None:
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
            assert told_by_color(page) == [], (size, theme)
        assert too_wide(page) == [], size
        page.close()


def picture(name: str, size: str, theme: str) -> Path:
    PICTURES.mkdir(parents=True, exist_ok=True)
    return PICTURES / f"{name}-{size}-{theme}.png"
