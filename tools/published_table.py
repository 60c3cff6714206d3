#!/usr/bin/env python3
"""published_table.py OUTPUT MODEL.md - writes what `test_published_times` has printed into the two tables of docs/model.md, 12.18.

    build/tests/test_published_times > OUTPUT; python3 tools/published_table.py OUTPUT docs/model.md
"""
import re
import sys

ROW = re.compile(r'(\w+)([^,]*), (\w+) ([^:]*): (\S+) (\S+), published (\S+) \((\S+) %\) \[(\w+)\](?: fitted: (.*))?')
HEAD = '| source | GPU | kernel | published | model | error |'
NAMES = {'8800gtx': '8800 GTX', 'fx5600': 'FX 5600', 'gtx280': 'GTX 280', 'gtx580': 'GTX 580', 'gtx980': 'GTX 980'}
SETTINGS = {'dram_efficiency_percent=90 partial_write_reads=0': ', ECC off', 'l1_caches_global=0': ', no L1',
            'peak_megabytes_per_s=144000 memory_clock_khz=1500000': ' as C2070'}
# Sizes that are the same in all rows of a source go without saying.
PLAIN = re.compile(r'\b(?:n|nx|ny|width|height|block)=\d+ ?')


def number(text):
    return re.sub(r'(?<=\d)(?=(?:\d{3})+(?:\.|$))', ',', '%.15g' % float(text))


def row(match):
    gpu, settings, kernel, params, model, unit, published, error, source, fitted = match.groups()
    gpu = NAMES.get(gpu, gpu.upper()) + SETTINGS.get(settings.strip(), settings)
    cells = [source, gpu, ('`%s` ' % kernel + PLAIN.sub('', params).strip()).strip(),
             '%s %s' % (number(published), unit), number(model), '%+.0f %%' % float(error)]
    if fitted is not None:
        cells.append(', '.join('`%s`' % name.strip() for name in fitted.split(',')))
    return '| ' + ' | '.join(cells) + ' |'


def replaced(text, head, rows):
    begin = text.index(head)
    begin = text.index('\n', text.index('\n', begin) + 1) + 1
    end = begin
    while text.startswith('|', end):
        end = text.index('\n', end) + 1
    return text[:begin] + '\n'.join(rows) + '\n' + text[end:]


def main():
    with open(sys.argv[1]) as file:
        matches = [match for match in map(ROW.match, file) if match]
    with open(sys.argv[2]) as file:
        text = file.read()
    free, fitted = ([row(match) for match in matches if (match.group(10) is not None) == which] for which in (False, True))
    text = replaced(text, HEAD + '\n', free)
    text = replaced(text, HEAD[:-1] + '| fitted |\n', fitted)
    with open(sys.argv[2], 'w') as file:
        file.write(text)
    print('%d and %d rows' % (len(free), len(fitted)))


if __name__ == '__main__':
    sys.exit(main())
