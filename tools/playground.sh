#!/bin/sh
# playground.sh [--check] - compiles the core of docs/playground/ to WebAssembly, as text in core.js, so that
# the page works from a file too. The same compiler makes the same bytes; --check compares and writes nothing.
# Needs Debian's clang, lld, wasi-libc and libclang-rt-14-dev-wasm32, which `sh tools/setup.sh test` installs.
set -eu
cd "$(dirname "$0")/.."
target=docs/playground/core.js
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# The list of models, as meson makes it from the same words.
models=$(sed -n '/^models = \[/,/\]/p' src/models/meson.build | tr -d "[]',=" | sed 's/^models//')
{
    echo '#include "models/models.h"'
    for name in $models; do echo "extern const struct gpu_model model_${name#*/};"; done
    echo 'const struct gpu_model *const models[] = {'
    for name in $models; do echo "&model_${name#*/},"; done
    echo '};'
    echo 'const size_t model_count = sizeof models / sizeof models[0];'
} >"$dir/list.c"

rules="access address_map async_copy async_copy_pieces banks banks_affine coalesce coalesce_half_warp coalesce_half_warp_transfers coalesce_lines
    coalesce_lists l1stage l1stage_atomic l1stage_store"
sources="$dir/list.c src/models/arch.c src/models/capabilities.c src/models/models.c src/models/unknown.c src/playground/playground.c src/playground/no_files.c src/svg/svg.c src/svg/svg_style.c"
for name in $models; do sources="$sources src/models/$name.c"; done
for name in $rules; do sources="$sources src/sim/rules/$name.c"; done
sources="$sources $(ls src/explain/*.c src/expression/*.c) src/text/characters.c src/text/quote.c src/text/text.c"

exports=
for name in input explain draw draw_alone style gpus; do exports="$exports -Wl,--export=playground_$name"; done
${CLANG:-clang} --target=wasm32-wasi -mexec-model=reactor -std=gnu11 -Oz -flto -Isrc -Iinclude -DNDEBUG \
    -ffile-prefix-map="$dir=." $sources -o "$dir/core.wasm" $exports \
    -Wl,--gc-sections -Wl,--strip-all -Wl,-z,stack-size=262144

{
    echo '/* Made by tools/playground.sh from src/: the rules, explanations and pictures as WebAssembly. */'
    printf 'var warplensCore =\n'
    base64 -w 120 "$dir/core.wasm" | sed "s/.*/'&' +/"
    echo "'';"
} >"$dir/core.js"
if [ "${1:-}" = --check ]; then
    cmp "$dir/core.js" "$target"
else
    cp "$dir/core.js" "$target"
    echo "$target: $(wc -c <"$dir/core.wasm") bytes of WebAssembly"
fi
