"""report.py WARPLENS - are pages and figures well formed, complete in themselves, of bounded size, the same each time?"""
import html.parser
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

warplens = os.path.abspath(sys.argv[1])
folder = tempfile.TemporaryDirectory()
failures = []
VOID = {"meta", "link", "br", "img", "input", "hr"}


def check(fine, what):
    if not fine:
        failures.append(what)


def run(arguments, status=0):
    done = subprocess.run([warplens, "run", *arguments.split()], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check(done.returncode == status, "%s: status %d: %s" % (arguments, done.returncode, done.stderr.decode()))
    return done


class Page(html.parser.HTMLParser):
    """Every element closed in order, every id once, every link of the page to an id, nothing from elsewhere."""

    def __init__(self, name, text):
        super().__init__()
        self.name, self.open, self.ids, self.links, self.headings, self.words = name, [], [], [], [], []
        self.feed(text)
        self.close()
        check(self.open == [], "%s: not closed: %s" % (name, self.open))
        check(len(self.ids) == len(set(self.ids)), "%s: an id is there twice" % name)
        for link in self.links:
            check(link[0] == "#" and link[1:] in self.ids, "%s: a link to %s" % (name, link))
        for above, below in zip(self.headings, self.headings[1:]):
            check(below <= above + 1, "%s: a heading of level %d below one of %d" % (name, below, above))

    def handle_starttag(self, tag, attributes):
        if tag not in VOID:
            self.open.append(tag)
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        for key, value in attributes:
            check(key != "src" and key[:2] != "on", "%s: %s=%s" % (self.name, key, value))
            if key == "id":
                self.ids.append(value)
            if key == "href":
                self.links.append(value)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            check(False, "%s: </%s> closes nothing" % (self.name, tag))

    def handle_data(self, data):
        self.words.append(data)


def page(arguments):
    done = run(arguments + " --format html")
    text = done.stdout.decode()
    check(done.stderr == b"", "%s: says %s" % (arguments, done.stderr.decode()))
    urls = set(re.findall(r"\w+://[^\s\"'<)]*", text)) - {"http://www.w3.org/2000/svg"}
    check(urls == set(), "%s: names %s" % (arguments, urls))
    check("@import" not in text and "url(" not in text, "%s: its style asks for files" % arguments)
    return text, " ".join(Page(arguments, text).words)


def check_pages():
    text, words = page("transposeCoalesced -p width=128 -p height=128 --gpu gtx280,h200")
    check(text == page("transposeCoalesced -p width=128 -p height=128 --gpu gtx280,h200")[0], "other bytes each time")
    for part in (" by latency", "Occupancy, possible", "; achieved: about", "Lines of the source",
                 "odata[index_out", "Banks of shared memory", "GPUs side by side", "Where bytes go", "Modelled",
                 "gcc " if "gcc" in words else "clang "):
        check(part in words, "the page does not say " + part)
    words = page("reduce0,reduce1 --gpu k20x --rules-only")[1]
    check("By the rules alone" in words and "Left out: caches, time" in words, "rules alone are not said to be so")
    check("What holds the kernel up" not in words, "times without the model of time")
    words = page("incrementInnerStruct -p n=4k --gpu h200 --rules-only")[1]
    check("__global__ void incrementInnerStruct(const struct" in words, "a kernel's head is not shown as a whole")
    check("incrementInnerStructX(" not in words, "the head of a kernel without accesses is shown")


def advice_of(text):
    """The page's sections about advice, a section a GPU, without marks."""
    sections = re.findall(r'<section id="k\d+g\d+-advice">.*?</section>', text, re.S)
    return [re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", html.unescape(section))) for section in sections]


def figure(advice):
    saved = advice["time_saved"]
    return "no time" if abs(saved) < 0.005 or saved < 0 else "%.1f %%" % (100 * saved)


def check_advice():
    """All that `advise` says stands in the page, GPU by GPU, in its order."""
    for kernel in ("transposeCoalesced -p width=128 -p height=128 --gpu gtx280,h200", "copyCol -p nx=256 -p ny=256 --gpu m2090"):
        told = json.loads(subprocess.run([warplens, "advise", *kernel.split(), "--format", "json"],
                                         stdout=subprocess.PIPE, check=True).stdout)["advice"]
        sections = advice_of(page(kernel)[0])
        check(len(sections) == len(told), "%s: advice for %d GPUs of %d" % (kernel, len(sections), len(told)))
        for section, advice in zip(sections, told):
            at = section.find(advice["headline"])
            check(at > 0, "%s: no headline %s" % (kernel, advice["headline"]))
            check(len(advice["changes"]) > 1, kernel + ": this kernel has no advice to look at")
            for change in advice["changes"]:
                row = section.find(" " + figure(change) + " ", at)
                check(row > 0, "%s: %s saves %s" % (kernel, change["remedy"], figure(change)))
                at = max(at, row) + 1
                for word in ("where", "why", "change", "cost"):
                    check(change["alternative"] and word in ("where", "why") or change[word] in section,
                          "%s: not in the page: %s" % (kernel, change[word]))
            for untried in advice["untried"]:
                check(untried["text"] in section, "%s: not in the page: %s" % (kernel, untried["text"]))
    check("Nothing worth changing was found" in advice_of(page("copy -p width=256 -p height=256 --gpu k20x")[0])[0],
          "that there is nothing to change is not said")
    long = "transposeNaive -p width=4096 -p height=2080 --gpu h200"
    check("Not looked for: the run has more than 524,288 accesses" in advice_of(page(long)[0])[0], "a long run's page")
    for option in ("--no-advice", "--rules-only"):
        check(advice_of(page("copyCol -p nx=64 -p ny=64 --gpu m2090 " + option)[0]) == [], option + " leaves advice in")


def check_once():
    """What comes through a pipe can be had once: the page and its advice are of one run."""
    trace = subprocess.run([warplens, "trace", "record", "copyCol", "-p", "nx=64", "-p", "ny=64", "--format", "text"],
                           stdout=subprocess.PIPE, check=True).stdout
    done = subprocess.run([warplens, "run", "-", "--gpu", "m2090", "--format", "html"], input=trace,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    check(done.returncode == 0 and done.stderr == b"", "a trace from a pipe: " + done.stderr.decode())
    check("Swap threadIdx.x" in advice_of(done.stdout.decode())[0], "no advice on a trace from a pipe")


def check_trace():
    trace = folder.name + "/a<b>&.wlt.txt"
    with open(trace, "w") as out:
        out.write(subprocess.run([warplens, "trace", "record", "vec3d", "-p", "n=1k", "--format", "text"],
                                 stdout=subprocess.PIPE, check=True).stdout.decode())
    os.chdir(folder.name)
    words = page("a<b>&.wlt.txt --gpu h200")[1]
    check("The text of this file is not at hand" in words, "a trace has no source, and that is not said")


def check_size():
    """The run of the gallery with the longest page, under as many GPUs as somebody would name."""
    text = page("vec3dShared --gpu gtx280,m2090,k20x,gtx1080ti,v100,h200")[0]
    check(len(text) < 2000000, "%d bytes" % len(text))
    check(len(text) > 500000, "%d bytes: is it still the longest?" % len(text))


def check_figures():
    names = re.search("allowed is ([a-z, ]+)", run("reduce1 --picture help", 2).stderr.decode()).group(1).split(", ")
    check(len(names) >= 9, "figures: %s" % names)
    for name in names:
        gpus = "gtx280,h200" if name in ("gpus",) else "gtx280"
        kernel = "incrementInnerStruct -p n=4k" if name == "elements" else "transpose -p width=64 -p height=64"
        done = run("%s --gpu %s --picture %s" % (kernel, gpus, name))
        try:
            root = xml.etree.ElementTree.fromstring(done.stdout)
            check(root.tag == "{http://www.w3.org/2000/svg}svg", name + ": no SVG")
        except xml.etree.ElementTree.ParseError as error:
            check(False, "%s: %s" % (name, error))


def check_messages():
    for arguments, words in (("reduce1 --picture bank", "did you mean banks?"),
                             ("reduce0,reduce1 --picture banks", "shows one run, and there are 2"),
                             ("reduce1 --picture banks --gpu gtx280,h200", "shows one GPU, and there are 2"),
                             ("reduce1 --picture gpus", "name several"),
                             ("vec3d -p n=1k --picture banks", "has nothing to show there; it has lines, arrays, elements"),
                             ("reduce1 --rules-only --picture flow", "has nothing to show there"),
                             ("reduce1 --format htm", "allowed is text, json, csv or html")):
        done = run(arguments, 2)
        check(words in done.stderr.decode(), "%s: %s" % (arguments, done.stderr.decode()))
        check(done.stdout == b"" and done.stderr.count(b"\n") == 1, arguments + ": not one line of message alone")


check_pages()
check_advice()
check_once()
check_trace()
check_size()
check_figures()
check_messages()
print("\n".join(failures) or "fine")
sys.exit(bool(failures))
