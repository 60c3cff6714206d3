"""nasty_names.py WARPLENS - whatever the names of a trace hold: does every form of output stay what a strict parser
takes, and what a terminal shows without obeying it?"""
import concurrent.futures
import csv
import html.parser
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

warplens = os.path.abspath(sys.argv[1])
folder = tempfile.TemporaryDirectory()
failures = []

# Bytes as a text trace writes them, and as reports show them.
NAMES = {
    "separators": (r'a,b\"c;d\ne\x0df\tg', r'a,b"c;d\x0ae\x0df\x09g'),
    "markup": ("<blink>&amp;'</script>]]>", "<blink>&amp;'</script>]]>"),
    "controls": (r"\x1b]0;t\x07\x1b[31mred\x7f\xc2\x9b31m\x01", r"\x1b]0;t\x07\x1b[31mred\x7f\xc2\x9b31m\x01"),
    "no UTF-8": (r"\xff\xfe\xc0\xaf\xe9t\xe2\x82", r"\xff\xfe\xc0\xaf\xe9t\xe2\x82"),
    "no characters": (r"\xef\xbf\xbe\xef\xbf\xbf\xed\xa0\x80", r"\xef\xbf\xbe\xef\xbf\xbf\xed\xa0\x80"),
    "plain": (r"gr\xc3\xb6\xc3\x9fe\xf0\x9f\x98\x80", "gr\u00f6\u00dfe\U0001f600"),
    "backslash": (r"a\\b%s%n", r"a\b%s%n"),
    # Forms cut it; in the middle of a character, one of these three times.
    "long": ("x" + r"\xe2\x82\xac" * 1000, "x" + "\u20ac" * 1000),
    "long, cut elsewhere": ("xy" + r"\xe2\x82\xac" * 1000, "xy" + "\u20ac" * 1000),
    "long, cut elsewhere again": ("xyz" + r"\xe2\x82\xac" * 1000, "xyz" + "\u20ac" * 1000),
}
TRACE = """warplens text trace 1
note kernel "{0}"
note summary "{0}"
note compiler "{0}"
note "param.p{1}" "{0}"
array "{0}" bytes=8192 base=0x100000
launch "{0}" grid=2 block=64
site 0 ld.global.b32 file="{0}" line=7 array="{0}"
site 1 st.global.b32 file="{0}" line=8 array="{0}"
site 2 ld.shared.b32 file="{0}" line=9 array="{0}"
  all warps
  @0 ld.global.b32 base=0x100000 stride=8
  @1 st.global.b32 base=0x100000 stride=8
  @2 ld.shared.b32 base=0 stride=8
  end
launch other grid=1 block=32
  all warps
  @0 ld.global.b32 base=0x100000
  end
"""
FIGURES = "lines arrays access banks partitions flow limits timeline gpus".split()
# What a terminal may obey, and what is no text.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def check(fine, what):
    if not fine:
        failures.append(what)


