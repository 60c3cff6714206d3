/* playground.js - the page: asks the core (WebAssembly, core.js) what each GPU makes of the access, and shows it.
 *
 * All state is in four controls and in location.hash: #e=EXPRESSION&a=GPU&b=GPU&t=THEME. Everything that is
 * shown follows from them anew at each change. `playground` is there for programs and tests.
 */
'use strict';

/* ---- The core: texts in, texts out --------------------------------------------------------------------- */

const playground = (() => {
  const bytes = Uint8Array.from(atob(warplensCore), c => c.charCodeAt(0));
  const core = new WebAssembly.Instance(new WebAssembly.Module(bytes), {}).exports;
  const INPUT_BYTES = 8192;
  core._initialize();

  function ask(name, gpu, expression) {
    const words = new TextEncoder().encode((gpu || '') + '\0' + (expression || '') + '\0');
    if (words.length > INPUT_BYTES)
      return '{"error":"column 1: the access is too long; allowed: 8000 bytes"}';
    new Uint8Array(core.memory.buffer).set(words, core.playground_input());
    const at = core['playground_' + name]();
    const memory = new Uint8Array(core.memory.buffer);
    return new TextDecoder().decode(memory.subarray(at, memory.indexOf(0, at)));
  }

  const lines = ask('gpus').split('\n');
  const gpus = [];
  for (let i = 0; i + 2 < lines.length; i += 3)
    gpus.push({name: lines[i], title: lines[i + 1], sm: lines[i + 2]});
  return {
    gpus,
    style: ask('style'),
    explain: (gpu, expression) => ask('explain', gpu, expression), /* JSON, as text: an object for each access */
    draw: (gpu, expression) => ask('draw', gpu, expression),
    drawAlone: (gpu, expression) => ask('draw_alone', gpu, expression),
  };
})();

/* ---- Elements -------------------------------------------------------------------------------------------- */

const byId = id => document.getElementById(id);

/* element('td', {class: 'x'}, 'text', child): attributes, then text and children. */
function element(name, attributes, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes || {}))
    made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function hex(number) {
  return '0x' + number.toString(16);
}

/* ---- State ------------------------------------------------------------------------------------------------ */

const DEFAULTS = {e: 'ld.global.f32 [threadIdx.x*stride + off] stride=2 off=0', a: 'gtx280', b: 'h200', t: ''};
const EXAMPLES = [
  'ld.global.f32 [blockIdx.x*blockDim.x + threadIdx.x + off] off=1 block=256 blockIdx=3 warp=1',
  'ld.global.f32 [(threadIdx.x*stride + off) % n] stride=2 off=1 n=48',
  'st.global.f32 [threadIdx.x*width + ty] width=1024 block=32x8',
  'ld.shared.f32 [threadIdx.x*(32 + pad) + ty] pad=0 block=32x8 warp=1',
  'ld.shared.f64 [threadIdx.x*stride] stride=1',
  'ld.global.v4.f32 [tx + off] off=0',
  'atom.global.add.u32 [tx % bins] bins=4',
  'ld.const.f32 [tx / group] group=8',
  'ldmatrix.x4 layout=(16,64):(64,1) f16 swizzle=3,3,3',
  'ld.shared.f32 layout=32x32+1 o 32:1',
  'st.shared.f16 layout=64x64 o 32:64 ; ld.shared.f16 layout=64x64 o 32:1',
];

/* Copies, which the first GPU of a new page does not have. */
const COPY_EXAMPLES = [
  'cp.async.cg.16 [tx*8] f16 to layout=64x64 o (8,4):(512,1) f16 swizzle=3,3,3 ; ldmatrix.x4 layout=64x64 f16 swizzle=3,3,3',
];
const CONTROLS = {e: 'expression', a: 'left', b: 'right', t: 'theme'};

function readHash() {
  const given = new URLSearchParams(location.hash.slice(1));
  const unknown = [];
  for (const [key, id] of Object.entries(CONTROLS)) {
    const value = given.get(key);
    byId(id).value = value === null ? DEFAULTS[key] : value;
    if (byId(id).value === '' && key !== 't' && key !== 'e') {
      unknown.push(value);
      byId(id).value = DEFAULTS[key];
    }
  }
  byId('notice').textContent = unknown.length === 0 ? '' :
    'The link names GPUs that are not known here (' + unknown.join(', ') + '); others are shown in their place.';
}

