# bash with openssl: the value of the `signature` header. The body is signed as it is sent.
# The secret is visible to other users of the machine while openssl runs: on a shared machine use another language.

hmac() { openssl dgst -sha256 -hmac "$1" -r | cut -d' ' -f1; }

sign_v1() { # key, secret, [ms]
  local ms=${3:-$(date +%s)000}
  printf '%s.%s\n' "$ms" "$(printf %s "$ms.$1" | hmac "$2")"
}

sign_v2() { # key, secret, method, path, body, [ms], [nonce]
  local ms=${6:-$(date +%s)000} nonce=${7:-$(openssl rand -hex 16)} digest
  digest=$(printf %s "$5" | openssl dgst -sha256 -r | cut -d' ' -f1)
  printf 'v2.%s.%s.%s\n' "$ms" "$nonce" \
    "$(printf 'v2\n%s\n%s\n%s\n%s\n%s\n%s' "$ms" "$nonce" "$1" "$3" "$4" "$digest" | hmac "$2")"
}
