"""Directives for pages: what an example of the gallery drew, and cards that lead to pages.

Nothing is kept twice: the gallery runs first, and pages show the pictures and players that its examples left.
"""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from examples import PLAYERS
from sphinx.addnodes import pending_xref
from sphinx.util.docutils import SphinxDirective


def picture_of(source: Path, example: str, number: int = 1) -> Path:
    """The picture of that number that an example drew, below the sources."""
    name = f"sphx_glr_{example}_{number:03d}.png"
    found = sorted(source.glob(f"gallery/*/images/{name}"))
    if not found:
        raise FileNotFoundError(f"no example of the gallery drew {name}")
    return found[0]


def page_of(source: Path, example: str) -> str:
    """The page of an example, as links name it."""
    return f"gallery/{picture_of(source, example).parent.parent.name}/{example}"


def player_frame(docname: str, player: str, title: str) -> nodes.raw:
    """A player, in a frame that is loaded when it comes into view."""
    if not (PLAYERS / "players" / player).is_file():
        raise FileNotFoundError(f"no example of the gallery left the player {player}")
    address = "../" * docname.count("/") + f"players/{player}"
    html = f'<iframe class="player" loading="lazy" title="{title}" src="{address}"></iframe>'
    return nodes.raw("", html, format="html")


class Shown(SphinxDirective):
    """`{shown} 26_muscles`: what an example drew, or with `:player:` a player of it; the content is a caption."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar = {"picture": directives.positive_int, "player": directives.unchanged_required}

    def run(self) -> list[nodes.Node]:
        example, source = self.arguments[0], Path(self.env.srcdir)
        words = " ".join(self.content)
        try:
            if "player" in self.options:
                body = player_frame(self.env.docname, self.options["player"], words)
            else:
                path = picture_of(source, example, self.options.get("picture", 1))
                body = nodes.image(uri=f"/{path.relative_to(source).as_posix()}", alt=words)
            page = page_of(source, example)
        except FileNotFoundError as error:
            raise self.error(str(error)) from None
        caption = nodes.paragraph("", "", classes=["caption"])
        caption += self.parse_inline(words + " ")[0]
        caption += page_link(self.env.docname, page, f"How it is made: {example}.py")
        return [nodes.container("", body, caption, classes=["shown"])]


class Card(SphinxDirective):
    """`{card} fitting`: a picture, a title that leads to the page, and a sentence; stands in `{cards}`."""

    required_arguments = 1
    has_content = True
    option_spec: ClassVar = {
        "title": directives.unchanged_required,
        "example": directives.unchanged_required,
        "picture": directives.positive_int,
    }

    def run(self) -> list[nodes.Node]:
        source = Path(self.env.srcdir)
        try:
            path = picture_of(source, self.options["example"], self.options.get("picture", 1))
        except FileNotFoundError as error:
            raise self.error(str(error)) from None
        thumb = path.with_name("thumb") / path.name.replace("_001.png", "_thumb.png")
        path = thumb if thumb.is_file() else path
        title = nodes.paragraph("", "", classes=["card-title"])
        title += page_link(self.env.docname, self.arguments[0], self.options["title"])
        card = nodes.container(classes=["card"])
        card += nodes.image(uri=f"/{path.relative_to(source).as_posix()}", alt=self.options["title"])
        card += title
        self.state.nested_parse(self.content, self.content_offset, card)
        return [card]


class Cards(SphinxDirective):
    """`{cards}`: cards beside each other, as many as fit."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        cards = nodes.container(classes=["cards"])
        self.state.nested_parse(self.content, self.content_offset, cards)
        return [cards]


def page_link(docname: str, page: str, words: str) -> pending_xref:
    """A link to a page of the site, which must be there."""
    link = pending_xref(
        "", refdoc=docname, refdomain="std", reftype="doc", reftarget=f"/{page}", refexplicit=True, refwarn=True
    )
    link += nodes.inline("", words)
    return link


def setup(app) -> dict:
    app.add_directive("shown", Shown)
    app.add_directive("card", Card)
    app.add_directive("cards", Cards)
    return {"parallel_read_safe": True}
