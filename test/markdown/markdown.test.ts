/**
 * Markdown to HTML, in the order of protocol/messages.md 6.1 to 6.4. Each row has the typed text and the HTML that
 * clients get.
 */
import { describe, expect, test } from 'vitest'
import { encodePart } from '../../rules/src/links.js'
import { findEmojiCode } from '../../src/domain/emoji/emoji-table.js'
import type { RenderContext } from '../../src/domain/markdown/context/render-context.js'
import { findLinkedTopics } from '../../src/domain/markdown/inline/channel-links.js'
import { isMeMessage, render, renderInline } from '../../src/domain/markdown/render.js'
import { renderContext } from './render-context.js'

const html = (content: string, more: Partial<RenderContext> = {}) => render(content, { ...renderContext, ...more }).html

/** Returns the content of the only paragraph. */
const inParagraph = (content: string, more: Partial<RenderContext> = {}) => {
  const result = html(content, more)
  expect(result).toMatch(/^<p>.*<\/p>$/s)
  return result.slice('<p>'.length, -'</p>'.length)
}

const rows = (table: [string, string][]) =>
  test.each(table)('The renderer writes the expected HTML for %j.', (typed, expected) =>
    expect(html(typed)).toBe(expected),
  )

const inlineRows = (table: [string, string][], more: Partial<RenderContext> = {}) =>
  test.each(table)('The renderer writes the expected paragraph for %j.', (typed, expected) =>
    expect(inParagraph(typed, more)).toBe(expected),
  )

const emojiSpan = (name: string, code: string) => {
  const label = name.replaceAll('_', ' ')
  return `<span aria-label="${label}" class="emoji emoji-${code}" role="img" title="${label}">:${name}:</span>`
}

const codeBlock = (code: string, language = '') =>
  `<div class="codehilite"${language && ` data-code-language="${language}"`}><pre><span></span><code>${code}\n</code></pre></div>`

describe('Output in general (6.1)', () => {
  rows([
    ['', ''],
    [' \n\n ', ''],
    ['a\n\n\n\nb\n', '<p>a</p>\n<p>b</p>'],
    ['a\r\nb', '<p>a<br>\nb</p>'],
    ['a & b < c > d "e" \'f\'', '<p>a &amp; b &lt; c &gt; d "e" \'f\'</p>'],
    ['&amp; &copy; &#169; &#xA9; &amp;amp;', '<p>&amp; &copy; &#169; &#xA9; &amp;amp;</p>'],
    ['&; &x y; &#x;', '<p>&amp;; &amp;x y; &amp;#x;</p>'],
    [
      '<b onclick="x()">y</b><script>z</script>',
      '<p>&lt;b onclick="x()"&gt;y&lt;/b&gt;&lt;script&gt;z&lt;/script&gt;</p>',
    ],
    ['\\*a\\* \\`b\\`', '<p>\\<em>a\\</em> \\`b\\`</p>'],
    ['![x](https://e.org)', '<p>![x](<a href="https://e.org">https://e.org</a>)</p>'],
    ['[a][b]\n\n[b]: x', '<p>[a][b]</p>\n<p>[b]: x</p>'],
    ['Title\n===', '<p>Title<br>\n===</p>'],
    ['_a_ __b__ snake_case_name', '<p>_a_ __b__ snake_case_name</p>'],
    ['a[^1]', '<p>a[^1]</p>'],
    ['in*tra*word **b**c', '<p>in<em>tra</em>word <strong>b</strong>c</p>'],
  ])
})

