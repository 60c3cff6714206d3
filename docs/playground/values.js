/* values.js - the values of the names in an access: a number and a slider each, which change the text. Uses byId,
 * element, hex and update of playground.js when something happens, not before.
 */
'use strict';

const NO_SLIDER = ['mask', 'perm', 'lane', 'addr', 'if', 'block', 'grid', 'blockIdx', 'layout', 'swizzle'];

/* [{name, text, at}]: the words name=number of an expression; of one that stands there twice, the first. */
function findValues(expression) {
  const found = [];
  const outside = expression.replace(/\[[^\]]*\]?/g, part => ' '.repeat(part.length));
  for (const match of outside.matchAll(/(^|\s)([A-Za-z_]\w*)=(-?(?:0x[0-9a-fA-F]+|\d+))(?=\s|$)/g))
    if (!NO_SLIDER.includes(match[2]) && !found.some(value => value.name === match[2]) && Math.abs(valueOf(match[3])) <= Number.MAX_SAFE_INTEGER)
      found.push({name: match[2], text: match[3], at: match.index + match[0].length - match[3].length});
  return found;
}

function valueOf(text) {
  return text.startsWith('-') ? -Number(text.slice(1)) : Number(text);
}

/* The expression with another number in place of one; hexadecimal stays so. */
function withValue(expression, value, number) {
  const text = value.text.includes('0x') ? (number < 0 ? '-' : '') + hex(Math.abs(number)) : String(number);
  return expression.slice(0, value.at) + text + expression.slice(value.at + value.text.length);
}

function setValue(name, number) {
  const value = findValues(byId('expression').value).find(v => v.name === name);
  if (!value || !Number.isSafeInteger(number))
    return;
  byId('expression').value = withValue(byId('expression').value, value, number);
  update();
}

/* The ends of a slider: wide enough to play, the same while one plays. */
function sliderEnds(name, number) {
  const most = name === 'warp' ? 31 : Math.max(64, 2 ** Math.ceil(Math.log2(Math.abs(number) + 1)) * 2);
  return [number < 0 ? -most : 0, most];
}

function makeValue(name, number) {
  const [least, most] = sliderEnds(name, number);
  const box = element('div', {class: 'value'},
    element('label', {for: 'value-' + name}, name),
    element('input', {type: 'number', id: 'value-' + name}),
    element('input', {type: 'range', id: 'slide-' + name, min: least, max: most, 'aria-label': name}));
  for (const input of box.querySelectorAll('input'))
    input.addEventListener('input', () => input.value !== '' && setValue(name, Number(input.value)));
  return box;
}

/* `steps`: from one value to the next, by name, where that is not 1.
 * Keeps the inputs as long as the names are the same, so that a slider is not taken from under a finger. */
function showValues(values, steps) {
  const names = values.map(value => value.name).join(' ');
  if (byId('values').dataset.names !== names) {
    byId('values').replaceChildren(...values.map(value => makeValue(value.name, valueOf(value.text))));
    byId('values').dataset.names = names;
  }
  for (const value of values) {
    const number = byId('value-' + value.name), slider = byId('slide-' + value.name);
    number.step = slider.step = steps[value.name] || 1;
    if (Number(number.value) !== valueOf(value.text) || number.value === '')
      number.value = valueOf(value.text);
    if (valueOf(value.text) > Number(slider.max) || valueOf(value.text) < Number(slider.min))
      [slider.min, slider.max] = sliderEnds(value.name, valueOf(value.text));
    slider.value = valueOf(value.text);
  }
}
