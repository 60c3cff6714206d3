"""screenshot.py FILE.png WIDTHxHEIGHT THEME PAGE [#FRAGMENT] - photographs a page; THEME is light or dark."""
import base64
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'tests'))
from browser import Browser  # noqa: E402


def main():
    target, size, theme, page, fragment = (sys.argv[1:] + [''])[:5]
    width, height = (int(part) for part in size.split('x'))
    if Browser.find() is None:
        sys.exit('screenshot.py: chromium is not installed')
    with Browser() as browser:
        browser.size(width, height, scale=2 if width < 500 else 1, mobile=width < 500)
        browser.theme(theme)
        browser.open(page, fragment)
        picture = browser.send('Page.captureScreenshot', format='png')['data']
    with open(target, 'wb') as out:
        out.write(base64.b64decode(picture))


main()