def run(*words, statuses=(0,)):
    done = subprocess.run([warplens, *words], cwd=folder.name, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    check(done.returncode in statuses, "%s: exit status %d: %r" % (words, done.returncode, done.stderr[-300:]))
    check(not CONTROLS.search(done.stderr.decode("utf-8", "replace")), "%s: control characters on standard error" % (words,))
    return done.stdout


def read_text(output):
    text = output.decode()
    if CONTROLS.search(text):
        raise ValueError("control characters")
    return text


def read_csv(output):
    rows = list(csv.reader(io.StringIO(read_text(output), newline=""), strict=True))
    if len({len(row) for row in rows}) != 1:
        raise ValueError("rows of different lengths")
    return rows


def read_json(output):
    def refuse(word):
        raise ValueError(word)
    return json.loads(read_text(output), parse_constant=refuse)


class Page(html.parser.HTMLParser):
    """Every element that is opened is closed, in their order, and none comes from a name."""
    EMPTY = "meta link br img input hr col".split()

    def __init__(self):
        super().__init__()
        self.open, self.scripts = [], 0

    def handle_starttag(self, tag, attributes):
        self.scripts += tag == "script"
        if tag == "blink":
            raise ValueError("an element of a name")
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            raise ValueError("</%s> closes nothing" % tag)


def read_html(output):
    page = Page()
    page.feed(read_text(output))
    page.close()
    if page.open or page.scripts > 1:
        raise ValueError("open at the end: %s; scripts: %d" % (page.open, page.scripts))


def read_xml(output):
    return xml.fromstring(read_text(output))


def takes(name, reader, *words, statuses=(0,)):
    """What the reader makes of the output; None when it refuses it."""
    output = run(*words, statuses=statuses)
    try:
        return reader(output)
    except (ValueError, csv.Error, xml.ParseError) as error:
        failures.append("%s: %s: %s" % (name, " ".join(words), error))
        return None


def check_runs(name, shown, trace):
    short = shown[:20]
    text = takes(name, read_text, "run", trace, "--full")
    check(text is None or short in text, "%s: run does not name it" % name)
    rows = takes(name, read_csv, "run", trace, "--format", "csv")
    if rows:
        places = {row[4] for row in rows[1:]}
        check({row[0] for row in rows[1:]} == {shown}, "%s: csv has another kernel" % name)
        check({row[2] for row in rows[1:]} == {"p%s=%s" % ("" if name.startswith("long") else shown, shown)}, "%s: csv has other parameters" % name)
        check("%s:7 global load" % shown in places and "global " + shown in places, "%s: csv has other places" % name)
    run_json = takes(name, read_json, "run", trace, "--format", "json")
    if run_json:
        found = run_json["runs"][0]
        check(found["kernel"] == shown, "%s: json has another kernel" % name)
        check(found["lines"][0]["file"] == shown, "%s: json has another file" % name)
    takes(name, read_html, "run", trace, "--gpu", "gtx280,h200", "--format", "html")


def check_others(name, trace):
    takes(name, read_text, "trace", "info", trace)
    takes(name, read_text, "trace", "check", trace)
    takes(name, read_text, "trace", "cat", trace)
    takes(name, read_text, "advise", trace, "--gpu", "gtx280")
    takes(name, read_json, "advise", trace, "--gpu", "gtx280", "--format", "json")
    takes(name, read_csv, "compare", trace, "copy", "--rules-only", "--format", "csv")
    takes(name, read_csv, "diff", trace, trace, "--counters", "all", "--format", "csv")
    takes(name, read_text, "gate", trace, "--min", "gld_efficiency=101", "--junit", trace + ".xml", statuses=(3,))
    with open(os.path.join(folder.name, trace + ".xml"), "rb") as file:
        try:
            read_xml(file.read())
        except (ValueError, xml.ParseError) as error:
            failures.append("%s: gate --junit: %s" % (name, error))


def check_name(number, name):
    """All forms; the pictures with names that XML minds."""
    written, shown = NAMES[name]
    trace = "%d.wlt.txt" % number
    with open(os.path.join(folder.name, trace), "w", encoding="ascii") as file:
        file.write(TRACE.format(written, "" if name.startswith("long") else written))
    check_runs(name, shown, trace)
    check_others(name, trace)
    for figure in FIGURES if name in ("markup", "no characters", "long") else ():
        takes(name, read_xml, "run", trace, "--gpu", "gtx280,h200" if figure == "gpus" else "gtx280", "--figure", figure)


with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    list(pool.map(check_name, range(len(NAMES)), NAMES))

# What the command line holds, and a result that somebody wrote.
for words in (["run", "--gpu", "\x1b[31m", "copy"], ["run", "\x1b[31m\x9b"], ["\x1b[31m"], ["run", "copy", "-p", "\x1b=1"],
              ["gate", "copy", "--min", "\x1b[31m=1"], ["run", "copy", "--\x1b"], ["compare", "copy", "--counters", "\x1b"]):
    run(*words, statuses=(1, 2))
result = run("run", "offsetCopy", "-p", "n=4k", "--format", "json").replace(b'"kernel":"offsetCopy"', b'"kernel":"\\u001b[31m"')
with open(os.path.join(folder.name, "result.json"), "wb") as file:
    file.write(result)
check(b"u001b" in result, "the result has no kernel to rename")
takes("a result's kernel", read_text, "gate", "result.json", "--min", "gld_efficiency=1")
takes("a result's kernel", read_text, "diff", "result.json", "result.json")


def put(name, data):
    with open(os.path.join(folder.name, name), "wb") as file:
        file.write(b"\xef\xbb\xbf" + data)
    return name


# A byte order mark in front of what people write is no part of it.
with open(os.path.join(folder.name, "0.wlt.txt"), "rb") as file:
    marked = put("marked.wlt.txt", file.read())
run("run", marked, "--rules-only")
run("trace", "check", marked)
run("run", marked, "--rules-only", "--from", "text")
run("trace", "convert", "0.wlt.txt", "--format", "csv", "-o", "plain.csv")
with open(os.path.join(folder.name, "plain.csv"), "rb") as file:
    run("run", put("marked.csv", file.read()), "--rules-only")
run("run", "copy", "--rules-only", "--arch-file", put("marked.arch", b"name = mine\nbase = gtx280\n"), "--gpu", "mine")
run("grade", put("marked.grade", b"title Copies\ngpu gtx280\npoints 1 min gst_efficiency=1\n"), marked)

for failure in failures:
    print("nasty_names.py:", failure)
sys.exit(1 if failures else 0)
