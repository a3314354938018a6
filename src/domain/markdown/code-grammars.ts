/**
 * The grammars of the highlighted languages: their words, comments and strings, for the scanner in code-highlighter.ts.
 *
 * The file is long because it is a table. The classes of words and strings are the short names of Pygments.
 */

export interface Grammar {
  /** known words by class, separated by spaces */
  words: Readonly<Record<string, string>>
  /** what begins a comment that ends with its line */
  lineComments: readonly string[]
  blockComments: readonly (readonly [open: string, close: string])[]
  strings: readonly StringLiteral[]
  /** the class of a name that is not a known word */
  nameClass: string
  /** whether white space has a class of its own */
  marksSpace: boolean
  /** punctuation characters; every other ASCII sign is an operator */
  punctuation: string
  /** the class that a name gets after a given word */
  classAfter: Readonly<Record<string, string>>
  /** the class of `@name` */
  decoratorClass?: string
  /** the class of lines that begin with # */
  directiveClass?: string
  /** the class of a string that a colon follows: the key of an object */
  keyClass?: string
  /** the characters that a name can contain besides letters, digits and the underscore */
  nameCharacters?: string
  /** known words match whatever the case of their letters */
  isCaseless?: boolean
}

export interface StringLiteral {
  open: string
  close: string
  kind: string
  /** can contain line ends */
  isMultiline?: boolean
  /** a backslash does not escape the next character */
  isRaw?: boolean
}

const double: StringLiteral = { open: '"', close: '"', kind: 's2' }
const single: StringLiteral = { open: "'", close: "'", kind: 's1' }
const plain: StringLiteral = { open: '"', close: '"', kind: 's' }
const character: StringLiteral = { open: "'", close: "'", kind: 'sc' }
const backtick: StringLiteral = { open: '`', close: '`', kind: 'sb', isMultiline: true }

const cLike = {
  lineComments: ['//'],
  blockComments: [['/*', '*/']],
  strings: [plain, character],
  nameClass: 'n',
  marksSpace: true,
  punctuation: '()[]{},.;:',
  classAfter: { class: 'nc', struct: 'nc', interface: 'nc', enum: 'nc' },
} as const

const hashLike = {
  lineComments: ['#'],
  blockComments: [],
  strings: [double, single],
  nameClass: 'n',
  marksSpace: true,
  punctuation: '()[]{},;:.',
  classAfter: {},
} as const

const python: Grammar = {
  ...hashLike,
  words: {
    k: 'as assert async await break case class continue def del elif else except finally for global if lambda match nonlocal pass raise return try while with yield',
    kn: 'import from',
    kc: 'True False None',
    ow: 'and or not in is',
    bp: 'self cls',
    nb: 'abs all any bool bytes callable chr dict dir enumerate eval exec filter float format getattr hasattr hash hex id input int isinstance issubclass iter len list map max min next object open ord pow print property range repr reversed round set setattr slice sorted staticmethod classmethod str sum super tuple type vars zip',
    ne: 'Exception BaseException ValueError TypeError KeyError IndexError AttributeError RuntimeError StopIteration NotImplementedError OSError ImportError NameError ZeroDivisionError AssertionError',
  },
  strings: [
    { open: '"""', close: '"""', kind: 's2', isMultiline: true },
    { open: "'''", close: "'''", kind: 's1', isMultiline: true },
    double,
    single,
  ],
  marksSpace: false,
  punctuation: '()[]{},;:',
  classAfter: { def: 'nf', class: 'nc', import: 'nn', from: 'nn' },
  decoratorClass: 'nd',
}

const javascript: Grammar = {
  ...cLike,
  words: {
    k: 'async await break case catch continue debugger default delete do else export finally for from if import instanceof in of new return static super switch this throw try typeof void while with yield as',
    kd: 'class const extends function let var',
    kc: 'true false null undefined NaN Infinity',
    nb: 'Array Boolean Date Error Function JSON Map Math Number Object Promise Proxy RegExp Set String Symbol console document window globalThis parseFloat parseInt isNaN',
  },
  strings: [double, single, backtick],
  nameClass: 'nx',
  classAfter: { function: 'nx', class: 'nx' },
  nameCharacters: '$',
}

