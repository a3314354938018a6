/**
 * Whatever users, administrators and web pages write, a browser gets only the elements, attributes and styles of the
 * constructs of messages. Texts are generated from a grammar of all constructs with hostile fillings.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { replacePlaceholders } from '../../src/domain/files/thumbnails.js'
import { readHtmlText } from '../../src/domain/html/html-text.js'
import { compileLinkifier } from '../../src/domain/markdown/context/compiled-linkifier.js'
import type { PagePreview, RenderContext } from '../../src/domain/markdown/context/render-context.js'
import { findTopicLinks } from '../../src/domain/markdown/links/topic-links.js'
import { render, renderInline } from '../../src/domain/markdown/render.js'
import { htmlDiff } from '../../src/domain/messages/editing/html-diff.js'
import { highlightParts } from '../../src/domain/messages/editing/html-pieces.js'
import { parseOembedVideo, parsePageMeta } from '../../src/domain/messages/sending/page-meta.js'
import { findFaults, isSafeAddress, REALM_URL } from './browser-check.js'
import { renderContext } from './render-context.js'

/** Character sequences that end, open or execute something in some context. */
const hostile = [
  '"',
  "'",
  '`',
  '<',
  '>',
  '&',
  '\\',
  '&#34;',
  '&#x22;',
  '&quot;',
  '&#39;',
  '&apos;',
  '&#41;',
  '&rpar;',
  '&lt;',
  '&#60;',
  '&amp;#34;',
  '&colon;',
  '&#58;',
  '&Tab;',
  '&NewLine;',
  '&#10;',
  '&#0;',
  '&copy;',
  '&copy',
  '%22',
  '%00',
  '%0a',
  '\u0000',
  '\u0002',
  '\u0003',
  '\u000b',
  '\u0085',
  '\u00a0',
  '\u2028',
  '\u200b',
  '\u202e',
  '\ufeff',
  '\ud800',
  '\t',
  '\r',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'javascript&colon;alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://e.org/x',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'https:evil.example',
  'https://[::1',
  'https://evil.example@e.org',
  ');position:fixed;inset:0;',
  '&#34;&#41;;position:fixed;inset:0;z-index:9999;x:url&#40;&#34;',
  '/*',
  '*/',
  '@import',
  'expression(alert(1))',
  'url(https://evil.example/)',
  '\\22 ',
  ' onmouseover=alert(1) ',
  '" onclick="alert(1)',
  "' onclick='alert(1)",
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg><style>',
  '<math><mtext><table><mglyph><style><!--</style>',
  '</p></div></blockquote>',
  '</code></pre>',
  '</title></style></textarea>',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?x?>',
  '**',
  '*',
  '~~',
  '](',
  '[',
  ')',
  '(',
  '|',
  '$$',
  '>',
  '#**design**',
  '@**',
  'https://e.org/a.png',
  '\\href{javascript:alert(1)}{x}',
  '\\url{javascript:alert(1)}',
  '\\htmlStyle{position:fixed}{x}',
  '\\htmlData{a=b}{x}',
  '\\includegraphics{https://evil.example}',
  '\\color{red;position:fixed}',
  '\\text{<b>}',
  '\\frac{a}{b}',
  '\\sqrt[3]{x}',
  '\\vec{x}\\overbrace{ab}',
  '\\begin{matrix} a & b \\\\ c & d \\end{matrix}',
  '🎄',
  '👩‍👩‍👧',
  'é',
  '漢',
  'x',
  '7',
]

const filling = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...hostile) }, fc.string({ unit: 'binary', maxLength: 4 })), {
    maxLength: 4,
  })
  .map((parts) => parts.join(''))

/** Builds a text of a template and generated parts. */
const build = (...parts: (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string> =>
  fc.tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part))).map((texts) => texts.join(''))

