// The scripts by which a shell completes commands: made from the tree of commands and options, so that the shell asks neither
// this program nor a service. What both shells do is in plain sh.

import type { Argument, Command, Option } from "commander";
import { shellWord } from "./command-words.ts";
import { valuesOfOption } from "./schema-options.ts";

type Shell = "bash" | "zsh";

const files = "@files";
const profiles = "@profiles";

type Node = { command: Command; paths: readonly string[] };

export function completionScript(program: Command, shell: Shell): string {
  const nodes = nodesOf(program, [""]);
  const functions = [
    choice("commands", nodes, ({ commands }) => commands.flatMap(namesOf)),
    choice("options", nodes, ({ options }) => [
      ...options.filter(({ hidden }) => !hidden).map(({ long }) => long ?? ""),
      ...["--profile", "--help"],
    ]),
    choice("arguments", nodes, (command) => command.registeredArguments.flatMap(candidatesOf)),
    valuesFunction(nodes),
    shared,
  ];
  const heading = shell === "zsh" ? "#compdef disburse\n" : "";
  return `${heading}${functions.join("\n\n")}\n\n${wrappers[shell]}`;
}

const namesOf = (command: Command) => [command.name(), ...command.aliases()];

/** With each path by which a command can be named: " users list" and " people list". */
function nodesOf(command: Command, paths: readonly string[]): Node[] {
  const below = command.commands.flatMap((child) =>
    nodesOf(
      child,
      paths.flatMap((path) => namesOf(child).map((name) => `${path} ${name}`)),
    ),
  );
  return [{ command, paths }, ...below];
}

function candidatesOf(one: Argument | Option): readonly string[] {
  if (one.argChoices) return one.argChoices;
  if ("flags" in one) {
    if (one.long === "--profile") return [profiles];
    const known = valuesOfOption.get(one);
    if (known) return known;
  }
  const placeholder = "flags" in one ? (/[<[]([^>\].]+)/.exec(one.flags)?.[1] ?? "") : one.name();
  return /^(files?|folder)$/.test(placeholder) ? [files] : [];
}

/** A function of the shell that prints what belongs to a command, one word in a line. */
function choice(
  name: string,
  nodes: readonly Node[],
  wordsOf: (command: Command) => readonly string[],
): string {
  const cases = nodes.map(({ command, paths }) => caseOf(paths, [...new Set(wordsOf(command))]));
  return functionOf(name, cases.filter(Boolean));
}

/** What an option takes. It fails for one that takes no value. */
function valuesFunction(nodes: readonly Node[]): string {
  const taking = nodes.flatMap(({ command, paths }) =>
    command.options
      .filter(({ required, optional }) => required || optional)
      .flatMap((option) => paths.map((path) => ({ path, option }))),
  );
  const all = taking.map(({ path, option }) =>
    caseOf([`${path} ${option.long}`], candidatesOf(option), ":"),
  );
  return functionOf("values", [`  *' --profile') echo ${profiles};;`, ...all, "  *) return 1;;"]);
}

const functionOf = (name: string, cases: readonly string[]) =>
  [`_disburse_${name}() { case "$1" in`, ...cases, "esac; }"].join("\n");

function caseOf(patterns: readonly string[], words: readonly string[], otherwise = ""): string {
  if (words.length === 0 && otherwise === "") return "";
  const quoted = patterns.map((pattern) => `'${pattern}'`).join("|");
  const print = words.length > 0 ? `printf '%s\\n' ${words.map(shellWord).join(" ")}` : otherwise;
  return `  ${quoted}) ${print};;`;
}

/** The arguments are the words before the one to complete, and that one. */
const shared = `_disburse_profiles() {
  sed -n 's/^  "\\([A-Za-z0-9._-]*\\)": {$/\\1/p' "\${XDG_CONFIG_HOME:-$HOME/.config}/disburse/profiles.json" 2>/dev/null
}

_disburse_candidates() {
  local at='' last='' found=''
  while [ $# -gt 1 ]; do
    if ! _disburse_values "$at $last" >/dev/null && _disburse_commands "$at" | grep -qxF -e "$1"; then
      at="$at $1"
    fi
    last=$1
    shift
  done
  if ! found=$(_disburse_values "$at $last"); then
    case "$1" in
    -*) found='' ;;
    *) found=$(_disburse_commands "$at"; _disburse_arguments "$at") ;;
    esac
    [ -n "$found" ] || found=$(_disburse_options "$at")
  fi
  if [ "$found" = @profiles ]; then _disburse_profiles; else printf '%s\\n' "$found"; fi
}`;

const wrappers: Readonly<Record<Shell, string>> = {
  bash: `_disburse_bash() {
  local current="\${COMP_WORDS[COMP_CWORD]}" candidate place
  local -a before=()
  # Bash takes --profile=live for three words.
  for ((place = 1; place < COMP_CWORD; place++)); do
    [ "\${COMP_WORDS[place]}" = '=' ] || before+=("\${COMP_WORDS[place]}")
  done
  [ "$current" = '=' ] && current=''
  COMPREPLY=()
  while IFS= read -r candidate; do
    case "$candidate" in
    ${files})
      compopt -o filenames 2>/dev/null
      while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen -f -- "$current")
      ;;
    "$current"*) [ -z "$candidate" ] || COMPREPLY+=("$candidate") ;;
    esac
  done < <(_disburse_candidates "\${before[@]}" "$current")
}
complete -F _disburse_bash disburse
`,
  zsh: `_disburse_zsh() {
  local current="\${words[CURRENT]}" candidate
  local -a before offered
  before=("\${(@)words[2,CURRENT-1]}")
  if [[ "$current" == --*=* ]]; then
    before+=("\${current%%=*}")
    current="\${current#*=}"
    compset -P '*='
  fi
  for candidate in "\${(@f)$(_disburse_candidates "\${before[@]}" "$current")}"; do
    if [[ "$candidate" == ${files} ]]; then _files; elif [[ -n "$candidate" ]]; then offered+=("$candidate"); fi
  done
  (( \${#offered} )) && compadd -- "\${offered[@]}"
}
compdef _disburse_zsh disburse
`,
};
