# shellcheck shell=bash
# Sourced by the other scripts: makes the tree ready to run.
#
#   prepare [EXTRA...]    .venv with the package, its extension modules built in place, and the
#                         extras named. Does nothing when all is up to date, which takes no time.
#
# PYTHON=... chooses the interpreter. Everything is kept in .venv, whose folder .ginsim says what is
# done: a step is noted there when it is complete, with all that it depended on, so that an interrupted
# setup, a moved clone, another interpreter or a changed source is seen and only what is stale is
# done again.

root=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/.." && pwd -P)
venv=$root/.venv
state=$venv/.ginsim
log=$root/.venv.log

say() { printf 'ginsim: %s\n' "$*" >&2; }

die() {
    say "$@"
    exit 1
}

# --- the interpreter and what has to be there with it ------------------------------------------

# An interpreter's version and home; the same for an interpreter and for a venv made with it.
identify() {
    "$1" -I -S -c 'import sys; print(sys.version, sys.base_prefix)' 2>/dev/null
}

# Prints, line by line, the interpreter behind $1 (never that of a venv, which may be removed) and
# its compiler, then the names of what is not there. Fails if it can't be used at all.
examine() {
    "$1" -I -c '
import importlib.util, os, sys, sysconfig
if sys.version_info < (3, 11) or sys.implementation.name != "cpython":
    sys.exit(1)
print(sys._base_executable)
print((os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc").split()[0])
if not all(map(importlib.util.find_spec, ("venv", "ensurepip"))):
    print("venv")
if not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")):
    print("headers")
' 2>/dev/null
}

# Sets python, missing (what, in words) and missing_packages (what Debian calls it).
inspect_system() {
    local -a candidates found=()
    local candidate
    if [[ ${PYTHON:-} ]]; then
        candidates=("$PYTHON")
    elif is_venv_whole; then
        candidates=("$venv/bin/python")
    else
        candidates=(python3.11 python3 python3.12 python3.13 python3.14)
    fi
    # The first that lacks nothing, else the first that can be used.
    for candidate in "${candidates[@]}"; do
        local -a lines=()
        mapfile -t lines < <(examine "$candidate")
        if ((${#lines[@]} == 2)); then
            found=("${lines[@]}")
            break
        elif ((${#lines[@]} > 2 && ${#found[@]} == 0)); then
            found=("${lines[@]}")
        fi
    done
    python=${found[0]:-} missing=() missing_packages=()
    local compiler=${found[1]:-${CC:-gcc}}
    lack() {
        missing+=("$1")
        missing_packages+=("$2")
    }
    if [[ ! $python ]]; then
        if [[ ${PYTHON:-} ]]; then
            die "PYTHON=$PYTHON is no CPython of version 3.11 or later"
        fi
        lack "Python 3.11 or later" python3
        # What can't be asked yet comes with these.
        lack "its module venv" python3-venv
        lack "its header Python.h" python3-dev
    fi
    local part
    for part in "${found[@]:2}"; do
        case $part in
            venv) lack "the modules venv and ensurepip of $python" python3-venv ;;
            headers) lack "the header Python.h of $python" python3-dev ;;
        esac
    done
    if ! command -v "${compiler%% *}" >/dev/null; then
        lack "the C compiler ${compiler%% *}" gcc
    elif ! "${compiler%% *}" -E -x c - <<<'#include <stdlib.h>' >/dev/null 2>&1; then
        lack "the C library's headers" libc6-dev
    fi
}

require_system() {
    inspect_system
    if ((${#missing[@]} == 0)); then return; fi
    say "this machine lacks"
    local i
    for i in "${!missing[@]}"; do
        printf '  %-60s Debian package %s\n' "${missing[i]}" "${missing_packages[i]}" >&2
    done
    die "as root: apt-get install ${missing_packages[*]}"
}

# --- what is up to date --------------------------------------------------------------------------

# is_done STEP KEY: the step was completed, and with what the key describes.
is_done() { [[ -f $state/$1 && $(<"$state/$1") == "$2" ]]; }
set_done() { printf '%s\n' "$2" >"$state/$1"; }

digest() { (cd -- "$root" && sha256sum -- "$@"); }

# A venv knows its own place by absolute paths.
venv_key() { printf '%s\n%s\n' "$root" "$(identify "${PYTHON:-$venv/bin/python}")"; }

install_key() { digest pyproject.toml setup.py src/ginsim/_version.py; }

# Compilation by another recipe: nothing of what is built can be kept.
recipe_key() {
    printf '%s\n' "${GINSIM_NATIVE:-}" "${CC:-}" "${CFLAGS:-}" "${CPPFLAGS:-}" "${LDFLAGS:-}"
    digest setup.py
}

build_key() {
    local -a sources
    shopt -s nullglob
    sources=("$root"/src/ginsim/*.pyx "$root"/src/ginsim/*.pxd "$root"/src/ginsim/*.h)
    shopt -u nullglob
    digest "${sources[@]#"$root"/}"
}

# The venv was made here, by the interpreter that is asked for, and no installation broke off.
is_venv_whole() {
    [[ -x $venv/bin/python && ! -e $state/installing ]] && is_done venv "$(venv_key)"
}

is_built() {
    local source
    [[ ! -e $state/building && ! -e $state/unbuilt ]] || return 1
    for source in "$root"/src/ginsim/*.pyx; do
        compgen -G "${source%.pyx}.*.so" >/dev/null || return 1
    done
    is_done recipe "$(recipe_key)" && is_done build "$(build_key)"
}

is_ready() {
    local key part
    [[ -x $venv/bin/ginsim ]] && is_venv_whole && is_built || return 1
    key=$(install_key)
    for part in package "$@"; do
        is_done "$part" "$key" || return 1
    done
}

# --- the steps -----------------------------------------------------------------------------------

# step WORDS COMMAND...: runs it in the tree's root; its output is shown only if it fails.
step() {
    local words=$1 status=0
    shift
    say "$words ..."
    (cd -- "$root" && "$@") >"$log" 2>&1 </dev/null || status=$?
    if ((status)); then
        tail -n 40 -- "$log" >&2
        say "$words: failed with status $status; all of its output is in $log"
    fi
    return "$status"
}

make_venv() {
    rm -rf -- "$venv"
    step "making .venv with $python" "$python" -m venv --prompt ginsim "$venv" || exit 1
    mkdir -- "$state"
    set_done venv "$(venv_key)"
}

build() {
    local recipe build source
    recipe=$(recipe_key) build=$(build_key)
    if [[ -e $state/building ]] || ! is_done recipe "$recipe"; then
        rm -f -- "$root"/src/ginsim/_*.c "$root"/src/ginsim/_*.so
    elif [[ -f $state/build ]]; then
        # The build goes by times, but a source put back from a copy can be older than what was built.
        while read -r _ source; do
            touch -- "$root/$source"
        done < <(grep --invert-match --line-regexp --fixed-strings --file="$state/build" <<<"$build")
    fi
    : >"$state/building"
    # Noted beforehand: what is edited while this compiles will be compiled again.
    set_done recipe "$recipe"
    set_done build "$build"
    if ! step "compiling the extension modules" \
        "$venv/bin/python" setup.py build_ext --inplace --parallel "$(nproc)"; then
        mv -- "$state/building" "$state/unbuilt"
        exit 1
    fi
    rm -f -- "$state/building" "$state/unbuilt"
}

# install WORDS ARGS...: pip install ARGS. A pip that was killed can leave anything behind, and the
# venv is made anew; one that failed has put back what was there.
install() {
    local words=$1 status=0
    shift
    : >"$state/installing"
    step "$words" "$venv/bin/python" -m pip install \
        --disable-pip-version-check --no-input "$@" || status=$?
    rm -- "$state/installing"
    ((status == 0)) || exit 1
}

# What the build needs, in the venv itself: without isolation a build is incremental.
install_requirements() {
    local -a requirements
    mapfile -t requirements < <("$venv/bin/python" -c '
import sys, tomllib
with open(sys.argv[1], "rb") as file:
    print(*tomllib.load(file)["build-system"]["requires"], sep="\n")
' "$root/pyproject.toml")
    install "installing what the build needs" "${requirements[@]}"
    set_done requirements "$(digest pyproject.toml)"
}

install_package() {
    local key part names
    key=$(install_key) names=$(IFS=, && printf '%s' "$*")
    # What is built is not to be compiled once more, which takes as long as all the rest.
    GINSIM_BUILT_IN_PLACE=1 install "installing ginsim${names:+ with what is needed for: $names}" \
        --no-build-isolation --editable ".${names:+[$names]}"
    for part in package "$@"; do
        set_done "$part" "$key"
    done
}

set_up() {
    require_system
    # As values of pip's options these would make it install outside of the venv.
    unset PIP_USER PIP_TARGET PIP_PREFIX PIP_ROOT
    if ! is_venv_whole; then
        make_venv
    fi
    if ! is_done requirements "$(digest pyproject.toml)"; then
        install_requirements
    fi
    if ! is_built; then
        build
    fi
    if ! is_ready "$@"; then
        install_package "$@"
    fi
}

# In a subshell of its own, so that the lock is open no longer than the setup runs, and an interrupt
# leaves the marks of what was under way.
prepare() {
    if is_ready "$@"; then return; fi
    (
        trap 'exit 130' INT
        trap 'exit 143' TERM
        exec {lock}>>"$root/.venv.lock"
        if ! flock --nonblock "$lock"; then
            say "waiting for another setup of this tree"
            flock "$lock"
        fi
        if ! is_ready "$@"; then set_up "$@"; fi
    )
}
