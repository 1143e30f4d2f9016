"""Pages in a real browser: what goes wrong when they are opened, and what does not fit."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

#: As wide as a small phone, and as a desktop.
WIDTHS = (360, 1280)

#: What sticks out, as sentences. A box with the class wide scrolls by itself: what is in it may be
#: wider than the page, and the box may not.
FIND_FAULTS = """() => {
  const faults = [];
  const width = document.documentElement.clientWidth;
  const name = (node) => `${node.tagName} ${(node.textContent || "").trim().slice(0, 40)}`;
  if (document.documentElement.scrollWidth > width) faults.push("the page scrolls sideways");
  for (const node of document.querySelectorAll("body *")) {
    const box = node.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    const scroller = node.closest(".wide");
    if ((!scroller || scroller === node) && !node.closest("svg")) {
      if (box.left < 0 || box.right > width + 0.5) faults.push(`sticks out: ${name(node)}`);
    }
    const ofText = "TD TH BUTTON P LI DD DT PRE SUMMARY FIGCAPTION H1 H2 H3".split(" ");
    if (ofText.includes(node.tagName) && node.scrollWidth > node.clientWidth + 1) {
      faults.push(`is cut off: ${name(node)}`);
    }
  }
  const overlap = (one, other) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  // Blocks of the page come one below the other.
  for (const parent of document.querySelectorAll("main, section, figure, details[open]")) {
    const boxes = [...parent.children].map((node) => [node, node.getBoundingClientRect()])
      .filter(([, box]) => box.width && box.height);
    for (let i = 1; i < boxes.length; i++) {
      if (overlap(boxes[i - 1][1], boxes[i][1])) faults.push(`overlaps: ${name(boxes[i][0])}`);
    }
  }
  // Words in pictures: none over another, none outside.
  for (const svg of document.querySelectorAll("svg")) {
    const frame = svg.getBoundingClientRect();
    const words = [...svg.querySelectorAll("g[id*='text_']")]
      .map((node) => node.getBoundingClientRect())
      .filter((box) => box.width && box.height);
    const label = svg.getAttribute("aria-label").slice(0, 40);
    if (!words.length) faults.push(`no words: ${label}`);
    words.forEach((box, i) => {
      if (box.left < frame.left - 1 || box.right > frame.right + 1 ||
          box.top < frame.top - 1 || box.bottom > frame.bottom + 1) {
        faults.push(`words ${i} stick out of the picture: ${label}`);
      }
      for (let k = 0; k < i; k++) {
        if (overlap(words[k], box)) faults.push(`words ${k} and ${i} overlap: ${label}`);
      }
    });
  }
  return faults;
}"""


@contextmanager
def open_browser() -> Iterator[Any]:
    """Debian's chromium, driven by Playwright; the test is skipped where one of them is missing."""
    api = pytest.importorskip(
        "playwright.sync_api", reason="pages are looked at with the extra browser (playwright)"
    )
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("pages are looked at with chromium: apt-get install chromium")
    options = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=options)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def open_page(browser: Any, path: Path, width: int, script: bool = True) -> Iterator[Any]:
    """A page from a file, in a window of a width; fails if anything goes wrong with it.

    What it prints to the console, what it throws, and what it loads besides itself are faults.
    """
    context = browser.new_context(
        viewport={"width": width, "height": 800}, java_script_enabled=script
    )
    faults: list[str] = []
    page = context.new_page()
    page.on("console", lambda message: faults.append(f"console: {message.text}"))
    page.on("pageerror", lambda error: faults.append(f"error: {error}"))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(path.as_uri())
    try:
        yield page
    finally:
        context.close()
    assert faults == []
    assert asked == [path.as_uri()]


def find_faults(page: Any) -> list[str]:
    """What does not fit, with all that can be unfolded unfolded."""
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    found: list[str] = page.evaluate(FIND_FAULTS)
    return found
