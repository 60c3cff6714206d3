#!/bin/sh
# arm64.sh [FOLDER] [FILE.cu...] - does warplens for arm64 count what it counts on this computer, x86-64?
#
# Installs a cross compiler and qemu-user (tools/setup.sh arm64), builds warplens for both in FOLDER (build-arm64), and
# compares the gallery's kernels and the CUDA programs of tests/cu and examples (or those named) under both:
# tools/arm64_compare.py. What the filter of confined programs decides is carried out for arm64's system calls
# (tests/confine_filter.c). All that is emulation, and no arm64 computer: it has this computer's Linux below it, pages of 4 KB,
# and no Landlock and seccomp of its own. About half an hour of processor time, of which most is the emulator's.
set -eu
cd "$(dirname "$0")/.."
[ "$(uname -m)" = x86_64 ] || { echo "tools/arm64.sh: this compares with x86-64, and needs such a computer" >&2; exit 2; }
folder=${1:-build-arm64}
[ $# -eq 0 ] || shift
sh tools/setup.sh arm64
mkdir -p "$folder/programs"
folder=$(cd "$folder" && pwd)
sysroot=/usr/aarch64-linux-gnu

cat >"$folder/cross.ini" <<END
[binaries]
c = 'aarch64-linux-gnu-gcc'
ar = 'aarch64-linux-gnu-ar'
strip = 'aarch64-linux-gnu-strip'
exe_wrapper = ['qemu-aarch64', '-L', '$sysroot']
[host_machine]
system = 'linux'
cpu_family = 'aarch64'
cpu = 'aarch64'
endian = 'little'
END
# warplens starts what the compiler has linked, and the kernel cannot start a program for arm64: a script is linked
# instead, which has the emulator start it. The compiler itself is this computer's.
cat >"$folder/g++" <<END
#!/bin/sh
aarch64-linux-gnu-g++ "\$@" || exit
linked=
for word; do
    case \$word in -c | -E) exit ;; esac
    [ "\${before-}" != -o ] || linked=\$word
    before=\$word
done
[ -f "\$linked" ] || exit 0
program=$folder/programs/\$\$
mv "\$linked" "\$program"
printf '#!/bin/sh\nexec qemu-aarch64 -L %s %s "\$@"\n' $sysroot "\$program" >"\$linked"
chmod +x "\$linked"
END
chmod +x "$folder/g++"
trap 'rm -rf "$folder/programs"' EXIT

[ -f "$folder/here/build.ninja" ] || CC=gcc meson setup "$folder/here" -Dtests=disabled -Dcuda=disabled >"$folder/setup.log"
[ -f "$folder/arm64/build.ninja" ] ||
    meson setup "$folder/arm64" --cross-file "$folder/cross.ini" -Dtests=disabled -Dcuda=disabled >"$folder/setup.log"
for build in here arm64; do
    ninja -j 2 -C "$folder/$build" >"$folder/$build.log" || { tail -n 20 "$folder/$build.log" >&2; exit 1; }
done

here="$folder/here/warplens" arm64="qemu-aarch64 -L $sysroot $folder/arm64/warplens"
file "$folder/arm64/warplens" 2>/dev/null | cut -d, -f1-3 | sed 's/^[^:]*: //' || true
status=0
aarch64-linux-gnu-gcc -std=gnu11 -Isrc tests/confine_filter.c src/confine/filter.c -o "$folder/confine_filter"
qemu-aarch64 -L $sysroot "$folder/confine_filter" || status=1
if [ $# -eq 0 ]; then
    python3 tools/arm64_compare.py gallery "$here" g++ "$arm64" "$folder/g++" || status=1
    set -- tests/cu/*.cu tests/cu/samples/*.cu tests/cu/advise/*.cu examples/cuda/*.cu
fi
python3 tools/arm64_compare.py programs "$here" g++ "$arm64" "$folder/g++" "$@" || status=1
exit $status