function writeHash() {
  const state = new URLSearchParams();
  for (const [key, id] of Object.entries(CONTROLS))
    if (byId(id).value || key === 'e')
      state.set(key, byId(id).value);
  const hash = '#' + state.toString();
  if (hash !== location.hash)
    history.replaceState(null, '', hash);
}

/* ---- Errors -------------------------------------------------------------------------------------------------- */

/* Characters before a column, which counts bytes. */
function charactersBefore(text, column) {
  const bytes = new TextEncoder().encode(text).subarray(0, column - 1);
  return [...new TextDecoder().decode(bytes)].length;
}

function showError(expression, error) {
  const place = /^column (\d+): (.*)$/.exec(error || '');
  byId('expression').setAttribute('aria-invalid', error ? 'true' : 'false');
  byId('error').replaceChildren();
  if (!error)
    return;
  if (place)
    byId('error').append(expression + '\n' + ' '.repeat(charactersBefore(expression, Number(place[1]))) + '^\n');
  byId('error').append(element('span', {class: 'words'}, error));
}

/* ---- Results --------------------------------------------------------------------------------------------------- */

const COUNT_NAMES = {
  requests: 'requests', transactions: 'transactions', sectors: 'sectors moved', ideal_sectors: 'sectors, ideal',
  bytes_requested: 'bytes asked for', bytes_used: 'bytes used', bytes_moved: 'bytes moved',
  tag_wavefronts: 'L1 tag wavefronts', data_passes: 'L1 data passes', passes: 'passes', ideal_passes: 'passes, ideal',
  conflicts: 'bank conflicts', ways: 'ways at worst', l2_requests: 'L2 requests, if all miss',
};

/* Of these, less is better. */
const COSTS = ['requests', 'transactions', 'sectors', 'bytes_moved', 'tag_wavefronts', 'data_passes', 'passes', 'conflicts', 'l2_requests'];

function countRow(name, results) {
  const numbers = results.map(result => result.counts && result.counts[name]);
  const cells = numbers.map((number, i) => {
    const cell = element('td', {'data-count': name}, number === undefined ? '–' : String(number));
    if (COSTS.includes(name) && number < numbers[1 - i])
      cell.className = 'less';
    return cell;
  });
  return element('tr', {}, element('th', {scope: 'row'}, COUNT_NAMES[name] || name), ...cells);
}

/* Of an access under both GPUs; `title` where there are several accesses. */
function makeCounts(results, title) {
  const names = Object.keys(COUNT_NAMES).filter(name => results.some(r => r.counts && name in r.counts));
  const head = element('tr', {}, title ? element('th', {scope: 'rowgroup'}, title) : element('td'),
    ...results.map(r => element('th', {scope: 'col'}, r.title)));
  return [element('thead', {}, head), element('tbody', {}, ...names.map(name => countRow(name, results)))];
}

/* `results`: by GPU, a list by access. */
function showCounts(results) {
  const several = results[0].length > 1;
  byId('counts').replaceChildren(...results[0].flatMap((_, i) =>
    makeCounts(results.map(list => list[i]), several ? 'access ' + (i + 1) : '')));
}

/* Which layouts would have no conflict: those of the last access are of all. */
function makeLayouts(result) {
  const layouts = result.layouts;
  if (!layouts)
    return [];
  const rows = layouts.found.map(found => element('tr', {},
    element('th', {scope: 'row'}, found.swizzle ? 'swizzle=' + found.swizzle.join(',') : found.padded_row_bytes +
      ' bytes a row, not ' + found.row_bytes),
    element('td', {}, String(found.passes)), element('td', {}, String(found.conflicts)),
    element('td', {}, String(found.bytes_a_row))));
  const head = element('thead', {}, element('tr', {}, ...['layout', 'passes', 'conflicts', 'bytes more a row'].map(
    name => element('th', {scope: 'col'}, name))));
  const parts = [element('h3', {}, 'Layouts'), element('p', {class: 'layouts'}, layouts.answer)];
  if (rows.length)
    parts.push(element('div', {class: 'scroll'}, element('table', {}, head, element('tbody', {}, ...rows))));
  parts.push(element('p', {class: 'soft'}, 'Tried: ' + layouts.swizzles_tried + ' swizzles, ' + layouts.paddings_tried +
    ' paddings, for ' + (layouts.serves > 1 ? 'all ' + layouts.serves + ' accesses to shared memory at once.' :
      'this access alone; accesses with ; between them are served at once.')));
  return parts;
}

