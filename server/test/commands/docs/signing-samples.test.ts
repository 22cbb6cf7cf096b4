// docs/api/samples: the programs make the signatures of the vectors, in every language that the machine has.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, expect, test } from "vitest";
import vectors from "../../../../client/test/signature-vectors.json" with { type: "json" };
import { missingCommands, testUnless } from "../../support/skippable.ts";

const samples = join(import.meta.dirname, "..", "..", "..", "..", "docs", "api", "samples");
const folder = mkdtempSync(join(tmpdir(), "disburse-signing-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Seven lines for each vector, in base64, because a body may end with a line break. Version 1 has no nonce. */
const { v1, v2 } = vectors.signatures;
const blank = { nonce: "", method: "", path: "", body: "" };
const asked = [...v1.map((vector) => ({ ...blank, ...vector })), ...v2];
const input = asked
  .flatMap(({ api_key, secret, ms, nonce, method, path, body }) =>
    [api_key, secret, ms, nonce, method, path, body].map((field) =>
      Buffer.from(field).toString("base64"),
    ),
  )
  .join("\n");

type Program = {
  sample: string;
  /** Commands that the machine needs for the language. */
  commands: string[];
  /** Files beside the sample, by name. */
  files: (sample: string) => Record<string, string>;
  run: string[];
};

const programs: Record<string, Program> = {
  Python: {
    sample: "sign.py",
    commands: ["python3"],
    files: () => ({
      "main.py": `
import base64, sys
from sign import sign_v1, sign_v2
fields = [base64.b64decode(line) for line in sys.stdin.read().split("\\n")]
for i in range(0, len(fields), 7):
    key, secret, ms, nonce, method, path = [field.decode() for field in fields[i:i + 6]]
    signed = sign_v2(key, secret, method, path, fields[i + 6], ms, nonce) if nonce else sign_v1(key, secret, ms)
    print(signed)
`,
    }),
    run: ["python3", "main.py"],
  },
  PHP: {
    sample: "sign.php",
    commands: ["php"],
    files: () => ({
      "main.php": `<?php
require 'sign.php';
$fields = array_map('base64_decode', explode("\\n", stream_get_contents(STDIN)));
foreach (array_chunk($fields, 7) as [$key, $secret, $ms, $nonce, $method, $path, $body]) {
    echo $nonce ? sign_v2($key, $secret, $method, $path, $body, $ms, $nonce) : sign_v1($key, $secret, $ms), "\\n";
}
`,
    }),
    run: ["php", "main.php"],
  },
  Ruby: {
    sample: "sign.rb",
    commands: ["ruby"],
    files: () => ({
      "main.rb": `
require_relative "sign"
fields = $stdin.read.split("\\n", -1).map { |line| line.unpack1("m") }
fields.each_slice(7) do |key, secret, ms, nonce, method, path, body|
  puts nonce.empty? ? sign_v1(key, secret, ms: ms) : sign_v2(key, secret, method, path, body, ms: ms, nonce: nonce)
end
`,
    }),
    run: ["ruby", "main.rb"],
  },
  bash: {
    sample: "sign.sh",
    commands: ["bash", "openssl"],
    files: () => ({
      "main.sh": `
. ./sign.sh
field() { local line; IFS= read -r line; REPLY=$(printf %s "$line" | openssl base64 -d -A; printf x); REPLY=\${REPLY%x}; }
for ((i = 0; i < ${asked.length}; i++)); do
  field; key=$REPLY; field; secret=$REPLY; field; ms=$REPLY; field; nonce=$REPLY
  field; method=$REPLY; field; path=$REPLY; field; body=$REPLY
  if [ -n "$nonce" ]; then sign_v2 "$key" "$secret" "$method" "$path" "$body" "$ms" "$nonce"
  else sign_v1 "$key" "$secret" "$ms"; fi
done
`,
    }),
    run: ["bash", "main.sh"],
  },
  Go: {
    sample: "sign.go",
    commands: ["go"],
    files: () => ({
      "main.go": `package main

import ("encoding/base64"; "fmt"; "io"; "os"; "strings")

func main() {
	input, _ := io.ReadAll(os.Stdin)
	var f []string
	for _, line := range strings.Split(string(input), "\\n") {
		field, _ := base64.StdEncoding.DecodeString(line)
		f = append(f, string(field))
	}
	for ; len(f) >= 7; f = f[7:] {
		if f[3] == "" {
			fmt.Println(SignV1(f[0], f[1], f[2]))
		} else {
			fmt.Println(SignV2(f[0], f[1], f[4], f[5], []byte(f[6]), f[2], f[3]))
		}
	}
}
`,
    }),
    run: ["go", "run", "main.go", "sign.go"],
  },
  Java: {
    sample: "Sign.java",
    commands: ["java", "javac"],
    files: (sample) => ({
      // One file, which java runs from its source; it begins with the first class.
      "Main.java": sample.replace(
        "final class Sign",
        `final class Main {
    public static void main(String[] args) throws Exception {
        String[] lines = new String(System.in.readAllBytes(), UTF_8).split("\\n", -1);
        String[] f = new String[lines.length];
        for (int i = 0; i < f.length; i++) f[i] = new String(java.util.Base64.getDecoder().decode(lines[i]), UTF_8);
        for (int i = 0; i < f.length; i += 7) {
            System.out.println(f[i + 3].isEmpty()
                ? Sign.v1(f[i], f[i + 1], f[i + 2])
                : Sign.v2(f[i], f[i + 1], f[i + 4], f[i + 5], f[i + 6].getBytes(UTF_8), f[i + 2], f[i + 3]));
        }
    }
}

final class Sign`,
      ),
    }),
    run: ["java", "Main.java"],
  },
  "C#": {
    sample: "Sign.cs",
    commands: ["dotnet"],
    files: () => ({
      "main.csproj":
        '<Project Sdk="Microsoft.NET.Sdk"><PropertyGroup><OutputType>Exe</OutputType>' +
        "<TargetFramework>net$(NETCoreAppMaximumVersion)</TargetFramework></PropertyGroup></Project>",
      "Main.cs": `using System;
using System.Linq;
using System.Text;
var f = Console.In.ReadToEnd().Split('\\n').Select(Convert.FromBase64String).ToArray();
string Text(int i) => Encoding.UTF8.GetString(f[i]);
for (var i = 0; i < f.Length; i += 7)
    Console.WriteLine(f[i + 3].Length == 0
        ? Sign.V1(Text(i), Text(i + 1), Text(i + 2))
        : Sign.V2(Text(i), Text(i + 1), Text(i + 4), Text(i + 5), f[i + 6], Text(i + 2), Text(i + 3)));
`,
    }),
    run: ["dotnet", "run"],
  },
};

for (const [language, { sample, commands, files, run }] of Object.entries(programs)) {
  const inLanguage = testUnless(missingCommands(...commands));

  inLanguage(
    `the program in ${language} signs calls in both versions as the vectors say`,
    async () => {
      const own = join(folder, sample);
      mkdirSync(own);
      const source = readFileSync(join(samples, sample), "utf8");
      writeFileSync(join(own, sample), source);
      for (const [name, content] of Object.entries(files(source))) {
        writeFileSync(join(own, name), content);
      }
      const [command, ...words] = run as [string, ...string[]];
      const env = { ...process.env, GOPROXY: "off", GOTOOLCHAIN: "local", GO111MODULE: "off" };
      const child = spawn(command, words, { cwd: own, env });
      child.stdin.end(input);
      const [printed, complaints] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, "close"),
      ]);
      expect(printed.trim().split("\n"), complaints).toEqual(asked.map((one) => one.signature));
    },
    300_000,
  );
}

test("this file runs every program in docs/api/samples, and docs/api/signatures.md links to each", () => {
  const page = readFileSync(join(samples, "..", "signatures.md"), "utf8");
  const known = Object.values(programs).map(({ sample }) => sample);
  expect(readdirSync(samples).sort()).toEqual(known.sort());
  for (const name of known) expect(page).toContain(`(samples/${name})`);
});