/** One construct of messages per line. */
const { block } = fc.letrec<{ inline: string; block: string }>((tie) => {
  const inline = tie('inline')
  const blocks = tie('block')
  return {
    inline: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      filling,
      build(inline, ' ', inline),
      build(inline, inline),
      build('*', inline, '*'),
      build('**', inline, '**'),
      build('***', inline, '***'),
      build('~~', inline, '~~'),
      build('`', filling, '`'),
      build('$$', filling, '$$'),
      build('[', inline, '](', filling, ')'),
      build('[', inline, '](<', filling, '> "', filling, '")'),
      build('[', inline, '](https://e.org/', filling, ')'),
      build('[', inline, '](/', filling, ')'),
      build('[', inline, '](#', filling, ')'),
      build('[', inline, '](mailto:', filling, ')'),
      build('[', filling, '](/user_uploads/1/ab/', filling, '.png)'),
      build('[', filling, '](https://e.org/', filling, '.mp4)'),
      build('https://e.org/', filling),
      build('https://e.org/', filling, '.png'),
      build('https://github.com/o/r/blob/', filling, '.png'),
      build('https://youtu.be/aqz-KE-bpKQ?', filling),
      build('https://page.example/', filling),
      build(`${REALM_URL}/#narrow/`, filling),
      build('e.org/', filling),
      build('a@e.org', filling),
      build('@**', filling, '**'),
      build('@_**', filling, '|7**'),
      build('@*', filling, '*'),
      build('#**', filling, '**'),
      build('#**', filling, '>', filling, '**'),
      build('#**design>', filling, '@5**'),
      build(':', filling, ':'),
      fc.constantFrom(':smile:', ':party:', ':zulip:', ':)', '<3', '@**all**', '@**topic**', '#**design**'),
      build('<time:', filling, '>'),
      fc.constant('<time:2025-01-02T03:04:05Z>'),
      build('link-', filling),
      build('word-', filling, '-7'),
    ),
    block: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      inline,
      build(blocks, '\n\n', blocks),
      build(inline, '\n', inline),
      build('## ', inline),
      build('> ', inline, '\n> ', inline),
      build('* ', inline, '\n  * ', inline, '\n\n* ', inline),
      build('3. ', inline, '\n4. ', inline),
      fc.constant('---'),
      build('    ', filling),
      build('|', inline, '|', inline, '|\n|:-:|--:|\n|', inline, '|', filling, '|'),
      build('```\n', filling, '\n```'),
      build('```', filling, '\n', filling, '\n```'),
      build(fc.constantFrom('```py\n', '```js\n', '```html\n', '```diff\n', '```foo<b>\n'), filling, '\n```'),
      build('```quote\n', blocks, '\n```'),
      build('```spoiler ', inline, '\n', blocks, '\n```'),
      build('```math\n', filling, '\n\n', filling, '\n```'),
      build('/poll ', filling, '\n', filling),
      build('/me ', inline),
    ),
  }
})

const pageText = fc.option(filling, { nil: undefined })

const preview: fc.Arbitrary<PagePreview | undefined> = fc.option(
  fc.record({
    title: pageText,
    description: pageText,
    image: fc.option(build('https://e.org/', filling), { nil: undefined }),
  }),
  { nil: undefined },
)

const linkifiers = [
  ...renderContext.linkifiers,
  compileLinkifier({ id: 2, pattern: 'link-(?P<any>.*)', url_template: '{+any}' }),
  compileLinkifier({ id: 3, pattern: 'word-(?P<any>.*)-7', url_template: 'https://{+any}.e.org/{any}{?any}' }),
  compileLinkifier({ id: 4, pattern: 'run(?P<any>.*)', url_template: 'javascript:{+any}' }),
]

/** Answers of an organization whose members, administrators and linked pages are hostile. */
const contexts: fc.Arbitrary<RenderContext> = fc
  .record({
    suffix: filling,
    page: preview,
    proxy: fc.boolean(),
    translate_emoticons: fc.boolean(),
    thumbnail: fc.constantFrom('pending', 'ready', 'impossible', 'none'),
    content_type: filling,
    transcoded: fc.option(filling, { nil: undefined }),
    default_code_block_language: fc.oneof(fc.constant(''), filling),
  })
  .map(({ suffix, page, proxy, thumbnail, content_type, transcoded, ...settings }) => ({
    ...renderContext,
    ...settings,
    realm_url: REALM_URL,
    linkifiers,
    customEmoji: (name) => (name === 'party' ? { id: '1', source_url: `/user_avatars/2/emoji/${suffix}` } : undefined),
    userById: (id) => ({ id, full_name: `Ada${suffix}`, is_active: true }),
    usersByName: (name) => [{ id: 7, full_name: name + suffix, is_active: suffix.length % 2 === 0 }],
    groupByName: (name) => ({ id: 2, name, display_name: name + suffix, deactivated: false }),
    channelByName: (name) => (name.length > 20 ? undefined : { id: 3, name }),
    topicAnchor: (_, topic) => (topic.length % 2 === 0 ? 5 : undefined),
    uploadedImage: () =>
      thumbnail === 'none'
        ? undefined
        : {
            thumbnail: thumbnail as 'pending',
            content_type,
            width: 8,
            height: 6,
            is_animated: suffix.length % 2 === 0,
            ...(transcoded === undefined ? {} : { transcoded }),
          },
    ...(proxy ? { proxyUrl: (url: string) => `https://camo.example/${Buffer.from(url).toString('hex')}` } : {}),
    pagePreview: () => page,
  }))

const RUNS = Number(process.env.FUZZ_RUNS ?? 1_500)

