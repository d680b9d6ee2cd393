# Waiting for what must happen, for the scripts that read this file.

# Waits until a command succeeds; fails after five minutes, which only a hang takes, however busy the machine is.
await() { # COMMAND [ARGUMENT...]
  local end=$((SECONDS + 300))
  until "$@"; do
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.02
  done
}
