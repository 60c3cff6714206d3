"""browser.py - a headless Chromium, driven through a pipe with the DevTools protocol: no port, no driver, nothing but
Python's own library. For tests and screenshots.
"""
import json
import os
import shutil
import subprocess
import tempfile


class Browser:
    """with Browser() as page: page.open(path); page.run('1 + 1')."""

    NAMES = ('chromium', 'chromium-browser', 'google-chrome', 'chrome')

    @staticmethod
    def find():
        """The program, or None."""
        return next((path for path in map(shutil.which, Browser.NAMES) if path), None)

    def __init__(self):
        self.events = []  # what the page reported: (method, parameters)
        self.number = 0
        self.rest = b''
        self.session = None

    def __enter__(self):
        self.folder = tempfile.mkdtemp()
        to_read, self.to_browser = os.pipe()
        self.from_browser, to_write = os.pipe()
        os.set_inheritable(to_read, True)
        os.set_inheritable(to_write, True)
        command = '"$0" "$@" 3<&%d 4>&%d' % (to_read, to_write)
        flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--hide-scrollbars',
                 '--no-first-run', '--disable-background-networking', '--disable-extensions',
                 '--user-data-dir=' + self.folder, '--remote-debugging-pipe', 'about:blank']
        self.process = subprocess.Popen(['bash', '-c', 'exec ' + command, Browser.find(), *flags],
                                        pass_fds=(to_read, to_write), stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        target = self.send('Target.createTarget', url='about:blank')['targetId']
        self.session = self.send('Target.attachToTarget', targetId=target, flatten=True)['sessionId']
        for domain in ('Page', 'Runtime', 'Log', 'Network'):
            self.send(domain + '.enable')
        return self

    def __exit__(self, *_):
        self.session = None
        self.send('Browser.close')
        self.process.wait()
        os.close(self.to_browser)
        os.close(self.from_browser)
        shutil.rmtree(self.folder, ignore_errors=True)

    def receive(self):
        """The next message of the browser."""
        while b'\0' not in self.rest:
            piece = os.read(self.from_browser, 1 << 16)
            if not piece:
                raise RuntimeError('the browser went away')
            self.rest += piece
        message, self.rest = self.rest.split(b'\0', 1)
        return json.loads(message)

    def send(self, method, **parameters):
        """A command; its result."""
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': parameters}
        if self.session:
            message['sessionId'] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b'\0')
        while True:
            answer = self.receive()
            if answer.get('id') == self.number:
                if 'error' in answer:
                    raise RuntimeError('%s: %s' % (method, answer['error']['message']))
                return answer['result']
            if 'method' in answer:
                self.events.append((answer['method'], answer['params']))

    def open(self, path, fragment=''):
        """Loads a file and waits until it has run."""
        before = len(self.events)
        self.send('Page.navigate', url='about:blank')
        self.send('Page.navigate', url='file://' + os.path.abspath(path) + fragment)
        while not self.run('document.readyState === "complete" && location.protocol === "file:"'):
            if len(self.events) > before + 10000:
                raise RuntimeError('%s does not load' % path)

    def run(self, script):
        """The value of a piece of JavaScript; promises are waited for."""
        answer = self.send('Runtime.evaluate', expression=script, returnByValue=True, awaitPromise=True)
        if 'exceptionDetails' in answer:
            raise RuntimeError('%s: %s' % (script[:100], answer['exceptionDetails']['exception'].get('description')))
        return answer['result'].get('value')

    def size(self, width, height, scale=1, mobile=False):
        self.send('Emulation.setDeviceMetricsOverride', width=width, height=height, deviceScaleFactor=scale,
                  mobile=mobile)

    def theme(self, name):
        """As if the system was light or dark."""
        self.send('Emulation.setEmulatedMedia', features=[{'name': 'prefers-color-scheme', 'value': name}])

    def key(self, name, code, text=''):
        """Presses and releases a key; `text` is what it types (Enter: a return)."""
        for kind in ('keyDown' if text else 'rawKeyDown', 'keyUp'):
            typed = {'text': text} if kind == 'keyDown' else {}
            self.send('Input.dispatchKeyEvent', type=kind, key=name, code=name, windowsVirtualKeyCode=code, **typed)

    def complaints(self):
        """Exceptions, errors and warnings of the console, and what was asked of a network."""
        found = []
        for method, what in self.events:
            if method == 'Runtime.exceptionThrown':
                found.append('exception: %s' % what['exceptionDetails'])
            elif method == 'Runtime.consoleAPICalled' and what['type'] in ('error', 'warning', 'assert'):
                found.append('console: %s' % what['args'])
            elif method == 'Log.entryAdded' and what['entry']['level'] in ('error', 'warning'):
                found.append('log: %s' % what['entry']['text'])
            elif method == 'Network.requestWillBeSent' and \
                    what['request']['url'].split(':')[0] not in ('file', 'data', 'about'):
                found.append('network: %s' % what['request']['url'])
        return found
