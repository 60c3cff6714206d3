"""report_browser.py WARPLENS - does the page work in a browser: no complaints, everything reached and worked
by keyboard, text that can be read in both themes, nothing wider than a small screen?

Without Chromium this fails where CI is set, and is skipped elsewhere (status 77).
"""
import os
import subprocess
import sys
import tempfile

from browser import Browser

warplens = os.path.abspath(sys.argv[1])
failures = []

# Texts whose contrast with what lies behind them is below 4.5, 3 when they are large (WCAG 2.1, 1.4.3). Texts in
# pictures stand on other shapes: those are checked by class, in test_svg.c.
UNREADABLE = r"""(() => {
  const rgb = c => { const m = c.match(/[\d.]+/g).map(Number); return m.length < 4 ? [...m, 1] : m; };
  const lum = c => { const f = c.slice(0, 3).map(v => (v /= 255) <= 0.03928 ? v / 12.92
    : Math.pow((v + 0.055) / 1.055, 2.4)); return 0.2126 * f[0] + 0.7152 * f[1] + 0.0722 * f[2]; };
  const ground = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor);
    if (c[3] === 1) return c; } return [255, 255, 255]; };
  const bad = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let n = walk.nextNode(); n; n = walk.nextNode()) {
    const e = n.parentElement;
    if (!n.nodeValue.trim() || e.closest('svg,script,style')) continue;
    const s = getComputedStyle(e), a = lum(rgb(s.color)), b = lum(ground(e));
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(s.fontSize), large = size >= 24 || (size >= 18.66 && s.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) bad.push(n.nodeValue.trim().slice(0, 40) + ' ' + ratio.toFixed(2));
  }
  return bad;
})()"""


def check(fine, what):
    if not fine:
        failures.append(what)


# What can be worked: all of it must get the focus by Tab, in the order of the page.
CONTROLS = """[...document.querySelectorAll('a[href],button,summary,[tabindex="0"]')]
    .filter(e => e.checkVisibility()).length"""


def check_keyboard(browser):
    count = browser.run(CONTROLS)
    check(count > 10, "there are only %d controls" % count)
    seen = set()
    browser.key("Tab", 9)
    check(browser.run("document.activeElement.className") == "skip", "the first stop is not the skip link")
    for _ in range(count + 5):
        name = browser.run("""(e => e.id || e.tagName + [...document.querySelectorAll(e.tagName)].indexOf(e))
            (document.activeElement)""")
        if name in seen:
            break
        if not name.startswith("BODY"):
            seen.add(name)
        outline = browser.run("getComputedStyle(document.activeElement).outlineStyle")
        check(outline != "none" or name.startswith("BODY"), "no mark of focus on " + name)
        browser.key("Tab", 9)
    check(len(seen) == count, "%d of %d controls get the focus by Tab" % (len(seen), count))


def check_toggle(browser):
    before = browser.run("getComputedStyle(document.documentElement).backgroundColor")
    browser.run("document.getElementById('theme').focus()")
    browser.key("Enter", 13, "\r")
    after = browser.run("getComputedStyle(document.documentElement).backgroundColor")
    check(before != after, "Enter on the button does not change the theme")
    check(browser.run(UNREADABLE) == [], "unreadable after the change of theme: %s" % browser.run(UNREADABLE))


def check_details(browser):
    browser.run("document.querySelector('details:not([open])>summary').focus()")
    browser.key("Enter", 13, "\r")
    check(browser.run("document.activeElement.parentElement.open"), "Enter does not open details")
    browser.run("dispatchEvent(new Event('beforeprint'))")
    check(browser.run("document.querySelectorAll('details:not([open])').length") == 0, "closed on paper")


def check_page(browser, path):
    for dark in (False, True):
        browser.theme("dark" if dark else "light")
        browser.open(path)
        check(browser.run(UNREADABLE) == [], "unreadable, dark=%s: %s" % (dark, browser.run(UNREADABLE)))
        check(browser.complaints() == [], "the console: %s" % browser.complaints())
    check_keyboard(browser)
    check_toggle(browser)
    check_details(browser)
    browser.size(360, 800)
    browser.open(path)
    check(browser.run("document.documentElement.scrollWidth") <= 360, "wider than a small screen")
    browser.send("Emulation.setScriptExecutionDisabled", value=True)
    browser.open(path)
    check(browser.run("document.querySelectorAll('svg').length") > 5, "no pictures without scripts")


# The figures of a change can be read on a phone without moving the table: its cells, as far as the time.
IN_VIEW = """Math.max(...[...document.querySelectorAll('[id$=-advice] td:nth-child(4)')]
    .map(e => e.getBoundingClientRect().right))"""


def check_advice(browser, path):
    browser.send("Emulation.setScriptExecutionDisabled", value=False)
    browser.size(360, 800)
    browser.open(path)
    check(0 < browser.run(IN_VIEW) <= 360, "what a change saves lies %s of 360 pixels to the right" % browser.run(IN_VIEW))
    summary = "document.querySelector('[id$=-advice] details>summary')"
    browser.run(summary + ".focus()")
    browser.key("Enter", 13, "\r")
    check(browser.run(summary + ".parentElement.querySelector('dd').checkVisibility()"), "the reason does not unfold")


if Browser.find() is None:
    print("there is no Chromium")
    sys.exit(1 if os.environ.get("CI") else 77)
with tempfile.TemporaryDirectory() as folder, Browser() as browser:
    browser.size(1200, 900)
    page = folder + "/report.html"
    subprocess.run([warplens, "run", "transposeCoalesced", "-p", "width=256", "-p", "height=256", "--gpu",
                    "gtx280,h200", "--format", "html", "-o", page], check=True)
    check_page(browser, page)
    check_advice(browser, page)
print("\n".join(failures) or "fine")
sys.exit(bool(failures))
