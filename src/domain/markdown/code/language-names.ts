/**
 * The names of programming languages, and the aliases that users write after a fence, as in Pygments 2.21.
 *
 * Clients show the name and use it to choose a playground. For a language that is not in this table, clients get the
 * name that the author typed. In brackets is the name of Prism's grammar (prism.ts), if it has one that fits: code in
 * the other languages is not highlighted. test/markdown/pygments.test.ts compares the table with Pygments.
 * Source: protocol/messages.md 6.2.
 */

const rows = `
ABAP [abap]: abap
ABNF [abnf]: abnf
ActionScript [actionscript]: actionscript as
ActionScript 3: actionscript3 as3
Ada [ada]: ada ada95 ada2005
ADL: adl
Agda [agda]: agda
Aheui: aheui
Alloy: alloy
AmbientTalk: ambienttalk ambienttalk/2 at
AMDGPU: amdgpu
Ampl: ampl
Angular2: ng2
ANSYS parametric design language: ansys apdl
ANTLR [antlr4]: antlr
ANTLR With ActionScript Target: antlr-actionscript antlr-as
ANTLR With C# Target: antlr-csharp antlr-c#
ANTLR With CPP Target: antlr-cpp
ANTLR With Java Target: antlr-java
ANTLR With ObjectiveC Target: antlr-objc
ANTLR With Perl Target: antlr-perl
ANTLR With Python Target: antlr-python
ANTLR With Ruby Target: antlr-ruby antlr-rb
ApacheConf [apacheconf]: apacheconf aconf apache
APL [apl]: apl
AppleScript [applescript]: applescript
Arduino [arduino]: arduino
Arrow: arrow
Arturo [arturo]: arturo art
ASCII armored: asc pem
ASN.1: asn1
AspectJ [java]: aspectj
aspx-cs: aspx-cs
aspx-vb: aspx-vb
Asymptote: asymptote asy
Augeas: augeas
autohotkey [autohotkey]: autohotkey ahk
AutoIt [autoit]: autoit
Awk [awk]: awk gawk mawk nawk
BARE: bare
Base Makefile [makefile]: basemake
Bash [bash]: bash sh ksh zsh shell openrc
Bash Session [shell-session]: console shell-session
Batchfile [batch]: batch bat dosbatch winbatch
BBC Basic [basic]: bbcbasic
BBCode [bbcode]: bbcode
BC: bc
Bdd: bdd
Befunge: befunge
Berry: berry be
BibTeX: bibtex bib
BitBake: bitbake
BlitzBasic: blitzbasic b3d bplus
BlitzMax: blitzmax bmax
Blueprint: blueprint
BNF [bnf]: bnf
Boa: boa
Boo: boo
Boogie: boogie
BQN [bqn]: bqn
Brainfuck [brainfuck]: brainfuck bf
BST: bst bst-pybtex
BUGS: bugs winbugs openbugs
C [c]: c
C# [csharp]: csharp c# cs
C++ [cpp]: cpp c++
c-objdump: c-objdump
ca65 assembler: ca65
Caddyfile: caddyfile caddy
cADL: cadl
CAmkES: camkes idl4
Cap'n Proto: capnp
CapDL: capdl
Carbon: carbon
CBM BASIC V2: cbmbas
CDDL: cddl
CEL: cel
Ceylon: ceylon
CFEngine3: cfengine3 cf3
cfstatement: cfs
ChaiScript [chaiscript]: chaiscript chai
Chapel: chapel chpl
Charmci [cpp]: charmci
Cheetah: cheetah spitfire
Cirru: cirru
Clay: clay
Clean: clean
Clojure [clojure]: clojure clj
ClojureScript [clojure]: clojurescript cljs
CMake [cmake]: cmake
COBOL [cobol]: cobol
COBOLFree [cobol]: cobolfree
CodeQL: codeql ql
CoffeeScript [coffeescript]: coffeescript coffee-script coffee
Coldfusion CFC [cfscript]: cfc
Coldfusion HTML: cfm
COMAL-80: comal comal80
Common Lisp [lisp]: common-lisp cl lisp
Component Pascal: componentpascal cp
cplint: cplint
cpp-objdump: cpp-objdump c++-objdumb cxx-objdump
CPSA: cpsa
Crmsh: crmsh pcmk
Croc: croc
Cryptol: cryptol cry
Crystal [crystal]: cr crystal
Csound Document: csound-document csound-csd
Csound Orchestra: csound csound-orc
Csound Score: csound-score csound-sco
CSS [css]: css
CSS+Django/Jinja: css+django css+jinja
CSS+Genshi Text: css+genshitext css+genshi
CSS+Lasso: css+lasso
CSS+Mako: css+mako
CSS+mozpreproc: css+mozpreproc
CSS+Myghty: css+myghty
CSS+PHP [php]: css+php
CSS+Ruby: css+ruby css+erb
CSS+Smarty: css+smarty
CSS+UL4: css+ul4
CUDA [cpp]: cuda cu
Cypher [cypher]: cypher
Cython [python]: cython pyx pyrex
D [d]: d
d-objdump: d-objdump
Darcs Patch [patch]: dpatch
Dart [dart]: dart
DASM16: dasm16
Dax [dax]: dax
Debian Control file: debcontrol control
Debian Sourcelist: debsources sourceslist sources.list
Debian Sources file: debian.sources
Delphi [pascal]: delphi pas pascal objectpascal
Desktop file [ini]: desktop
Devicetree: devicetree dts
dg: dg
Diff [patch]: diff udiff
Django/Jinja [django]: django jinja
Docker [docker]: docker dockerfile
DTD [markup]: dtd
Duel: duel jbst jsonml+bst
Dylan: dylan
Dylan session: dylan-console dylan-repl
DylanLID: dylan-lid lid
E-mail: email eml
Earl Grey: earl-grey earlgrey eg
Easytrieve: easytrieve
EBNF [ebnf]: ebnf
eC: ec
ECL: ecl
Eiffel [eiffel]: eiffel
Elixir [elixir]: elixir ex exs
Elixir iex session: iex
Elm [elm]: elm
Elpi: elpi
EmacsLisp [lisp]: emacs-lisp elisp emacs
Embedded Ragel: ragel-em
ERB [erb]: erb
Erlang [erlang]: erlang
Erlang erl session: erl
Evoque: evoque
execline: execline
Ezhil: ezhil
F# [fsharp]: fsharp f#
Factor [factor]: factor
Fancy: fancy fy
Fantom: fan
Felix: felix flx
Fennel: fennel fnl
Fift: fift fif
Fish [bash]: fish fishshell
Flatline: flatline
FloScript: floscript flo
Forth: forth
Fortran [fortran]: fortran f90
FortranFixed [fortran]: fortranfixed
FoxPro: foxpro vfp clipper xbase
Freefem: freefem
FStar: fstar
FunC: func fc
Futhark: futhark
g-code [gcode]: gcode
GAP [gap]: gap
GAP session: gap-console gap-repl
GAS: gas asm
GDScript [gdscript]: gdscript gd
Genshi: genshi kid xml+genshi xml+kid
Genshi Text: genshitext
Gettext Catalog [gettext]: pot po
Gherkin [gherkin]: gherkin cucumber
Gleam: gleam
GLSL [glsl]: glsl
Gnuplot: gnuplot
Go [go]: go golang
Golo: golo
GoodData-CL: gooddata-cl
GoogleSQL [sql]: googlesql zetasql
Gosu: gosu
Gosu Template: gst
GraphQL [graphql]: graphql
Graphviz [dot]: graphviz dot
Groff: groff nroff man
Groovy [groovy]: groovy
GSQL: gsql
Haml [haml]: haml
Handlebars [handlebars]: handlebars
Hare: hare
Haskell [haskell]: haskell hs
Haxe [haxe]: haxe hxsl hx
Hexdump: hexdump
HLSL [hlsl]: hlsl
HSAIL: hsail hsa
Hspec: hspec
HTML [markup]: html
HTML + Angular2 [markup]: html+ng2
HTML+Cheetah: html+cheetah html+spitfire htmlcheetah
HTML+Django/Jinja [django]: html+django html+jinja htmldjango
HTML+Evoque: html+evoque
HTML+Genshi: html+genshi html+kid
HTML+Handlebars [handlebars]: html+handlebars
HTML+Lasso: html+lasso
HTML+Mako: html+mako
HTML+Myghty: html+myghty
HTML+PHP [php]: html+php
HTML+Smarty: html+smarty
HTML+Twig [twig]: html+twig
HTML+UL4: html+ul4
HTML+Velocity: html+velocity
HTTP [http]: http
Hxml: haxeml hxml
Hy: hylang hy
Hybris: hybris
Icon: icon
IDL: idl
Idris [idris]: idris idr
Igor: igor igorpro
Inform 6: inform6 i6
Inform 6 template: i6t
Inform 7: inform7 i7
INI [ini]: ini cfg dosini
Io: io
Ioke: ioke ik
IRC logs: irc
Isabelle: isabelle
J: j
JAGS: jags
Janet: janet
Jasmin: jasmin jasminxt
Java [java]: java
Java Server Page: jsp
JavaScript [javascript]: javascript js
JavaScript+Cheetah: javascript+cheetah js+cheetah javascript+spitfire js+spitfire
JavaScript+Django/Jinja: javascript+django js+django javascript+jinja js+jinja
JavaScript+Genshi Text: js+genshitext js+genshi javascript+genshitext javascript+genshi
JavaScript+Lasso: javascript+lasso js+lasso
JavaScript+Mako: javascript+mako js+mako
Javascript+mozpreproc: javascript+mozpreproc
JavaScript+Myghty: javascript+myghty js+myghty
JavaScript+PHP [php]: javascript+php js+php
JavaScript+Ruby: javascript+ruby js+ruby javascript+erb js+erb
JavaScript+Smarty: javascript+smarty js+smarty
Javascript+UL4: js+ul4
JCL: jcl
JMESPath: jmespath jp
JSGF: jsgf
JSLT: jslt
JSON [json]: json json-object
JSON-LD [json]: jsonld json-ld
JSON5 [json5]: json5
JSONBareObject:
Jsonnet: jsonnet
JSX [jsx]: jsx react
Julia [julia]: julia jl
Julia console: jlcon julia-repl
Juttle: juttle
K: k
Kal: kal
Kconfig: kconfig menuconfig linux-config kernel-config
Kernel log: kmsg dmesg
Koka: koka
Kotlin [kotlin]: kotlin
Kuin: kuin
Kusto [kusto]: kql kusto
Lasso: lasso lassoscript
LDAP configuration file: ldapconf ldaprc
LDIF: ldif
Lean: lean lean3
Lean4: lean4
LessCss [less]: less
Lighttpd configuration file: lighttpd lighty
LilyPond [lilypond]: lilypond
Limbo: limbo
liquid [liquid]: liquid
Literate Agda: literate-agda lagda
Literate Cryptol: literate-cryptol lcryptol lcry
Literate Haskell: literate-haskell lhaskell lhs
Literate Idris: literate-idris lidris lidr
LiveScript [livescript]: livescript live-script
LLVM [llvm]: llvm
LLVM-MIR: llvm-mir
LLVM-MIR Body: llvm-mir-body
Logos: logos
Logtalk: logtalk
LSL: lsl
Lua [lua]: lua
Luau [lua]: luau
Macaulay2: macaulay2
Makefile [makefile]: make makefile mf bsdmake
Mako: mako
Maple: maple
MAQL: maql
Markdown [markdown]: markdown md
Mask: mask
Mason: mason
Mathematica [wolfram]: mathematica mma nb wl wolfram
Matlab [matlab]: matlab
Matlab session: matlabsession
Maxima: maxima macsyma
MCFunction: mcfunction mcf
MCSchema: mcschema
Meson: meson meson.build
MIME: mime
MiniD: minid
MiniScript: miniscript ms
MIPS: mips
Modelica: modelica
Modula-2: modula2 m2
MoinMoin/Trac Wiki markup: trac-wiki moin
Mojo [python]: mojo 🔥
Monkey: monkey
Monte: monte
MOOCode: moocode moo
MoonScript [moonscript]: moonscript moon
Mosel: mosel
mozhashpreproc: mozhashpreproc
mozpercentpreproc: mozpercentpreproc
MQL: mql mq4 mq5 mql4 mql5
Mscgen: mscgen msc
MSDOS Session: doscon
MuPAD: mupad
MXML: mxml
Myghty: myghty
MySQL [sql]: mysql
NASM [nasm]: nasm
NCL: ncl
Nemerle: nemerle
nesC [c]: nesc
NestedText: nestedtext nt
NewLisp: newlisp
Newspeak: newspeak
Nginx configuration file [nginx]: nginx
Nimrod [nim]: nimrod nim
Nit: nit
Nix [nix]: nixos nix
Node.js REPL console session: nodejsrepl
Notmuch: notmuch
NSIS [nsis]: nsis nsi nsh
Numba_IR: numba_ir numbair
NumPy [python]: numpy
NuSMV: nusmv
objdump: objdump
objdump-nasm: objdump-nasm
Objective-C [objectivec]: objective-c objectivec obj-c objc
Objective-C++ [objectivec]: objective-c++ objectivec++ obj-c++ objc++
Objective-J: objective-j objectivej obj-j objj
OCaml [ocaml]: ocaml
Octave [matlab]: octave
ODIN: odin
OMG Interface Definition Language: omg-idl
Ooc: ooc
Opa: opa
OpenEdge ABL: openedge abl progress
OpenSCAD: openscad
Org Mode: org orgmode org-mode
PacmanConf: pacmanconf
Pan: pan
ParaSail: parasail
Pawn: pawn
PDDL: pddl
PEG: peg
Perl [perl]: perl pl
Perl6: perl6 pl6 raku
Phix: phix
PHP [php]: php php3 php4 php5
Pig: pig
Pike: pike
PkgConfig: pkgconfig
PL/pgSQL [sql]: plpgsql
Pointless: pointless
Pony: pony
Portugol: portugol
PostgreSQL console (psql): psql postgresql-console postgres-console
PostgreSQL EXPLAIN dialect: postgres-explain
PostgreSQL SQL dialect [sql]: postgresql postgres
PostScript: postscript postscr
POVRay: pov
PowerShell [powershell]: powershell pwsh posh ps1 psm1
PowerShell Session: pwsh-session ps1con
Praat: praat
Procfile: procfile
Prolog [prolog]: prolog
Promela: promela
PromQL [promql]: promql
Properties [properties]: properties jproperties
Protocol Buffer [protobuf]: protobuf proto
PRQL: prql
PsySH console session for PHP: psysh
PTX: ptx
Pug [pug]: pug jade
Puppet [puppet]: puppet
PureScript [purescript]: purescript purs
PyPy Log: pypylog pypy
Python [python]: python py sage python3 py3 bazel starlark pyi
Python 2.x [python]: python2 py2
Python 2.x Traceback: py2tb
Python console session [pycon]: pycon python-console
Python Traceback: pytb py3tb
Python+UL4: py+ul4
Q: q
QBasic [basic]: qbasic basic
Qlik: qlik qlikview qliksense qlikscript
QML [qml]: qml qbs
QVTO: qvto qvt
Racket [racket]: racket rkt
Ragel: ragel
Ragel in C Host: ragel-c
Ragel in CPP Host: ragel-cpp
Ragel in D Host: ragel-d
Ragel in Java Host: ragel-java
Ragel in Objective C Host: ragel-objc
Ragel in Ruby Host: ragel-ruby ragel-rb
Raw token data:
RConsole: rconsole rout
Rd: rd
ReasonML [reason]: reasonml reason
REBOL: rebol
Red: red red/system
Redcode: redcode
reg: registry
Rego [rego]: rego
Relax-NG Compact: rng-compact rnc
Rell: rell
ResourceBundle: resourcebundle resource
reStructuredText [rest]: restructuredtext rst rest
Rexx: rexx arexx
RHTML [erb]: rhtml html+erb html+ruby
Ride: ride
Rita: rita
Roboconf Graph: roboconf-graph
Roboconf Instances: roboconf-instances
RobotFramework [robotframework]: robotframework
Rocq Prover [coq]: coq rocq rocq-prover
RPMSpec: spec
RQL: rql
RSL: rsl
Ruby [ruby]: ruby rb duby
Ruby irb session: rbcon irb
Rust [rust]: rust rs
S [r]: splus s r
SARL: sarl
SAS [sas]: sas
Sass [sass]: sass
Savi: savi
Scala [scala]: scala
Scalate Server Page: ssp
Scaml: scaml
scdoc: scdoc scd
Scheme [scheme]: scheme scm
Scilab: scilab
SCSS [scss]: scss
Sed: sed gsed ssed
Shen: shen
ShExC: shexc shex
Sieve: sieve
Silver: silver
Singularity: singularity
Slash: slash
Slim: slim
Slurm: slurm sbatch
Smali [smali]: smali
Smalltalk [smalltalk]: smalltalk squeak st
SmartGameFormat: sgf
Smarty [smarty]: smarty
Smithy: smithy
SNBT: snbt
Snobol: snobol
Snowball: snowball
Solidity [solidity]: solidity
Soong: androidbp bp soong
Sophia: sophia
SourcePawn: sp
SPARQL [sparql]: sparql
Spice: spice spicelang
SQL [sql]: sql
SQL+Jinja: sql+jinja
sqlite3con: sqlite3
SquidConf: squidconf squid.conf squid
Srcinfo: srcinfo
Stan [stan]: stan
Standard ML [sml]: sml
Stata [stata]: stata do
SuperCollider [supercollider]: supercollider sc
Swift [swift]: swift
SWIG: swig
Systemd [systemd]: systemd
systemverilog [verilog]: systemverilog sv
TableGen: tablegen td
Tact: tact
TADS 3: tads3
Tal: tal uxntal
TAP [tap]: tap
TASM: tasm
Tcl [tcl]: tcl
Tcsh: tcsh csh
Tcsh Session: tcshcon
Tea: tea
teal: teal
Tera Term macro: teratermmacro teraterm ttl
Termcap: termcap
Terminfo: terminfo
Terraform [hcl]: terraform tf hcl
TeX [latex]: tex latex
Text only: text
Text output: output
ThingsDB: ti thingsdb
Thrift: thrift
tiddler: tid
Tl-b: tlb
TLS Presentation Language: tls
Todotxt: todotxt
TOML [toml]: toml
TrafficScript: trafficscript rts
Transact-SQL [sql]: tsql t-sql
Treetop: treetop
TSX [tsx]: tsx
Turtle [turtle]: turtle
Twig [twig]: twig
TypeScript [typescript]: typescript ts
Typographic Number Theory: tnt
TypoScript [typoscript]: typoscript
TypoScriptCssData: typoscriptcssdata
TypoScriptHtmlData: typoscripthtmldata
Typst: typst
ucode: ucode
UL4: ul4
Unicon: unicon
Unix/Linux config files [ini]: unixconfig linuxconfig
UrbiScript: urbiscript
urlencoded: urlencoded
USD: usd usda
Vala [vala]: vala vapi
VB.net [vbnet]: vb.net vbnet lobas oobas sobas visual-basic visualbasic
VBScript [vbnet]: vbscript
VCL: vcl
VCLSnippets: vclsnippets vclsnippet
VCTreeStatus: vctreestatus
Velocity [velocity]: velocity
Verifpal: verifpal
verilog [verilog]: verilog v
VGL: vgl
vhdl [vhdl]: vhdl
VimL [vim]: vim
Visual Prolog: visualprolog
Visual Prolog Grammar: visualprologgrammar
Vue [markup]: vue
Vyper [python]: vyper
WDiff: wdiff
Web IDL [web-idl]: webidl
WebAssembly [wasm]: wast wat
WebGPU Shading Language [wgsl]: wgsl
Whiley: whiley
Wikitext [wiki]: wikitext mediawiki
World of Warcraft TOC: wowtoc
Wren [wren]: wren
X++: xpp x++
X10: x10 xten
XML [markup]: xml
XML+Cheetah: xml+cheetah xml+spitfire
XML+Django/Jinja: xml+django xml+jinja
XML+Evoque: xml+evoque
XML+Lasso: xml+lasso
XML+Mako: xml+mako
XML+Myghty: xml+myghty
XML+PHP [php]: xml+php
XML+Ruby: xml+ruby xml+erb
XML+Smarty: xml+smarty
XML+UL4: xml+ul4
XML+Velocity: xml+velocity
Xorg: xorg.conf
XQuery [xquery]: xquery xqy xq xql xqm
XSLT [markup]: xslt
Xtend: xtend
xtlang: extempore
XUL+mozpreproc: xul+mozpreproc
YAML [yaml]: yaml yml
YAML+Jinja: yaml+jinja salt sls
YANG [yang]: yang
YARA: yara yar
Zeek [bro]: zeek bro
Zephir: zephir
Zig [zig]: zig
Zone [dns-zone-file]: zone
`

export interface Language {
  name: string
  /** Prism's name of the grammar; undefined: there is none */
  grammar: string | undefined
}

const languages = new Map<string, Language>()

/** Parses the table when it is first used, so that it costs a process without code nothing. */
const parseRows = (): void => {
  for (const row of rows.trim().split('\n')) {
    const [, name = '', grammar, aliases = ''] = /^(.*?)(?: \[(.+)\])?:(.*)$/.exec(row) ?? []
    for (const alias of aliases.trim().split(' ')) languages.set(alias.toLowerCase(), { name, grammar })
  }
}

/** Finds the language with a typed alias, in any case. Returns undefined if the language is unknown. */
export const findLanguage = (typed: string): Language | undefined => {
  if (languages.size === 0) parseRows()
  return languages.get(typed.toLowerCase())
}