describe('The HTML of hostile content', () => {
  test('A message is made of the elements, attributes and styles of its constructs only.', () => {
    fc.assert(
      fc.property(block, contexts, (content, context) => {
        expect(findFaults(render(content, context).html), content).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  test('A description of a channel is made of the same.', () => {
    fc.assert(
      fc.property(block, contexts, (content, context) => {
        expect(findFaults(renderInline(content, context)), content).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  test('A message whose thumbnails were replaced is made of the same.', () => {
    const image = (thumbnail: 'ready' | 'impossible') => ({
      thumbnail,
      content_type: 'image/"><script>',
      width: 1,
      height: 1,
      transcoded: '"><script>.webp',
    })
    const uploads = build('[', filling, '](/user_uploads/1/ab/cat.png) ', block)
    fc.assert(
      fc.property(uploads, fc.constantFrom('ready' as const, 'impossible' as const), (content, thumbnail) => {
        const uploadedImage = () => ({ ...image('ready'), thumbnail: 'pending' as const })
        const { html } = render(content, { ...renderContext, uploadedImage })
        expect(findFaults(replacePlaceholders(html, '1/ab/cat.png', image(thumbnail))), content).toEqual([])
      }),
      { numRuns: RUNS / 3 },
    )
  })

  test('The difference of two versions, and the marks of found words, add nothing but marks.', () => {
    const words = /x|7|lt|amp|34|script|span|class|alert|frac|e|org|href|[&<>"]+/g
    fc.assert(
      fc.property(block, block, contexts, (before, after, context) => {
        const [from, to] = [render(before, context).html, render(after, context).html]
        expect(findFaults(htmlDiff(from, to), 'marked'), `${before} → ${after}`).toEqual([])
        const text = readHtmlText(to)
        const hits = [...text.text.matchAll(words)].map(({ 0: hit, index }) => ({
          start: index,
          end: index + hit.length,
        }))
        expect(findFaults(highlightParts(to, text, hits), 'marked'), after).toEqual([])
      }),
      { numRuns: RUNS / 3 },
    )
  })

  test('The links of a topic lead to addresses that a browser does not execute.', () => {
    fc.assert(
      fc.property(block, contexts, (topic, context) => {
        for (const { url } of findTopicLinks(topic, context)) expect(isSafeAddress(url), url).toBe(true)
      }),
      { numRuns: RUNS },
    )
  })

  test('The preview of a hostile page is made of the elements of previews only.', () => {
    const attribute = build(fc.constantFrom('"', "'", ''), filling, fc.constantFrom('"', "'", ''))
    const address = build(fc.constantFrom('', 'https://e.org/', 'http://e.org/?', '/', '//', 'x&amp;'), filling)
    const tag = fc.oneof(
      build('<meta property="og:image" content="', address, '">'),
      build('<meta property=og:image content=', attribute, '>'),
      build('<meta property="og:title" content="', filling, '">'),
      build('<meta name="description" content=', attribute, '>'),
      build('<title>', filling, '</title>'),
      build('<link rel="alternate" type="application/json+oembed" href="', address, '">'),
      filling,
    )
    const page = fc.array(tag, { maxLength: 6 }).map((tags) => tags.join(''))
    const frame = build(
      '<iframe ',
      fc.oneof(fc.constant(''), filling),
      ' src="https://player.vimeo.com/',
      filling,
      '"></iframe>',
    )
    const oembed = fc.record({ type: fc.constant('video'), title: filling, thumbnail_url: address, html: frame })
    fc.assert(
      fc.property(page, oembed, contexts, (html, video, context) => {
        const previews = [
          parsePageMeta(html, 'https://page.example/dir/'),
          parseOembedVideo(JSON.stringify(video), 'https://page.example/dir/'),
        ]
        for (const found of previews) {
          const rendered = render('https://page.example/x', { ...context, pagePreview: () => found })
          expect(findFaults(rendered.html), html).toEqual([])
        }
      }),
      { numRuns: RUNS },
    )
  })
})

describe('The check of these tests', () => {
  test.each([
    '<p>x',
    '<p></em></p>',
    '<p><div></div></p>',
    '<script></script>',
    '<p onclick="x"></p>',
    '<p style="color: red"></p>',
    '<span class="x"></span>',
    '<span class="katex"><span style="background: url(x)"></span></span>',
    '<span class="katex"><span style="position: fixed"></span></span>',
    '<span class="katex"><math><mtext><img src="/x"></mtext></math></span>',
    '<math></math>',
    '<!-- x -->',
    '<a href="javascript:x"></a>',
    '<a href="&#106;avascript:x"></a>',
    '<a href="java&Tab;script:x"></a>',
    '<a href="//e.org"></a>',
    '<a href="/\\e.org"></a>',
    '<a href="x"y"></a>',
    '<img src="data:image/svg+xml,x">',
    '<a class="message_embed_image" href="/x" style="background-image: url(&quot;https://e.org/&#34;);position:fixed;x:(&quot;)"></a>',
    '<a class="message_embed_image" href="/x" style="background-image: url(&quot;javascript:x&quot;)"></a>',
    '<table><p>x</p></table>',
  ])('It refuses %j.', (html) => expect(findFaults(html)).not.toEqual([]))
})