const typescript: Grammar = {
  ...javascript,
  words: {
    ...javascript.words,
    kd: `${javascript.words.kd} interface type enum namespace module declare abstract implements readonly private protected public`,
    kt: 'any bigint boolean never number object string symbol unknown',
  },
}

const c: Grammar = {
  ...cLike,
  words: {
    k: 'break case const continue default do else enum extern for goto if inline register restrict return sizeof static struct switch typedef union volatile while',
    kt: 'bool char double float int long short signed size_t unsigned void int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t',
    kc: 'true false NULL',
  },
  directiveClass: 'cp',
}

const cpp: Grammar = {
  ...c,
  words: {
    ...c.words,
    k: `${c.words.k} auto catch class concept consteval constexpr co_await co_return co_yield decltype delete explicit export final friend mutable namespace new noexcept operator override private protected public requires template this throw try typename using virtual`,
    kc: `${c.words.kc} nullptr`,
  },
}

const java: Grammar = {
  ...cLike,
  words: {
    k: 'assert break case catch continue default do else finally for if instanceof new record return super switch this throw try while yield',
    kd: 'abstract class enum extends final implements interface native private protected public sealed permits static strictfp synchronized throws transient var volatile',
    kn: 'import package',
    kt: 'boolean byte char double float int long short void',
    kc: 'true false null',
  },
  strings: [{ open: '"""', close: '"""', kind: 's', isMultiline: true }, plain, character],
  decoratorClass: 'nd',
}

const sql: Grammar = {
  ...hashLike,
  words: {
    k: 'add all alter and any as asc begin between by case check column commit conflict constraint create cross cascade database default delete desc distinct do drop else end exists explain except false fetch for foreign from full grant group having if in index inner insert intersect into is join key left like limit natural not nothing null offset on or order outer over partition primary references returning right rollback select set table then to transaction true truncate union unique update using values view when where with recursive',
    nb: 'bigint boolean bytea char date double int integer interval json jsonb numeric real serial smallint text time timestamp timestamptz uuid varchar',
  },
  lineComments: ['--'],
  blockComments: [['/*', '*/']],
  strings: [
    { ...single, isRaw: true },
    { open: '"', close: '"', kind: 'ss' },
  ],
  punctuation: '()[]{},;:.',
  isCaseless: true,
}

const bash: Grammar = {
  ...hashLike,
  words: {
    k: 'if fi else while in do done for then return function case select break continue until esac elif time',
    nb: 'alias bg cd command echo eval exec exit export fg getopts hash jobs kill let local printf pwd read readonly set shift source test trap type typeset ulimit umask unalias unset wait',
  },
  strings: [
    { ...double, isMultiline: true },
    { ...single, isMultiline: true, isRaw: true },
  ],
  punctuation: ';',
  nameCharacters: '-./',
}