/* "0-15", "0,4,8": the bits of a mask. */
function lanesOf(mask) {
  const ranges = [];
  for (let lane = 0; lane < 32; lane++) {
    if (!(Number(mask) >>> lane & 1))
      continue;
    const last = ranges[ranges.length - 1];
    if (last && last[1] === lane - 1)
      last[1] = lane;
    else
      ranges.push([lane, lane]);
  }
  return ranges.map(([first, last]) => first === last ? String(first) : first + '–' + last).join(', ');
}

function makeTransactions(result) {
  const known = result.transactions.some(t => 'partition' in t);
  const head = ['', 'from', 'bytes', 'used'].concat(known ? ['partition'] : [], ['lanes']);
  const rows = result.transactions.map((t, i) => element('tr', {},
    element('th', {scope: 'row'}, 'T' + (i + 1)), element('td', {}, hex(t.addr)), element('td', {}, String(t.bytes)),
    element('td', {}, String(t.used_bytes)), ...(known ? [element('td', {}, String(t.partition))] : []),
    element('td', {class: 'lanes'}, lanesOf(t.lanes))));
  const table = element('table', {}, element('thead', {}, element('tr', {},
    ...head.map(name => element('th', {scope: 'col'}, name)))), element('tbody', {}, ...rows));
  const note = known ? [] : [element('p', {class: 'soft'},
    'Which partition moves them is not known: this GPU spreads addresses by a hash that its vendor keeps.')];
  return element('details', {}, element('summary', {}, 'Transactions' + (known ? ' and partitions' : '')),
    element('div', {class: 'scroll'}, table), ...note);
}

function showPicture(place, gpu, expression) {
  const picture = element('div', {class: 'picture', tabindex: '0', role: 'group', 'aria-label': 'Picture: ' + gpu.title});
  picture.innerHTML = playground.draw(gpu.name, expression);
  const save = element('a', {download: 'access_' + gpu.name + '.svg', href: 'data:image/svg+xml;charset=utf-8,' +
    encodeURIComponent(playground.drawAlone(gpu.name, expression))}, 'Save this picture as SVG');
  place.replaceChildren(picture, save);
}

/* Keeps what is open open. */
function showSteps(place, gpu, results) {
  const open = place.querySelector('details[open]') !== null;
  const parts = [element('h2', {}, 'Steps on ' + gpu.title)];
  results.forEach((result, i) => {
    if (results.length > 1)
      parts.push(element('h3', {}, 'Access ' + (i + 1) + ' of ' + results.length));
    parts.push(element('ol', {class: 'steps'}, ...result.steps.map(step => element('li', {}, step))));
    if (result.transactions)
      parts.push(makeTransactions(result));
  });
  parts.push(...makeLayouts(results[results.length - 1]));
  place.replaceChildren(...parts);
  if (open && place.querySelector('details'))
    place.querySelector('details').open = true;
}

