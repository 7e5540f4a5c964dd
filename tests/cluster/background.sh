#!/bin/sh
# A scheduler for tests: jobs are processes in the background of this machine. A folder has links to
# this file by the names of its commands, and keeps what is known of its jobs:
#
#     submit MEMORY MINUTES SCRIPT    prints an id
#     status ID                       running, success or failed
#     cancel ID...
#
# In sh, for snakemake's executor waits two seconds for a cancel command, and does not cancel those
# jobs of which it is just asking how they are.
folder=$(dirname "$0")

is_alive() {
    case $(ps -o stat= -p "$(cat "$folder/$1.pid")") in
    '' | Z*) return 1 ;; # gone, or waiting for init to notice
    esac
}

submit() {
    id=$(($(cat "$folder"/*.asked 2>/dev/null | wc -l) + 1))
    grep '^# properties' "$3" | sed 's/^[^{]*//' >"$folder/$id.properties"
    echo "$1 $2" >"$folder/$id.asked"
    # The leader of a session, which writes down how the script has ended.
    setsid sh -c 'echo $$ >"$1.pid"; sh "$2" >"$1.log" 2>&1; echo $? >"$1.part"
        mv "$1.part" "$1.ended"' keeper "$folder/$id" "$3" </dev/null >/dev/null 2>&1 &
    while [ ! -s "$folder/$id.pid" ]; do sleep 0.05; done
    echo "$id"
}

status() {
    if is_alive "$1"; then
        echo running
    elif [ "$(cat "$folder/$1.ended" 2>/dev/null)" = 0 ]; then
        echo success
    else
        echo failed
    fi
}

cancel() {
    for id; do
        ! is_alive "$id" || kill -KILL "-$(cat "$folder/$id.pid")"
    done
}

"$(basename "$0")" "$@"
