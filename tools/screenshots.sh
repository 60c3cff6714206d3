#!/bin/sh
# screenshots.sh [NAME...] - photographs pages for the documents: docs/images/NAME.png, all of them or those named.
# Needs a build (WARPLENS: the program; build/warplens), Chromium, and pngquant, which makes the pictures a quarter as large.
set -eu
cd "$(dirname "$0")/.."
command -v pngquant >/dev/null || {
    echo "tools/screenshots.sh: pngquant is missing: apt-get install pngquant" >&2
    exit 1
}
mkdir -p docs/images
wanted=" $* "
warplens=${WARPLENS:-build/warplens}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
playground=docs/playground/index.html

# shot NAME WIDTHxHEIGHT THEME PAGE FRAGMENT
shot() {
    [ "$wanted" = "  " ] || case $wanted in *" $1 "*) ;; *) return 0 ;; esac
    python3 tools/screenshot.py "docs/images/$1.png" "$2" "$3" "$4" "${5:-}"
    pngquant --force --skip-if-larger --strip --speed 1 --ext .png 96 "docs/images/$1.png"
    echo "docs/images/$1.png: $(wc -c <"docs/images/$1.png") bytes"
}

strided='e=ld.global.f32+%5BthreadIdx.x*stride+%2B+off%5D+stride%3D2+off%3D1&a=gtx280&b=h200'
shot playground-light 1280x980 light $playground "#$strided"
shot playground-dark 1280x980 dark $playground \
    '#e=ld.shared.f32+%5BthreadIdx.x*(32+%2B+pad)+%2B+ty%5D+pad%3D2+block%3D32x8+warp%3D1&a=gtx280&b=h200'
shot playground-phone 360x740 light $playground "#$strided"
shot playground-error 1280x420 light $playground '#e=ld.global.f32+%5BthreadIdx.x*strid+%2B+1%5D+stride%3D2'

"$warplens" run transposeNoBankConflicts --gpu gtx280 --format html -o "$work/report.html"
shot report 1180x1330 light "$work/report.html"

"$warplens" explain 'ldmatrix.x4 layout=(16,64):(64,1) f16 swizzle=3,3,3' --gpu h200 --format svg -o "$work/tile.svg"
shot tile 752x740 light "$work/tile.svg"