/** By canonical name. */
export const grammars: Readonly<Record<string, Grammar>> = {
  Python: python,
  'Python 2.x': {
    ...python,
    words: { ...python.words, k: `${python.words.k} print exec`, nb: `${python.words.nb} unicode xrange raw_input` },
  },
  JavaScript: javascript,
  JSX: javascript,
  TypeScript: typescript,
  TSX: typescript,
  C: c,
  'C++': cpp,
  Java: java,
  SQL: sql,
  'PostgreSQL SQL dialect': sql,
  MySQL: sql,
  Bash: bash,
  JSON: {
    ...cLike,
    words: { kc: 'true false null' },
    strings: [double],
    keyClass: 'nt',
    classAfter: {},
  },
  'C#': {
    ...cLike,
    words: {
      k: 'abstract as async await base break case catch checked const continue default delegate do else enum event explicit extern finally fixed for foreach goto if implicit in interface internal is lock new operator out override params private protected public readonly record ref return sealed sizeof stackalloc static struct switch this throw try typeof unchecked unsafe using virtual volatile while yield',
      kt: 'bool byte char decimal double float int long object sbyte short string uint ulong ushort var void',
      kn: 'namespace',
      kc: 'true false null',
    },
  },
  Go: {
    ...cLike,
    words: {
      k: 'break case continue default defer else fallthrough for go goto if range return select switch',
      kd: 'chan const func interface map struct type var',
      kn: 'import package',
      kt: 'any bool byte complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr',
      kc: 'true false nil iota',
      nb: 'append cap close copy delete len make new panic print println recover',
    },
    strings: [plain, { open: '`', close: '`', kind: 's', isMultiline: true, isRaw: true }, character],
    nameClass: 'nx',
    classAfter: {},
  },
  Rust: {
    ...cLike,
    words: {
      k: 'as async await break const continue crate dyn else enum extern fn for if impl in loop match mod move mut pub ref return static struct super trait type union unsafe use where while',
      kd: 'let',
      bp: 'self Self',
      kt: 'bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize',
      kc: 'true false',
      nb: 'Box Err None Ok Option Result Some String Vec',
    },
    strings: [{ ...plain, isMultiline: true }],
    classAfter: { fn: 'nf', struct: 'nc', enum: 'nc', trait: 'nc', mod: 'nn' },
  },
  Kotlin: {
    ...cLike,
    words: {
      k: 'abstract annotation as break by catch companion continue data do else enum final finally for if in inline inner internal is lateinit new open operator out override private protected public return sealed super suspend this throw try when where while',
      kd: 'class fun interface object typealias val var',
      kn: 'import package',
      kc: 'true false null',
    },
    strings: [{ open: '"""', close: '"""', kind: 's', isMultiline: true, isRaw: true }, plain, character],
    classAfter: { fun: 'nf', class: 'nc', interface: 'nc', object: 'nc' },
    decoratorClass: 'nd',
  },
  Swift: {
    ...cLike,
    words: {
      k: 'as async await break case catch continue default defer do else fallthrough for guard if in is repeat return rethrows self Self super switch throw throws try where while',
      kd: 'associatedtype class deinit enum extension fileprivate func import init inout internal let open operator private protocol public static struct subscript typealias var',
      kc: 'true false nil',
    },
    strings: [{ open: '"""', close: '"""', kind: 's', isMultiline: true }, plain],
    classAfter: { func: 'nf', class: 'nc', struct: 'nc', enum: 'nc', protocol: 'nc' },
  },
  Scala: {
    ...cLike,
    words: {
      k: 'abstract case catch class do else enum extends final finally for forSome given if implicit lazy match new object override private protected return sealed super then this throw trait try type using val var while with yield def',
      kn: 'import package',
      kc: 'true false null',
    },
    strings: [{ open: '"""', close: '"""', kind: 's', isMultiline: true, isRaw: true }, plain, character],
    classAfter: { def: 'nf', class: 'nc', object: 'nc', trait: 'nc' },
    decoratorClass: 'nd',
  },
  Dart: {
    ...cLike,
    words: {
      k: 'as assert async await break case catch continue default do else extends finally for if implements in is mixin new on rethrow return show super switch sync this throw try while with yield',
      kd: 'abstract class const enum extension external factory final get late operator set static typedef var',
      kt: 'bool double dynamic int num void',
      kc: 'true false null',
    },
    strings: [double, single],
    decoratorClass: 'nd',
  },
  PHP: {
    ...cLike,
    words: {
      k: 'abstract and as break case catch class clone const continue declare default do echo else elseif enum extends final finally fn for foreach function global if implements include instanceof interface match namespace new or print private protected public readonly require return static switch throw trait try use var while xor yield',
      kc: 'true false null',
    },
    lineComments: ['//', '#'],
    strings: [
      { ...double, isMultiline: true },
      { ...single, isMultiline: true },
    ],
    classAfter: { function: 'nf', class: 'nc', interface: 'nc', trait: 'nc' },
    nameCharacters: '$',
  },
  Ruby: {
    ...hashLike,
    words: {
      k: 'alias begin break case class def defined do else elsif end ensure extend for if in include module next private protected public raise redo rescue retry return super then undef unless until when while yield require require_relative attr_reader attr_writer attr_accessor',
      kc: 'true false nil',
      bp: 'self',
      ow: 'and or not',
      nb: 'puts print p lambda proc loop format',
    },
    marksSpace: false,
    classAfter: { def: 'nf', class: 'nc', module: 'nn' },
    nameCharacters: '?!@',
  },
  Perl: {
    ...hashLike,
    words: {
      k: 'case continue do else elsif for foreach if last my next our redo reset return sub then unless until use package while local no',
      nb: 'chomp defined delete die each exists grep join keys length map open close pop print printf push ref reverse scalar shift sort split sprintf substr undef unshift values warn',
    },
    classAfter: { sub: 'nf', package: 'nn' },
    nameCharacters: '$',
  },
  S: {
    ...hashLike,
    words: {
      kr: 'if else for while repeat break next return function in',
      kc: 'TRUE FALSE NULL NA NaN Inf',
    },
    strings: [plain, { ...single, kind: 's' }],
    nameCharacters: '.',
  },
  Lua: {
    ...hashLike,
    words: {
      k: 'break do else elseif end for function goto if in local repeat return then until while',
      kc: 'true false nil',
      ow: 'and or not',
      nb: 'assert error ipairs next pairs pcall print require select setmetatable tonumber tostring type unpack',
    },
    lineComments: ['--'],
    blockComments: [['--[[', ']]']],
    classAfter: { function: 'nf' },
  },
  Haskell: {
    ...hashLike,
    words: {
      kr: 'case class data default deriving do else family forall foreign if in infix infixl infixr instance let newtype of then type where',
      kn: 'import module',
    },
    lineComments: ['--'],
    blockComments: [['{-', '-}']],
    strings: [plain],
    nameCharacters: "'",
  },
  Elixir: {
    ...hashLike,
    words: {
      k: 'after case catch cond do else end fn for if quote raise receive rescue super throw try unless unquote with',
      kd: 'def defp defmodule defprotocol defmacro defmacrop defdelegate defexception defimpl defstruct',
      kn: 'import require use alias',
      nb: 'true false nil',
      ow: 'and or not in when',
    },
    strings: [{ open: '"""', close: '"""', kind: 's', isMultiline: true }, plain, { ...single, kind: 's' }],
    classAfter: { def: 'nf', defp: 'nf', defmodule: 'nc' },
    nameCharacters: '?!',
  },
  Docker: {
    ...hashLike,
    words: {
      k: 'add arg cmd copy entrypoint env expose from healthcheck label maintainer onbuild run shell stopsignal user volume workdir as',
    },
    punctuation: ';',
    nameCharacters: '-./',
    isCaseless: true,
  },
  CSS: {
    ...cLike,
    words: { kc: 'auto inherit initial none unset block inline flex grid absolute relative fixed' },
    lineComments: [],
    strings: [double, single],
    nameClass: 'nt',
    nameCharacters: '-',
    classAfter: {},
  },
  TOML: {
    ...hashLike,
    words: { kc: 'true false' },
    strings: [{ open: '"""', close: '"""', kind: 's2', isMultiline: true }, double, { ...single, isRaw: true }],
    nameCharacters: '-',
  },
  PowerShell: {
    ...hashLike,
    words: {
      k: 'begin break catch class continue data do dynamicparam else elseif end exit filter finally for foreach from function hidden if in param process return static switch throw trap try until using while',
    },
    blockComments: [['<#', '#>']],
    strings: [
      { ...double, isMultiline: true, isRaw: true },
      { ...single, isMultiline: true, isRaw: true },
    ],
    nameCharacters: '$-',
    isCaseless: true,
  },
  Zig: {
    ...cLike,
    words: {
      k: 'align and asm async await break catch continue defer else enum errdefer error export extern for if inline noalias or orelse packed pub resume return struct suspend switch test try union usingnamespace while comptime',
      kd: 'const fn var threadlocal',
      kt: 'anyerror bool comptime_float comptime_int f16 f32 f64 f128 i8 i16 i32 i64 i128 isize noreturn type u8 u16 u32 u64 u128 usize void',
      kc: 'false null true undefined',
    },
    blockComments: [],
    classAfter: { fn: 'nf' },
    nameCharacters: '@',
  },
}