function showCommand(expression, gpus) {
  const quoted = "'" + expression.replace(/'/g, "'\\''") + "'";
  const names = gpus[0] === gpus[1] ? gpus[0].name : gpus[0].name + ',' + gpus[1].name;
  byId('command').textContent = 'warplens explain ' + quoted + ' --gpu ' + names;
}

function showOrigin(expression) {
  const index = warplensGallery.findIndex(access => access.expression === expression);
  byId('gallery').value = index < 0 ? '' : String(index);
  byId('origin').replaceChildren();
  if (index < 0)
    return;
  const access = warplensGallery[index];
  byId('origin').append(access.kernel + ': ' + access.about + '. ' + access.what + ', ' + access.file + ':' +
    access.line + ': ', element('code', {}, access.source));
}

/* As high as its text, on one line as a word is. */
function fitExpression() {
  const field = byId('expression');
  if (/[\r\n]/.test(field.value))
    field.value = field.value.replace(/[\r\n]+/g, ' ');
  field.style.height = 'auto';
  field.style.height = field.scrollHeight + field.offsetHeight - field.clientHeight + 'px';
}

let width = 4; /* bytes a lane, of the last good access */

function update() {
  fitExpression();
  const expression = byId('expression').value;
  const gpus = ['left', 'right'].map(id => playground.gpus.find(gpu => gpu.name === byId(id).value));
  const results = gpus.map(gpu => JSON.parse('[' + playground.explain(gpu.name, expression) + ']'));
  const error = results[0][0].error || results[1][0].error;
  document.documentElement.dataset.theme = byId('theme').value;
  writeHash();
  if (!error)
    width = results[0][0].access.width;
  showValues(findValues(expression), expression.includes('[') ? {base: width} : {base: width, stride: width});
  showOrigin(expression);
  showError(expression, error);
  document.querySelector('main').classList.toggle('stale', Boolean(error));
  if (error)
    return; /* the last good picture stays */
  document.querySelectorAll('[data-result]').forEach(part => { part.hidden = false; });
  showCounts(results);
  ['left', 'right'].forEach((side, i) => {
    showPicture(byId(side + '-picture'), gpus[i], expression);
    showSteps(byId(side + '-steps'), gpus[i], results[i]);
  });
  showCommand(expression, gpus);
}

/* ---- The controls ---------------------------------------------------------------------------------------------- */

function fillGpus(select) {
  select.append(...playground.gpus.map(gpu =>
    element('option', {value: gpu.name}, gpu.title + ' (sm_' + gpu.sm + ')')));
}

function fillGallery() {
  byId('gallery').append(element('option', {value: ''}, 'choose an access'));
  const groups = new Map();
  warplensGallery.forEach((access, i) => {
    if (!groups.has(access.file))
      groups.set(access.file, element('optgroup', {label: access.file}));
    groups.get(access.file).append(element('option', {value: String(i)},
      access.kernel.split(' ')[0] + ':' + access.line + ', ' + access.what));
  });
  byId('gallery').append(...groups.values());
}

/* An example sets the access, and the GPUs that it needs. */
function makeExample(state) {
  const link = element('a', {href: '#' + new URLSearchParams(state)}, element('code', {}, state.e));
  link.addEventListener('click', event => {
    event.preventDefault();
    for (const [key, value] of Object.entries(state))
      byId(CONTROLS[key]).value = value;
    update();
  });
  return element('li', {}, link);
}

function fillExamples() {
  byId('examples').append(...EXAMPLES.map(e => makeExample({e})),
    ...COPY_EXAMPLES.map(e => makeExample({e, a: 'a100', b: 'h200'})));
}

function copy(text, what) {
  const done = () => { byId('copied').textContent = what + ' copied'; };
  const byHand = () => { byId('copied').textContent = text; };
  if (navigator.clipboard)
    navigator.clipboard.writeText(text).then(done, byHand);
  else
    byHand();
}

function start() {
  document.head.append(element('style', {}, playground.style));
  fillGpus(byId('left'));
  fillGpus(byId('right'));
  fillGallery();
  fillExamples();
  readHash();
  byId('question').addEventListener('submit', event => event.preventDefault());
  for (const id of Object.values(CONTROLS))
    byId(id).addEventListener('input', update);
  byId('gallery').addEventListener('input', () => {
    if (byId('gallery').value === '')
      return;
    byId('expression').value = warplensGallery[Number(byId('gallery').value)].expression;
    update();
  });
  byId('copy-link').addEventListener('click', () => copy(location.href, 'Link'));
  byId('copy-command').addEventListener('click', () => copy(byId('command').textContent, 'Command'));
  byId('expression').addEventListener('keydown', event => event.key === 'Enter' && event.preventDefault());
  window.addEventListener('resize', fitExpression);
  window.addEventListener('hashchange', () => { readHash(); update(); });
  update();
}

start();
