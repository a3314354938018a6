/**
 * The names of programming languages, and the aliases that users write after a fence.
 *
 * Clients show the name and use it to choose a playground, so it is spelled as in Pygments. For a language that is not
 * in this table, clients get the name that the author typed. Source: messages.md 6.2.
 */

const rows = `
ActionScript: actionscript as
Ada: ada ada95
ANTLR: antlr
ApacheConf: apacheconf apache aconf
AppleScript: applescript
Arduino: arduino ino
aspx-cs: aspx-cs
AsciiDoc: asciidoc
autohotkey: autohotkey ahk
Awk: awk gawk mawk nawk
Bash: bash sh ksh zsh shell
Bash Session: console shell-session
Batchfile: batch bat dosbatch winbatch
BibTeX: bib bibtex
Brainfuck: brainfuck bf
BNF: bnf
C: c h
C#: csharp c# cs
C++: cpp c++ hpp cxx
Clojure: clojure clj
CMake: cmake
COBOL: cobol
CoffeeScript: coffeescript coffee coffee-script
Common Lisp: common-lisp cl lisp
Coq: coq rocq rocq-prover
Crystal: cr crystal
CSS: css
CUDA: cuda cu
Cypher: cypher
Cython: cython pyx pyrex
D: d
Dart: dart
Debian Control file: debcontrol control
Delphi: delphi pas pascal objectpascal
Diff: diff udiff patch
Django/Jinja: django jinja
Docker: docker dockerfile
DTD: dtd
EBNF: ebnf
Eiffel: eiffel
Elixir: elixir ex exs
Elm: elm
EmacsLisp: emacs-lisp elisp emacs
ERB: erb
Erlang: erlang
Erlang erl session: erl
F#: fsharp f#
Factor: factor
Fish: fish fishshell
Forth: forth
Fortran: fortran f90
GAS: gas asm
GDScript: gdscript gd
Gherkin: gherkin cucumber
GLSL: glsl
Gnuplot: gnuplot
Go: go golang
Gradle: gradle
GraphQL: graphql
Groff: groff nroff man
Groovy: groovy
Haml: haml
Handlebars: handlebars
Haskell: haskell hs
Haxe: haxe hxsl hx
HTML: html htm
HTML+Django/Jinja: html+django html+jinja htmldjango
HTML+PHP: html+php
HTTP: http
Idris: idris idr
INI: ini cfg dosini
IRC logs: irc
Isabelle: isabelle
J: j
Java: java
JavaScript: javascript js jsm node
JSON: json json-object
JSON-LD: jsonld json-ld
JSX: jsx react
Julia: julia jl
Julia console: jlcon julia-repl
Kotlin: kotlin kt kts
Lean: lean lean3
Lean4: lean4
LessCss: less
LLVM: llvm
Logtalk: logtalk
Lua: lua
Makefile: make makefile mf bsdmake
Mako: mako
Markdown: markdown md
Mathematica: mathematica mma nb wolfram wl
Matlab: matlab octave-m
MoonScript: moonscript moon
MySQL: mysql
NASM: nasm
Nginx configuration file: nginx
Nim: nimrod nim
Nix: nixos nix
NumPy: numpy
Objective-C: objective-c objectivec obj-c objc
Objective-C++: objective-c++ objectivec++ obj-c++ objc++
OCaml: ocaml
Octave: octave
PacmanConf: pacmanconf
Perl: perl pl
Perl6: perl6 pl6 raku
PHP: php php3 php4 php5
PL/pgSQL: plpgsql
PostgreSQL SQL dialect: postgresql postgres
PostgreSQL console (psql): psql postgresql-console postgres-console
PostScript: postscript postscr
PowerShell: powershell pwsh posh ps1 psm1
PowerShell Session: pwsh-session ps1con
Prolog: prolog
PromQL: promql
Properties: properties jproperties
Protocol Buffer: protobuf proto
Pug: pug jade
Puppet: puppet
Python: python py sage python3 py3 bazel starlark pyi
Python 2.x: python2 py2
Python console session: pycon python-console
Python Traceback: pytb py3tb
QML: qml qbs
R: rout
Racket: racket rkt
ReasonML: reasonml reason
reStructuredText: restructuredtext rst rest
RPMSpec: spec
Ruby: ruby rb duby
Ruby irb session: rbcon irb
Rust: rust rs
S: splus s r
Sass: sass
Scala: scala
Scheme: scheme scm
SCSS: scss
Smalltalk: smalltalk squeak st
Solidity: solidity
SPARQL: sparql
SQL: sql
sqlite3con: sqlite3
Standard ML: sml
Stan: stan
SVG: svg
Swift: swift
systemverilog: systemverilog sv
Tcl: tcl
Terraform: terraform tf hcl
TeX: tex latex
Text only: text
TOML: toml
TSX: tsx
Turtle: turtle
TypeScript: typescript ts
V: vlang
Vala: vala vapi
VB.net: vb.net vbnet lobas oobas sobas
verilog: verilog v
vhdl: vhdl
VimL: vim
WDiff: wdiff
WebAssembly: wast wat
XML: xml xsl rss xslt xsd wsdl wsf
XQuery: xquery xqy xq xql xqm
XSLT: xslt
YAML: yaml yml
YANG: yang
Zephir: zephir
Zig: zig
`

const names = new Map<string, string>()
for (const row of rows.trim().split('\n')) {
  const [name = '', aliases = ''] = row.split(': ')
  names.set(name.toLowerCase(), name)
  for (const alias of aliases.split(' ')) names.set(alias, name)
}

/** Returns the canonical name of a language for a typed name or alias, in any case; undefined: unknown language. */
export const findLanguageName = (typed: string): string | undefined => names.get(typed.toLowerCase())