describe('Blocks (6.2)', () => {
  describe('Paragraphs, headings and rules', () => {
    rows([
      ['one\ntwo', '<p>one<br>\ntwo</p>'],
      ['one\n\ntwo', '<p>one</p>\n<p>two</p>'],
      ['one  \n  two', '<p>one  <br>\n  two</p>'],
      ['one\n  **two**', '<p>one<br>\n<strong>two</strong></p>'],
      [
        'one\n   :cat: x\n   🎄',
        `<p>one<br>\n${emojiSpan('cat', '1f408')} x<br>\n${emojiSpan('holiday_tree', '1f384')}</p>`,
      ],
      ['one\n  x `two`', '<p>one<br>\n  x <code>two</code></p>'],
      ['  two spaces', '<p>two spaces</p>'],
      ['# Title', '<h1>Title</h1>'],
      ...[2, 3, 4, 5, 6].map((n): [string, string] => [`${'#'.repeat(n)} T`, `<h${n}>T</h${n}>`]),
      ['##  T ##', '<h2>T</h2>'],
      ['####### T', '<p>####### T</p>'],
      ['#T', '<p>#T</p>'],
      ['a\n# b\nc', '<p>a</p>\n<h1>b</h1>\n<p>c</p>'],
      ['# *a* @**Ada Low**', '<h1><em>a</em> <span class="user-mention" data-user-id="7">@Ada Low</span></h1>'],
      ['---', '<hr>'],
      ['***', '<hr>'],
      ['___', '<hr>'],
      ['- - -', '<hr>'],
      ['a\n---\nb', '<p>a</p>\n<hr>\n<p>b</p>'],
      ['--', '<p>--</p>'],
    ])
  })

  describe('Lists', () => {
    rows([
      ['* a\n* b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
      ['- a\n- b', '<ul>\n<li>a</li>\n<li>b</li>\n</ul>'],
      ['+ a\n- b\n* c', '<ul>\n<li>a</li>\n<li>b</li>\n<li>c</li>\n</ul>'],
      ...['*', '-', '+'].map((sign): [string, string] => [`text:\n${sign} a`, '<p>text:</p>\n<ul>\n<li>a</li>\n</ul>']),
      ['text:\n1. a', '<p>text:</p>\n<ol>\n<li>a</li>\n</ol>'],
      ['* a\n  * b', '<ul>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>'],
      [
        '1. one\n  2. two\n    3. three\n    3. again\n  2. back\n2. out',
        '<ol>\n<li>one<ol start="2">\n<li>two<ol start="3">\n<li>three</li>\n<li>again</li>\n</ol>\n</li>\n<li>back</li>\n</ol>\n</li>\n<li>out</li>\n</ol>',
      ],
      ['* a\n\n* b', '<ul>\n<li>\n<p>a</p>\n</li>\n<li>\n<p>b</p>\n</li>\n</ul>'],
      ['* a\n  more', '<ul>\n<li>a<br>\n  more</li>\n</ul>'],
      ['* a\n\n  more', '<ul>\n<li>\n<p>a</p>\n<p>more</p>\n</li>\n</ul>'],
      [
        '* a\n  * b\n\n    b too\n    and on',
        '<ul>\n<li>a<ul>\n<li>\n<p>b</p>\n<p>b too<br>\nand on</p>\n</li>\n</ul>\n</li>\n</ul>',
      ],
      ['1. a\n2. b', '<ol>\n<li>a</li>\n<li>b</li>\n</ol>'],
      ['3. a\n3. b', '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'],
      ['9999. a\n10000. b', '<ol start="9999">\n<li>a</li>\n<li>b</li>\n</ol>'],
      ['* a\n1. b', '<ul>\n<li>a</li>\n</ul>\n<ol>\n<li>b</li>\n</ol>'],
      ['* 1. a', '<ul>\n<li>\n<ol>\n<li>a</li>\n</ol>\n</li>\n</ul>'],
      ['*a\n-b\n1.c', '<p>*a<br>\n-b<br>\n1.c</p>'],
      ['para:\n\n    1. x\n      2. y', `<p>para:</p>\n${codeBlock('1. x\n  2. y')}`],
      [
        '8. a\n9. b\n  - x\n10. c',
        '<ol start="8">\n<li>a</li>\n<li>b<ul>\n<li>x</li>\n</ul>\n</li>\n<li>c</li>\n</ol>',
      ],
      [
        '10. a\n  - x\n11. b\n  - y\n12. c',
        '<ol start="10">\n<li>a<ul>\n<li>x</li>\n</ul>\n</li>\n<li>b<ul>\n<li>y</li>\n</ul>\n</li>\n<li>c</li>\n</ol>',
      ],
      [
        '1. a\n  9. x\n  10. y\n2. b',
        '<ol>\n<li>a<ol start="9">\n<li>x</li>\n<li>y</li>\n</ol>\n</li>\n<li>b</li>\n</ol>',
      ],
      [
        '9. a\n\n   - x\n10. b',
        '<ol start="9">\n<li>\n<p>a</p>\n<ul>\n<li>x</li>\n</ul>\n</li>\n<li>\n<p>b</p>\n</li>\n</ol>',
      ],
      ['* in\n2020. x', '<ul>\n<li>in<br>\n2020. x</li>\n</ul>'],
      ['1. in\n2020. x', '<ol>\n<li>in</li>\n<li>x</li>\n</ol>'],
      ['we met in\n2020. x', '<p>we met in<br>\n2020. x</p>'],
      ['* a\n  1. x\n  2. y\n* b', '<ul>\n<li>a<ol>\n<li>x</li>\n<li>y</li>\n</ol>\n</li>\n<li>b</li>\n</ul>'],
      [
        '1. a\n  * x\n2. b\n  * y\n3. c',
        '<ol>\n<li>a<ul>\n<li>x</li>\n</ul>\n</li>\n<li>b<ul>\n<li>y</li>\n</ul>\n</li>\n<li>c</li>\n</ol>',
      ],
      [
        '* a\n  1. x\n    * deep\n  2. y\n* b',
        '<ul>\n<li>a<ol>\n<li>x<ul>\n<li>deep</li>\n</ul>\n</li>\n<li>y</li>\n</ol>\n</li>\n<li>b</li>\n</ul>',
      ],
      ['text\n* a\n  1. x\n* b', '<p>text</p>\n<ul>\n<li>a<ol>\n<li>x</li>\n</ol>\n</li>\n<li>b</li>\n</ul>'],
      [
        '1. A\n\n1. B\n\n1. C\nplain\n1. D',
        '<ol>\n<li>\n<p>A</p>\n</li>\n<li>\n<p>B</p>\n</li>\n<li>\n<p>C<br>\nplain</p>\n</li>\n<li>\n<p>D</p>\n</li>\n</ol>',
      ],
    ])
  })

  describe('Quotes', () => {
    rows([
      ['> q', '<blockquote>\n<p>q</p>\n</blockquote>'],
      ['> a\nb\n> c', '<blockquote>\n<p>a<br>\nb<br>\nc</p>\n</blockquote>'],
      ['> a\n\n> b', '<blockquote>\n<p>a</p>\n</blockquote>\n<blockquote>\n<p>b</p>\n</blockquote>'],
      ['> a\n>\n> b', '<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>'],
      ['a\n> b', '<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>'],
      ['>', '<p>&gt;</p>'],
      ['>>>', '<blockquote>\n<blockquote>\n<p>&gt;</p>\n</blockquote>\n</blockquote>'],
      ['>\n>\ntext', '<blockquote>\n<p>text</p>\n</blockquote>'],
      ['> * a\n> * b', '<blockquote>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n</blockquote>'],
      ['> x:\n> * a\n> * b', '<blockquote>\n<p>x:</p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n</blockquote>'],
      [
        '> x\n> 1. a\n> 2. b\n> \n> y',
        '<blockquote>\n<p>x</p>\n<ol>\n<li>a</li>\n<li>b</li>\n</ol>\n<p>y</p>\n</blockquote>',
      ],
      ['> > x\n> > - a', '<blockquote>\n<blockquote>\n<p>x</p>\n<ul>\n<li>a</li>\n</ul>\n</blockquote>\n</blockquote>'],
      [
        '> x\n> ```py\n> y\n>\n> z\n> ```\n> w',
        `<blockquote>\n<p>x</p>\n${codeBlock('<span class="n">y</span>\n\n<span class="n">z</span>', 'Python')}\n<p>w</p>\n</blockquote>`,
      ],
      ['> ```\n> *x*', `<blockquote>\n${codeBlock('*x*')}\n</blockquote>`],
      ['> ~~~quote\n> x\n> ~~~', '<blockquote>\n<blockquote>\n<p>x</p>\n</blockquote>\n</blockquote>'],
      [
        '> > ```\n> > x\n> > ```\n> y',
        `<blockquote>\n<blockquote>\n${codeBlock('x')}\n<p>y</p>\n</blockquote>\n</blockquote>`,
      ],
      ['> ```\n> ```', ''],
      ['```quote\nq\n```', '<blockquote>\n<p>q</p>\n</blockquote>'],
      ['~~~ quoted\nq\n~~~', '<blockquote>\n<p>q</p>\n</blockquote>'],
      ['```quote\na\n\nb\n* c\n```', '<blockquote>\n<p>a</p>\n<p>b</p>\n<ul>\n<li>c</li>\n</ul>\n</blockquote>'],
      ['```quote\nq\n```\n> r', '<blockquote>\n<p>q</p>\n</blockquote>\n<blockquote>\n<p>r</p>\n</blockquote>'],
      [
        'He:\n~~~ quote\nShe:\n~~~ quote\nIt:\n```\ncode\n```\n~~~\nbye\n~~~\nend',
        `<p>He:</p>\n<blockquote>\n<p>She:</p>\n<blockquote>\n<p>It:</p>\n${codeBlock('code')}\n</blockquote>\n<p>bye</p>\n</blockquote>\n<p>end</p>`,
      ],
      ['````quote\n```quote\nq\n```\n````', '<blockquote>\n<blockquote>\n<p>q</p>\n</blockquote>\n</blockquote>'],
      ['```quoted\nq', '<blockquote>\n<p>q</p>\n</blockquote>'],
      ['a\n```quote\n```\n```quote\n\n```', '<p>a</p>'],
    ])
  })

  describe('Code', () => {
    rows([
      ['```\nx < "y"\n```', codeBlock('x &lt; &quot;y&quot;')],
      [
        '```py\nx = 1\n```',
        codeBlock('<span class="n">x</span> <span class="o">=</span> <span class="mi">1</span>', 'Python'),
      ],
      ['```foolang\nx\n```', codeBlock('x', 'foolang')],
      ['```FooLang\n"x" & \'y\'\n```', codeBlock('"x" &amp; \'y\'', 'foolang')],
      ["```\n'x' &amp;\n```", codeBlock('&#39;x&#39; &amp;amp;')],
      ['    x', codeBlock('x')],
      ['    x\n\n    y', codeBlock('x\n\ny')],
      ['```\na  \n\nb\t\n```', codeBlock('a\n\nb')],
      ['```\n\ta\n  \tb\tc\n```', codeBlock('    a\n    b   c')],
      ['```\n```', ''],
      ['a\n```py\n```\nb', '<p>a</p>\n<p>b</p>'],
      ['~~~quote\n```\n```\n~~~', ''],
      ['```math\n```', ''],
      ['* a\n  ```py\n  x\n    y\n  ```\n  z', '<ul>\n<li>a<br>\n<code>py\n  x\n    y\n  </code><br>\n  z</li>\n</ul>'],
      ['1. a\n   ```\n   x\n   ```', '<ol>\n<li>a<br>\n<code>\n   x\n   </code></li>\n</ol>'],
      ['* a\n\n    ```\n    x\n    ```', '<ul>\n<li>a<p><code>\n  x\n  </code></p>\n</li>\n</ul>'],
      ['~~~', codeBlock('')],
      ['a\n```', `<p>a</p>\n${codeBlock('')}`],
      ['```py', codeBlock('', 'Python')],
      ['```\na\n```\n```', `${codeBlock('a')}\n${codeBlock('')}`],
      ['```quote', ''],
      ['~~~quote\n```', `<blockquote>\n${codeBlock('')}\n</blockquote>`],
      ['```{.py}\nx\n```', codeBlock('<span class="n">x</span>', 'Python')],
      ['```{.py linenos=1}\nx\n```', codeBlock('<span class="n">x</span>', 'Python')],
      ['~~~{python hl_lines="1"}\nx\n~~~', codeBlock('<span class="n">x</span>', 'Python')],
      ['```js {1,3}\nx\n```', codeBlock('<span class="nx">x</span>', 'JavaScript')],
      [
        '```tex\na^2 & {b}\n```',
        codeBlock(
          'a<span class="nb">^</span>2 <span class="nb">&amp;</span> <span class="nb">{</span>b<span class="nb">}</span>',
          'TeX',
        ),
      ],
      ['```\nnever closed\n\n*x*', codeBlock('never closed\n\n*x*')],
      ['~~~~ .python \nx\n~~~~', codeBlock('<span class="n">x</span>', 'Python')],
      ['``` {.js}\nx\n```', codeBlock('<span class="nx">x</span>', 'JavaScript')],
      ['````\n```\n````', codeBlock('```')],
      ['~~~\n```\n~~~', codeBlock('```')],
      [' ```\nx\n ```', '<p><code>\nx\n </code></p>'],
      ['```\na\n````\nb\n```', codeBlock('a\n````\nb')],
      ['``` one ```', '<p><code> one </code></p>'],
      ['a\n```\nb\n```\nc', `<p>a</p>\n${codeBlock('b')}\n<p>c</p>`],
      ['~~~~xx:  yy zz~~~', '<p>~~~~xx:  yy zz~~~</p>'],
      ['```text\nx\n```', codeBlock('x', 'Text only')],
      ['```py2\nx\n```', codeBlock('<span class="n">x</span>', 'Python 2.x')],
      ['```c++ whatever\nx\n```', codeBlock('<span class="n">x</span>', 'C++')],
      ['```c#/x,Y_1.2\nx\n```', codeBlock('x', 'c#/x,y_1.2')],
      ['```py\n"x" \'y\'\n```', codeBlock('<span class="s2">"x"</span> <span class="s1">\'y\'</span>', 'Python')],
    ])

    test('A fence without a language has the default language of the organization, and the language text turns it off.', () => {
      const more = { default_code_block_language: 'python' }
      for (const code of ['```\nx\n```', '~~~\nx', '    x']) {
        expect(html(code, more)).toBe(codeBlock('<span class="n">x</span>', 'Python'))
      }
      expect(html('```text\nx\n```', more)).toBe(codeBlock('x', 'Text only'))
    })
  })

  describe('Spoilers', () => {
    const spoiler = (header: string, body: string) =>
      `<div class="spoiler-block"><div class="spoiler-header">\n${header}</div><div class="spoiler-content" aria-hidden="true">\n${body}</div></div>`
    rows([
      ['```spoiler Head\nbody\n```', spoiler('<p>Head</p>\n', '<p>body</p>\n')],
      ['```spoiler\nbody\n```\nafter', `${spoiler('', '<p>body</p>\n')}\n<p>after</p>`],
      ['```spoiler Head\n```', ''],
      ['```spoiler Head\nbody\n', spoiler('<p>Head</p>\n', '<p>body</p>\n')],
      [
        '```spoiler 1. * ## hi\n*x*\n```',
        spoiler('<ol>\n<li>\n<ul>\n<li>\n<h2>hi</h2>\n</li>\n</ul>\n</li>\n</ol>\n', '<p><em>x</em></p>\n'),
      ],
      [
        '~~~quote\n```spoiler a [b](https://e.org)\nc\n```\n~~~',
        `<blockquote>\n${spoiler('<p>a <a href="https://e.org">b</a></p>\n', '<p>c</p>\n')}\n</blockquote>`,
      ],
      [
        '```spoiler p\nsee https://e.org/i.png\n```',
        spoiler(
          '<p>p</p>\n',
          '<p>see <a href="https://e.org/i.png">https://e.org/i.png</a></p>\n<div class="message_inline_image"><a href="https://e.org/i.png"><img src="https://e.org/i.png"></a></div>',
        ),
      ],
    ])
  })

  describe('Tables', () => {
    const table = (...cells: string[]) =>
      `<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n${cells.join('\n')}\n</tr>\n</tbody>\n</table>`

    rows([
      [
        'a | b\n--- | ---\n1 | 2',
        '<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>',
      ],
      [
        '| a | b | c |\n|:--|:-:|--:|\n| `x|y` | *z* |',
        '<table>\n<thead>\n<tr>\n<th style="text-align: left;">a</th>\n<th style="text-align: center;">b</th>\n<th style="text-align: right;">c</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n' +
          '<td style="text-align: left;"><code>x|y</code></td>\n<td style="text-align: center;"><em>z</em></td>\n<td style="text-align: right;"></td>\n</tr>\n</tbody>\n</table>',
      ],
      ['a | b\nc | d', '<p>a | b<br>\nc | d</p>'],
      [
        'a |\n--- |\n | b |  ',
        '<table>\n<thead>\n<tr>\n<th>a</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>b</td>\n</tr>\n</tbody>\n</table>',
      ],
      ['a | b\n---', '<p>a | b</p>\n<hr>'],
      ['|a|b|\n|-|-|\n|c \\| d|`e|f`|', table('<td>c \\| d</td>', '<td><code>e|f</code></td>')],
      ['|a|b|\n|-|-|\n|\\`c|d` \\|', table('<td>\\`c</td>', '<td>d` \\|</td>')],
      ['|a|b|\n|-|-|\n|@**Ada Low**|@*devs*|', table('<td>@<strong>Ada Low</strong></td>', '<td>@<em>devs</em></td>')],
      [
        '|a|b|\n|-|-|\n|@**all**|@_**topic**|',
        table(
          '<td><span class="user-mention channel-wildcard-mention" data-user-id="*">@all</span></td>',
          '<td><span class="topic-mention silent">topic</span></td>',
        ),
      ],
      [
        '|a|b|\n|-|-|\n| @**Ada Low** | x @*devs*|',
        table(
          '<td><span class="user-mention" data-user-id="7">@Ada Low</span></td>',
          '<td>x <span class="user-group-mention" data-user-group-id="12">@devs</span></td>',
        ),
      ],
    ])

    test('A mention directly after the pipe of a table mentions no user and no group.', () => {
      const { mentioned_users, mentioned_groups } = render('|a|b|\n|-|-|\n|@**Ada Low**|@*devs*|', renderContext)
      expect([...mentioned_users, ...mentioned_groups]).toEqual([])
      expect(render('|a|b|\n|-|-|\n|@**all**|@**topic**|', renderContext)).toMatchObject({
        channel_wildcard: true,
        topic_wildcard: true,
      })
    })
  })
})

describe('Inline syntax (6.3)', () => {
  inlineRows([
    ['*em*', '<em>em</em>'],
    ['*a*b*', '<em>a</em>b*'],
    ['x * em*', 'x * em*'],
    ['x *em * y', 'x *em * y'],
    ['x *a\nb*', 'x *a<br>\nb*'],
    ['const char *x = (char *)y', 'const char *x = (char *)y'],
    ['**b**', '<strong>b</strong>'],
    ['** b **', '<strong> b </strong>'],
    ['**a\nb**', '**a<br>\nb**'],
    ['**a\nb **c**', '**a<br>\nb <strong>c</strong>'],
    ['**a *b* c**', '<strong>a <em>b</em> c</strong>'],
    ['*a **b** c*', '<em>a <strong>b</strong> c</em>'],
    ['***x***', '<strong><em>x</em></strong>'],
    ['~~d~~', '<del>d</del>'],
    ['~~ d e ~~', '<del> d e </del>'],
    ['~~~d~~~', '~~~d~~~'],
    ['`c < d`', '<code>c &lt; d</code>'],
    ['` a ` ```  b  ```', '<code> a </code> <code>  b  </code>'],
    ['``a`b``', '<code>a`b</code>'],
    ['`"\'&amp;`', '<code>"\'&amp;amp;</code>'],
    ['`a` `', '<code>a</code> `'],
    ['\\`a\\` \\``b` \\\\`c`', '\\`a\\` \\`<code>b</code> \\\\<code>c</code>'],
    ['`a\\`b', '<code>a\\</code>b'],
    ['`**a** @**Ada Low** https://e.org :smile: #42`', '<code>**a** @**Ada Low** https://e.org :smile: #42</code>'],
  ])

  describe('Links', () => {
    inlineRows([
      ['[t](https://e.org)', '<a href="https://e.org">t</a>'],
      ['[](https://e.org)', '<a href="https://e.org">https://e.org</a>'],
      ['[ ](https://e.org)', '<a href="https://e.org">https://e.org</a>'],
      ['[t](e.org)', '<a href="http://e.org">t</a>'],
      ['[t](a@e.org)', '<a href="mailto:a@e.org">t</a>'],
      ['[t](/x)', '<a href="/x">t</a>'],
      ['[t](#y)', '<a href="#y">t</a>'],
      ['[t](javascript:x)', '[t](javascript:x)'],
      ['[t](JavaScript:alert(1))', '[t](JavaScript:alert(1))'],
      ['[t](java\tscript:x)', '<a href="http://java%20%20%20%20script:x">t</a>'],
      ['[t](java\u0001script:x)', '[t](javascript:x)'],
      ['[t](data:text/html,x)', '[t](data:text/html,x)'],
      ...['https:', 'https://', 'https:///x', 'https://?x', 'https://#x'].map((address): [string, string] => [
        `[t](${address})`,
        `[t](${address})`,
      ]),
      ['[t]()', '<a href="http://">t</a>'],
      ['[]()', '<a href="http://">http://</a>'],
      ['[t](?x)', '<a href="http://?x">t</a>'],
      ['[t](HTTPS://e.org/A)', '<a href="https://e.org/A">t</a>'],
      ['[*a* 🎄\n&amp; <b>](e.org)', '<a href="http://e.org">*a* 🎄\n&amp; &lt;b&gt;</a>'],
      ['[a ![b](e.org)](/x)', '<a href="/x">a ![b](e.org)</a>'],
      ['![a [b](/x)](/y)', '![a <a href="/x">b</a>](/y)'],
      [
        '[t](tel:+123) [u](urn:a:b) [v](xmpp:c)',
        '<a href="tel:+123">t</a> <a href="urn:a:b">u</a> <a href="xmpp:c">v</a>',
      ],
      ...(
        'http https ftp file bitcoin geo im irc ircs magnet mailto matrix mid mms news nntp openpgp4fpr sip sms smsto ssh ' +
        'tel urn webcal wtai xmpp'
      )
        .split(' ')
        .map((scheme): [string, string] => [`[t](${scheme}://x)`, `<a href="${scheme}://x">t</a>`]),
      ...['vbscript', 'blob', 'about', 'chrome', 'ws', 'gopher', 'zulip'].map((scheme): [string, string] => [
        `[t](${scheme}://x)`,
        `[t](${scheme}://x)`,
      ]),
      ['[t](&#106;avascript:x)', '<a href="http://&#106;avascript:x">t</a>'],
      ['[t](javascript&colon;x)', '<a href="http://javascript&colon;x">t</a>'],
      ['[t](/&#47;e.org) [u](/&sol;e.org)', '<a href="/%26#47;e.org">t</a> <a href="/%26sol;e.org">u</a>'],
      ['[t](/x?a&amp;b)', '<a href="/x?a&amp;b">t</a>'],
      ['[t](mid:a.1@e.org)', '<a href="mid:a.1@e.org">t</a>'],
      ['[t](https://e.org/?a=1&b="2")', '<a href="https://e.org/?a=1&amp;b=&quot;2&quot;">t</a>'],
      ['[t](https://e.org/a_(b)_c)', '<a href="https://e.org/a_(b)_c">t</a>'],
      ['[t](<https://e.org/a b>)', '<a href="https://e.org/a%20b">t</a>'],
      ['[t](https://e.org "Ti<tle")', '<a href="https://e.org" title="Ti&lt;tle">t</a>'],
      ['[a [b] c](https://e.org)', '<a href="https://e.org">a [b] c</a>'],
      [
        '[**b** `c` e.org #42 :cat:](https://e.org)',
        '<a href="https://e.org">**b** <code>c</code> e.org #42 :cat:</a>',
      ],
      [
        '[a #**design** b](https://e.org)',
        '<a href="https://e.org">a <a class="stream" data-stream-id="3" href="/#narrow/channel/3-design">#design</a> b</a>',
      ],
      [
        '[#**design>x**](https://e.org) [#**nope**](https://e.org)',
        '<a href="https://e.org"><a class="stream-topic" data-stream-id="3" href="/#narrow/channel/3-design/topic/x">#design &gt; x</a></a> ' +
          '<a href="https://e.org">#**nope**</a>',
      ],
      [
        '[***https://e.org***](/x) [u](/y)',
        '<a href="/x"><strong><em><a href="https://e.org">https://e.org</a></em></strong></a> <a href="/y">u</a>',
      ],
      [
        '[t](//e.org) [u](/\\e.org) [v](/ \\e.org)',
        '<a href="http://e.org">t</a> <a href="http://e.org">u</a> <a href="/%20\\e.org">v</a>',
      ],
      ['[t](/\u0001/e.org)', '<a href="http://e.org">t</a>'],
      ['[t](https://e.org/?a=&#34;&copy;)', '<a href="https://e.org/?a=&#34;&copy;">t</a>'],
      ['[t](https://e.org/?a=1&amp;b=2&c=3&d;)', '<a href="https://e.org/?a=1&amp;b=2&amp;c=3&d;">t</a>'],
      ['[](https://e.org/?a&lt;b"c)', '<a href="https://e.org/?a&lt;b&quot;c">https://e.org/?a&lt;b"c</a>'],
      ['**[t](https://e.org)**', '<strong><a href="https://e.org">t</a></strong>'],
      ['[t] (https://e.org)', '[t] (<a href="https://e.org">https://e.org</a>)'],
      ['[t](https://chat.example.org/#narrow/dm/1)', '<a href="#narrow/dm/1">t</a>'],
      ['[t](https://chat.example.org/other)', '<a href="https://chat.example.org/other">t</a>'],
    ])
  })

  describe('Addresses in the text', () => {
    const link = (address: string, href = address) => `<a href="${href}">${address}</a>`
    inlineRows([
      ['https://e.org/a_(b)', link('https://e.org/a_(b)')],
      ['(https://e.org/a_(b))', `(${link('https://e.org/a_(b)')})`],
      ['https://e.org/((((((x))))))', link('https://e.org/((((((x))))))')],
      ['https://e.org/(((((((x)))))))', 'https://e.org/(((((((x)))))))'],
      ['see https://e.org/a?b=c&d#e!', `see ${link('https://e.org/a?b=c&amp;d#e')}!`],
      ...['!', ':', ';', '?', ')', ',', '.', "'", '"', '&gt;'].map((sign): [string, string] => [
        `https://e.org${sign.replace('&gt;', '>')}`,
        `${link('https://e.org')}${sign}`,
      ]),
      ...["'", '"', '(', ',', ':'].map((sign): [string, string] => [
        `${sign}https://e.org`,
        `${sign}${link('https://e.org')}`,
      ]),
      ['<https://e.org>', `&lt;${link('https://e.org')}&gt;`],
      ['x/https://e.org -https://e.org', 'x/https://e.org -https://e.org'],
      ['HTTP://e.org Https://e.org', 'HTTP://e.org Https://e.org'],
      ['https://e.org"x', 'https://e.org"x'],
      ['e.org', link('e.org', 'http://e.org')],
      ['x.e.co.uk/p', link('x.e.co.uk/p', 'http://x.e.co.uk/p')],
      ['Go to e.org, please.', `Go to ${link('e.org', 'http://e.org')}, please.`],
      ['a.java b.md c.mov d.py e.zip', 'a.java b.md c.mov d.py e.zip'],
      ['love...it e.g. a.b 1.5', 'love...it e.g. a.b 1.5'],
      ['a@e.org', link('a@e.org', 'mailto:a@e.org')],
      ['a.b-c_d@x.e.co.uk', link('a.b-c_d@x.e.co.uk', 'mailto:a.b-c_d@x.e.co.uk')],
      ['<a@e.org>', `&lt;${link('a@e.org', 'mailto:a@e.org')}&gt;`],
      ['a@e.org/x', 'a@e.org/x'],
      ['a+b@e.org +a@e.org', `${link('a+b@e.org', 'mailto:a+b@e.org')} ${link('+a@e.org', 'mailto:+a@e.org')}`],
      ['[t](a+b@e.org)', '<a href="mailto:a+b@e.org">t</a>'],
      ...['core-js@2.6.11', 'core-js@2.6.11-rc.1', 'react@18', '(vue@3.x)', 'pip@v24.0', 'x@1.0.0rc1'].map(
        (version): [string, string] => [version, version],
      ),
      [
        'a@163.com a@b.c a@2b.co.uk',
        ['a@163.com', 'a@b.c', 'a@2b.co.uk'].map((address) => link(address, `mailto:${address}`)).join(' '),
      ],
      ...['http://[::1]/', 'http://[::1]', 'https://[2001:db8::7]:8080/x?y', 'http://me@[::ffff:10.0.0.1]/#z'].map(
        (address): [string, string] => [`see ${address}, x`, `see ${link(address)}, x`],
      ),
      ['http://[x]/ http://[1]/ http://[::1', 'http://[x]/ http://[1]/ http://[::1'],
      ['https://e.org/?a&lt;b&c', link('https://e.org/?a&lt;b&amp;c')],
      ['http://a@e.org/x http://localhost:9991/?y', `${link('http://a@e.org/x')} ${link('http://localhost:9991/?y')}`],
      ['javascript:e.org javascript://e.org', `javascript:${link('e.org', 'http://e.org')} javascript://e.org`],
      ['itms://e.org/x', 'itms://e.org/x'],
      ['https://chat.example.org/#narrow/dm/1', '<a href="#narrow/dm/1">https://chat.example.org/#narrow/dm/1</a>'],
      [
        'https://chat.example.org/user_uploads/1/a',
        '<a href="user_uploads/1/a">https://chat.example.org/user_uploads/1/a</a>',
      ],
    ])
  })

  describe('Emoji', () => {
    const emoji = emojiSpan
    inlineRows([
      [':smile:', emoji('smile', '1f642')],
      [':holiday_tree:', emoji('holiday_tree', '1f384')],
      [':christmas_tree:', emoji('christmas_tree', '1f384')],
      ['🎄', emoji('holiday_tree', '1f384')],
      ['Extra👽Terrestrial', `Extra${emoji('alien', '1f47d')}Terrestrial`],
      ['⬆️ ⚓ #️⃣', `${emoji('up', '2b06')} ${emoji('anchor', '2693')} ${emoji('hash', '0023-20e3')}`],
      ['🤷‍♀️', emoji('woman_shrugging', '1f937-200d-2640')],
      ['❤ © 1 # ☺︎', '❤ © 1 # ☺︎'],
      ['1️⃣ *️⃣ 10', `${emoji('one', '0031-20e3')} ${emoji('asterisk', '002a-20e3')} 10`],
      ['👍🏽 🍋‍🟪', '👍🏽 🍋‍🟪'],
      [':party:', '<img alt=":party:" class="emoji" src="/user_avatars/2/emoji/images/party.png" title="party">'],
      [':heart:', '<img alt=":heart:" class="emoji" src="/user_avatars/2/emoji/images/heart.png" title="heart">'],
      [
        ':zulip:',
        '<img alt=":zulip:" class="emoji" src="/static/generated/emoji/images/emoji/unicode/zulip.png" title="zulip">',
      ],
      [':xyz: :smile', ':xyz: :smile'],
      [':cat:x:dog::rabbit:', `${emoji('cat', '1f408')}x${emoji('dog', '1f415')}${emoji('rabbit', '1f407')}`],
      [':) <3', ':) &lt;3'],
    ])

    const known = (name: string) => emoji(name, findEmojiCode(name) ?? '')
    const wanting = { translate_emoticons: true, customEmoji: () => undefined }
    describe('Emoticons of users who translate them', () =>
      inlineRows(
        [
          [':)', emoji('smile', '1f642')],
          [':( x <3.', `${emoji('frown', '1f641')} x ${emoji('heart', '2764')}.`],
          ['(: ;) :| :/', ['smile', 'wink', 'expressionless', 'oh_no'].map(known).join(' ')],
          [':D :P :p', ['grinning', 'stuck_out_tongue', 'stuck_out_tongue'].map(known).join(' ')],
          [':O :o </3', ['open_mouth', 'open_mouth', 'broken_heart'].map(known).join(' ')],
          ['!:)?', `!${emoji('smile', '1f642')}?`],
          ['a:) ;)b', 'a:) ;)b'],
          ['です:)ね яs:) :)я', `です${emoji('smile', '1f642')}ね яs:) :)я`],
          ['`:)`', '<code>:)</code>'],
        ],
        wanting,
      ))
  })

  describe('Times', () => {
    const time = (typed: string, utc: string) => `<time datetime="${utc}">${typed}</time>`
    inlineRows([
      ['<time:2025-01-02T03:04:05+01:00>', time('2025-01-02T03:04:05+01:00', '2025-01-02T02:04:05Z')],
      ['<time:1735783445>', time('1735783445', '2025-01-02T02:04:05Z')],
      ['<time:2025-01-02 03:04>', time('2025-01-02 03:04', '2025-01-02T03:04:00Z')],
      ['<time:2025-01-02>', time('2025-01-02', '2025-01-02T00:00:00Z')],
      ['<time:2025-01-02T03:04:05.678Z>', time('2025-01-02T03:04:05.678Z', '2025-01-02T03:04:05.678000Z')],
      ['<time:1735783445.5>', time('1735783445.5', '2025-01-02T02:04:05.500000Z')],
      ['<time:20200806T170000Z>', time('20200806T170000Z', '2020-08-06T17:00:00Z')],
      ['<time:0>', time('0', '1970-01-01T00:00:00Z')],
      ['<time:12345>', time('12345', '1970-01-01T03:25:45Z')],
      ['<time:Jun 5th 2017, 10:30PM>', time('Jun 5th 2017, 10:30PM', '2017-06-05T22:30:00Z')],
      ['<time:31 Dec 2017>', time('31 Dec 2017', '2017-12-31T00:00:00Z')],
      ['<time:Thu, 02 Jan 2025 03:04:05 GMT>', time('Thu, 02 Jan 2025 03:04:05 GMT', '2025-01-02T03:04:05Z')],
      ['<time:January 2, 2025 12 am PST>', time('January 2, 2025 12 am PST', '2025-01-02T08:00:00Z')],
      ['<time:12/31/2024 23:59 -0100>', time('12/31/2024 23:59 -0100', '2025-01-01T00:59:00Z')],
      ['<time:20250102>', time('20250102', '2025-01-02T00:00:00Z')],
      ...['2025/01/02', '2025.1.2', '2025-1-2', '1/2/2025', '1.2.2025', '2 January 2025'].map(
        (typed): [string, string] => [`<time:${typed}>`, time(typed, '2025-01-02T00:00:00Z')],
      ),
      [
        '<time:at 8:30 pm on the 5th of June, 2017>',
        time('at 8:30 pm on the 5th of June, 2017', '2017-06-05T20:30:00Z'),
      ],
      ...['nonsense', '2025-02-30', '25:00 2025-01-01', 'nonsense 1', '**x**', ''].map((typed): [string, string] => [
        `<time:${typed}>`,
        `<span class="timestamp-error">Invalid time format: ${typed}</span>`,
      ]),
      ['<time:UTC>', '<span class="timestamp-error">Invalid time format: UTC</span>'],
      ['<time:<b>>', '<span class="timestamp-error">Invalid time format: &lt;b</span>&gt;'],
    ])
  })

  describe('Times without a complete date, on Friday, 20 November 2026', () => {
    inlineRows(
      [
        ['5pm', '2026-11-20T17:00:00Z'],
        ['10:30:05.25 +0100', '2026-11-20T09:30:05.250000Z'],
        ['Mar 12', '2026-03-12T00:00:00Z'],
        ['Feb 2025', '2025-02-20T00:00:00Z'],
        ['2020', '2020-11-20T00:00:00Z'],
        ['99', '1999-11-20T00:00:00Z'],
        ['5', '2026-11-05T00:00:00Z'],
        ['-1', '2026-11-01T00:00:00Z'],
        ['31', '1970-01-01T00:00:31Z'],
        ['Mon', '2026-11-23T00:00:00Z'],
        ['Friday 5pm', '2026-11-20T17:00:00Z'],
      ].map(([typed = '', utc = '']) => [`<time:${typed}>`, `<time datetime="${utc}">${typed}</time>`]),
      { now: () => new Date('2026-11-20T13:00:00Z') },
    )
  })

  describe('Formulas', () => {
    test('KaTeX draws a formula, and its source is in the HTML too.', () => {
      expect(html('$$x^2$$')).toMatch(
        /^<p><span class="katex"><span class="katex-mathml"><math xmlns="http:\/\/www.w3.org\/1998\/Math\/MathML"><semantics>.*<annotation encoding="application\/x-tex">x\^2<\/annotation><\/semantics><\/math><\/span><span class="katex-html" aria-hidden="true"><span class="base"><span class="strut".*<\/span><\/span><\/p>$/,
      )
    })

    test('A math fence displays each part between blank lines as a formula.', () => {
      const displayed = (tex: string) =>
        '<span class="katex-display"><span class="katex"><span class="katex-mathml">' +
        '<math xmlns="http://www.w3.org/1998/Math/MathML" display="block">(?:(?!<annotation).)*' +
        `<annotation encoding="application/x-tex">${tex}</annotation></semantics></math></span>` +
        '<span class="katex-html" aria-hidden="true">(?:(?!katex-display).)*</span></span></span>'
      expect(html('```math\nx\n\ny\n```')).toMatch(new RegExp(`^<p>${displayed('x')}\n\n${displayed('y')}</p>$`))
    })

    inlineRows([
      ['$$\\bad$$', '<span class="tex-error">$$\\bad$$</span>'],
      ['$$\\<b>**x**$$', '<span class="tex-error">$$\\&lt;b&gt;**x**$$</span>'],
      ['$$ $$$ $$$$', '$$ $$$ $$$$'],
      ['$$_$$ x', '$$_$$ x'],
      ['$$a\nb$$', '$$a<br>\nb$$'],
      ['a$$x$$ $$x$$b $x$', 'a$$x$$ $$x$$b $x$'],
      ['`$$x$$`', '<code>$$x$$</code>'],
    ])
    rows([['```math\n\\bad\'s "x"\n```', '<p><span class="tex-error">\\bad&#x27;s &quot;x&quot;</span></p>']])

    test('Dollars that are not a formula do not hide a formula after them.', () => {
      for (const typed of ['$$_ $$x$$', '$$ `a` $$ $$x$$', 'a$$ $$x$$']) {
        expect(html(typed), typed).toContain('<annotation encoding="application/x-tex">x</annotation>')
      }
    })

    test('A formula can touch letters of scripts without spaces.', () => {
      expect(html('式$$x$$は')).toMatch(/^<p>式<span class="katex">.*<\/span>は<\/p>$/)
      expect(html('я$$x$$')).toBe('<p>я$$x$$</p>')
    })

    test('A dollar after a backslash belongs to the formula.', () => {
      expect(html('($$500\\$$$)')).toContain('<annotation encoding="application/x-tex">500\\$</annotation>')
    })
  })

  describe('Precedence', () => {
    inlineRows([
      ['***a `b*** c`', '***a <code>b*** c</code>'],
      ['@***x***', '@<strong><em>x</em></strong>'],
      ['$$ `a` $$', '$$ <code>a</code> $$'],
      ['$$ @**Ada Low** $$', '$$ <span class="user-mention" data-user-id="7">@Ada Low</span> $$'],
      ['$$ #**design** $$', '<span class="tex-error">$$ #**design** $$</span>'],
      ['<time: @**Ada Low**>', '&lt;time: <span class="user-mention" data-user-id="7">@Ada Low</span>&gt;'],
      [
        '<time:`x`> <time:1735783445>',
        '&lt;time:<code>x</code>&gt; <time datetime="2025-01-02T02:04:05Z">1735783445</time>',
      ],
      ['<time:2025-01-01 @*devs*>', '<span class="timestamp-error">Invalid time format: 2025-01-01 @*devs*</span>'],
      [
        '[@*devs*](https://e.org) [e.org](https://e.org)',
        '<a href="https://e.org"><span class="user-group-mention" data-user-group-id="12">@devs</span></a> <a href="https://e.org">e.org</a>',
      ],
      ['https://e.org/,#42', '<a href="https://e.org/,#42">https://e.org/,#42</a>'],
      ['**a #42**', '<strong>a <a href="https://t/42">#42</a></strong>'],
      ['**a *b** c*', '<strong>a *b</strong> c*'],
      ['*a ~~b* c~~', '<em>a ~~b</em> c~~'],
      [':sm~~i~~le:', ':sm<del>i</del>le:'],
      ['*&amp;* <b>', '<em>&amp;</em> &lt;b&gt;'],
      ['**a [b**](https://e.org)', '**a <a href="https://e.org">b**</a>'],
      ['*a `b*` c', '*a <code>b*</code> c'],
      ['** @**Ada Low** **', '<strong> <span class="user-mention" data-user-id="7">@Ada Low</span> </strong>'],
      [
        '[@**Ada Low**](https://e.org)',
        '<a href="https://e.org"><span class="user-mention" data-user-id="7">@Ada Low</span></a>',
      ],
      ['#42 `#42` x#42', '<a href="https://t/42">#42</a> <code>#42</code> x#42'],
      [
        'https:smiley://e.org',
        'https<span aria-label="smiley" class="emoji emoji-1f603" role="img" title="smiley">:smiley:</span>//e.org',
      ],
      ['*:smiley*: x', '<em>:smiley</em>: x'],
    ])
  })
})

describe('Mentions and links to messages (6.4)', () => {
  const ada = '<span class="user-mention" data-user-id="7">@Ada Low</span>'
  const silentAda = '<span class="user-mention silent" data-user-id="7">Ada Low</span>'
  inlineRows([
    ['@**Ada Low**', ada],
    ['@**ada low**', ada],
    ['@**Ada Low|7**', ada],
    ['@**|7**', ada],
    ['@**Ada Low|8**', '@<strong>Ada Low|8</strong>'],
    ['@_**Ada Low**', silentAda],
    ['@_**Ada Low|7**', silentAda],
    ...['@**Gone Guy**', '@**Gone Guy|8**', '@**|8**', '@_**Gone Guy**'].map((typed): [string, string] => [
      typed,
      '<span class="user-mention silent" data-user-id="8">Gone Guy</span>',
    ]),
    ['@_*old*', '<span class="user-group-mention silent" data-user-group-id="14">old</span>'],
    ['@**Twin**', '<span class="user-mention" data-user-id="10">@Twin</span>'],
    ['@**<b>&"x"**', '<span class="user-mention" data-user-id="13">@&lt;b&gt;&amp;"x"</span>'],
    ...['all', 'everyone', 'stream', 'channel'].flatMap((name): [string, string][] => [
      [`@**${name}**`, `<span class="user-mention channel-wildcard-mention" data-user-id="*">@${name}</span>`],
      [`@_**${name}**`, `<span class="user-mention channel-wildcard-mention silent" data-user-id="*">${name}</span>`],
    ]),
    ['@**topic**', '<span class="topic-mention">@topic</span>'],
    ['@_**topic**', '<span class="topic-mention silent">topic</span>'],
    ['@*devs*', '<span class="user-group-mention" data-user-group-id="12">@devs</span>'],
    ['@_*devs*', '<span class="user-group-mention silent" data-user-group-id="12">devs</span>'],
    ['@*old*', '<span class="user-group-mention silent" data-user-group-id="14">old</span>'],
    ['@*role:members*', '<span class="user-group-mention" data-user-group-id="3">@Members</span>'],
    ['@*Devs*', '@<em>Devs</em>'],
    ['@**Nobody**', '@<strong>Nobody</strong>'],
    ['@*x*', '@<em>x</em>'],
    ...["'", '"', '(', '{', '[', '/'].map((sign): [string, string] => [`${sign}@**Ada Low**`, `${sign}${ada}`]),
    ['<@**Ada Low**', `&lt;${ada}`],
    ['a@**Ada Low** .@*devs*', 'a@<strong>Ada Low</strong> .@<em>devs</em>'],
    ['x\n@**Ada Low**', `x<br>\n${ada}`],
    ['@**x* @**Ada Low**', `@*<em>x</em> ${ada}`],
    ['@Ada Low @all', '@Ada Low @all'],
  ])

  inlineRows([
    ['#**design**', '<a class="stream" data-stream-id="3" href="/#narrow/channel/3-design">#design</a>'],
    [
      '#**design>logo v2**',
      '<a class="stream-topic" data-stream-id="3" href="/#narrow/channel/3-design/topic/logo.20v2/with/91">#design &gt; logo v2</a>',
    ],
    [
      '#**design>new/one.**',
      '<a class="stream-topic" data-stream-id="3" href="/#narrow/channel/3-design/topic/new.2Fone.2E">#design &gt; new/one.</a>',
    ],
    [
      '#**design>**',
      '<a class="stream-topic" data-stream-id="3" href="/#narrow/channel/3-design/topic/">#design &gt; <em>general chat</em></a>',
    ],
    [
      '#**design>logo v2@95**',
      '<a class="message-link" href="/#narrow/channel/3-design/topic/logo.20v2/near/95">#design &gt; logo v2 @ 💬</a>',
    ],
    [
      '#**design>@95**',
      '<a class="message-link" href="/#narrow/channel/3-design/topic//near/95">#design &gt; <em>general chat</em> @ 💬</a>',
    ],
    ['#**a > b**', '<a class="stream" data-stream-id="4" href="/#narrow/channel/4-a-.3E-b">#a &gt; b</a>'],
    [
      "#**Käse & (co.)'s>`x`**",
      '<a class="stream-topic" data-stream-id="5" href="/#narrow/channel/5-K.C3.A4se-.26-.28co.2E.29.27s/topic/.60x.60">#Käse &amp; (co.)\'s &gt; `x`</a>',
    ],
    ...["'", '"', '(', '{', '[', '/'].map((sign): [string, string] => [
      `${sign}#**design**`,
      `${sign}<a class="stream" data-stream-id="3" href="/#narrow/channel/3-design">#design</a>`,
    ]),
    ['<#**design**', '&lt;<a class="stream" data-stream-id="3" href="/#narrow/channel/3-design">#design</a>'],
    ['#**Design** #**nope**', '#<strong>Design</strong> #<strong>nope</strong>'],
    ['#**nope>a** x#**design**', '#<strong>nope&gt;a</strong> x#<strong>design</strong>'],
  ])

  describe('After letters and signs of every script', () => {
    const link = (address: string, href = address) => `<a href="${href}">${address}</a>`
    const design = '<a class="stream" data-stream-id="3" href="/#narrow/channel/3-design">#design</a>'
    const shown = (text: string) => inParagraph(`-${text}`).slice(1)
    const pairs = ['“”', '„“', '‘’', '«»', '「」', '『』', '【】', '（）', '《》', '〈〉', '‹›']
    inlineRows([
      ...pairs.map(([open, close]): [string, string] => [
        `${open}@**Ada Low**${close} ${open}#**design**${close} ${open}https://e.org/x${close} ${open}e.org${close} ${open}a@e.org${close} ${open}#42${close}`,
        `${open}${ada}${close} ${open}${design}${close} ${open}${link('https://e.org/x')}${close} ` +
          `${open}${link('e.org', 'http://e.org')}${close} ${open}${link('a@e.org', 'mailto:a@e.org')}${close} ${open}${link('#42', 'https://t/42')}${close}`,
      ]),
      ...[
        '、',
        '。',
        '，',
        '：',
        '…',
        '—',
        '·',
        '→',
        '¿',
        '👍',
        '❤️',
        'に',
        '字',
        'カ',
        'ー',
        '々',
        'ก',
        '\u200b',
        '\u3000',
      ].map((before): [string, string] => [
        `x${before}@**Ada Low** x${before}#**design** x${before}https://e.org`,
        `x${shown(before)}${ada} x${shown(before)}${design} x${shown(before)}${link('https://e.org')}`,
      ]),
      ...['я', 'ω', 'א', 'ع', '글'].map((before): [string, string] => [
        `${before}https://e.org ${before}@**Ada Low**`,
        `${before}${link('https://e.org')} ${before}${ada}`,
      ]),
      ...['é', 'é', 'ß', 'a\u00ad'].map((before): [string, string] => [
        `${before}https://e.org ${before}@**Ada Low** ${before}#42`,
        `${before}https://e.org ${before}@<strong>Ada Low</strong> ${before}#42`,
      ]),
      [':@**Ada Low** :#**design**', `:${ada} :${design}`],
      [
        'https://e.org/x。 https://e.org/x）、 https://e.org/（x） https://e.org/「x」',
        `${link('https://e.org/x')}。 ${link('https://e.org/x')}）、 ${link('https://e.org/（x）')} ${link('https://e.org/「x」')}`,
      ],
      [
        '「https://e.org/x」と「https://e.org/y」を（https://e.org）で見て。https://e.org/z、e.org。',
        `「${link('https://e.org/x')}」と「${link('https://e.org/y')}」を（${link('https://e.org')}）で見て。${link('https://e.org/z')}、${link('e.org', 'http://e.org')}。`,
      ],
      [
        'https://e.org，中文 https://e.org/x！中文 https://e.org/「x」中文 https://e.org/it’s https://e.org中文 https://e.org/x…',
        `${link('https://e.org')}，中文 ${link('https://e.org/x')}！中文 ${link('https://e.org/「x」中文')} ${link('https://e.org/it’s')} ${link('https://e.org中文')} ${link('https://e.org/x…')}`,
      ],
      ['課題#42を直した', `課題${link('#42', 'https://t/42')}を直した`],
      ['задача#42 #42б', 'задача#42 #42б'],
    ])
  })

  test('A link to the empty topic leads to its oldest message.', () => {
    expect(inParagraph('#**design>**', { topicAnchor: () => 5 })).toContain('/topic//with/5"')
  })

  test('An address encodes the characters of a name as clients decode them.', () => {
    const typed = String.fromCharCode(...Array.from({ length: 95 }, (_, i) => 32 + i))
    expect(encodePart(typed)).toBe(
      '.20.21.22.23.24.25.26.27.28.29.2A.2B.2C-.2E.2F0123456789.3A.3B.3C.3D.3E.3F.40ABCDEFGHIJKLMNOPQRSTUVWXYZ' +
        '.5B.5C.5D.5E_.60abcdefghijklmnopqrstuvwxyz.7B.7C.7D~',
    )
    expect(encodePart('é💬')).toBe('.C3.A9.F0.9F.92.AC')
  })

  test.each(['all', 'everyone', 'stream', 'channel', 'topic'])(
    'The wildcard @**%s** is never a user of that name.',
    (name) => {
      const usersByName = () => [{ id: 15, full_name: name, is_active: true }]
      expect(html(`@**${name}**`, { usersByName })).not.toContain('15')
    },
  )

  test('The result names the users and groups with a mention that is not silent.', () => {
    const found = render(
      '@**Ada Low** @**Ada Low** @_**Twin** @**Gone Guy** @*devs* @*old* @**all** @**topic**',
      renderContext,
    )
    expect(found).toMatchObject({
      mentioned_users: [7],
      mentioned_groups: [12],
      channel_wildcard: true,
      topic_wildcard: true,
    })
  })

  test.each(['> @**Ada Low** @*devs* @**all** @**topic**', '```quote\n@**Ada Low** @*devs* @**all** @**topic**\n```'])(
    'Mentions in a quote are silent: %j',
    (content) => {
      const found = render(content, renderContext)
      expect(found.html.match(/ silent"/g)).toHaveLength(4)
      expect(found).toMatchObject({
        mentioned_users: [],
        mentioned_groups: [],
        channel_wildcard: false,
        topic_wildcard: false,
      })
    },
  )

  test('Code mentions no user.', () => {
    const content = '`@**Ada Low**`\n```\n@**all** @*devs*\n```\n\n    @**topic**'
    expect(render(content, renderContext)).toMatchObject({
      mentioned_users: [],
      mentioned_groups: [],
      channel_wildcard: false,
    })
  })

  test('The topics that a message links to are found before it is rendered.', () => {
    const content = '#**design>a** #**design>a** #**design>b@5** #**nope>c** #**design** `#**design>d**`'
    expect(findLinkedTopics(content, renderContext)).toEqual([
      { channel_id: 3, topic: 'a' },
      { channel_id: 3, topic: 'd' },
    ])
    expect(findLinkedTopics('nothing', renderContext)).toEqual([])
  })
})

describe('Descriptions and /me messages (6.6)', () => {
  test('A description is rendered as one line without previews.', () => {
    expect(renderInline('About **us**\n\n* https://e.org/a.png', renderContext)).toBe(
      '<p>About <strong>us</strong> * <a href="https://e.org/a.png">https://e.org/a.png</a></p>',
    )
    expect(renderInline(' ', renderContext)).toBe('')
  })

  test('Only a message that begins with "/me " is an action of its sender.', () => {
    expect(isMeMessage('/me waves')).toBe(true)
    expect(isMeMessage('/men wave')).toBe(false)
    expect(html('/me waves')).toBe('<p>/me waves</p>')
  })
})
