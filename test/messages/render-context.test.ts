/** The render context of a message: the settings of the organization and of the sender (protocol/messages.md 6). */
import { expect, test } from 'vitest'
import type { RealmRow, UserRow } from '../../src/domain/log/rows.js'
import { render } from '../../src/domain/markdown/render.js'
import { buildRenderContext } from '../../src/domain/rendering/message-render-context.js'
import { renderDescription } from '../../src/domain/rendering/names-and-descriptions.js'
import { systemGroups } from '../../src/domain/settings/group-setting-values.js'
import { StateBuilder } from '../setup/realm/state-builder.js'

const setUp = (settings: RealmRow['settings'] = {}) => {
  const builder = new StateBuilder(settings)
  const ada = builder.user({ full_name: 'Ada' })
  const html = (content: string, options: { sender?: UserRow; isKnown?: (user: UserRow) => boolean } = {}) => {
    const { sender = ada, isKnown = () => true } = options
    return render(content, buildRenderContext(builder.state, sender, { realm_url: undefined, isKnown })).html
  }
  return { builder, ada, html }
}

test('A code block without a language uses the default language of the organization.', () => {
  const code = '```\nx\n```'
  expect(setUp().html(code)).toBe('<div class="codehilite"><pre><span></span><code>x\n</code></pre></div>')
  expect(setUp({ default_code_block_language: 'py' }).html(code)).toBe(
    '<div class="codehilite" data-code-language="Python"><pre><span></span><code><span class="n">x</span>\n</code></pre></div>',
  )
})

test('Images of other sites are shown unless the organization has turned them off.', () => {
  const url = 'https://e.org/a.png'
  expect(setUp().html(url)).toContain('<img src="https://e.org/a.png">')
  expect(setUp({ inline_image_preview: false }).html(url)).toBe(`<p><a href="${url}">${url}</a></p>`)
})

test('Emoticons become emoji if the sender has turned that on.', () => {
  const { builder, html } = setUp()
  const grace = builder.user({ settings: { translate_emoticons: true } })
  expect(html(':)')).toBe('<p>:)</p>')
  expect(html(':)', { sender: grace })).toContain('class="emoji emoji-1f642"')
})

test('Linkifiers apply in the order of the organization.', () => {
  const { builder, html } = setUp()
  const linkifier = (id: number, position: number) =>
    builder.put('linkifiers', { id, position, pattern: '#(?P<n>[0-9]+)', url_template: `https://t${id}/{n}` })
  linkifier(1, 2)
  linkifier(2, 1)
  expect(html('#42')).toBe('<p><a href="https://t2/42">#42</a></p>')
})

test('A custom emoji is rendered as its image while it is active.', () => {
  const { builder, html } = setUp()
  const emoji = (id: number, name: string, deactivated: boolean) =>
    builder.put('emoji', { id, name, author_id: 1, deactivated, file_name: `${id}.png`, still_file_name: null })
  emoji(1, 'party', false)
  emoji(2, 'gone', true)
  emoji(3, 'smile', true)
  emoji(4, 'smile', false)
  const shown = (name: string, file: string) =>
    `<img alt=":${name}:" class="emoji" src="/user_avatars/1/emoji/images/${file}" title="${name}">`
  expect(html(':party: :gone: :smile:')).toBe(`<p>${shown('party', '1.png')} :gone: ${shown('smile', '4.png')}</p>`)
})

test('A channel link needs the exact name of a channel that the sender can access.', () => {
  const { builder, ada, html } = setUp()
  builder.channel({ id: 3, name: 'design' })
  const secret = builder.channel({ id: 4, name: 'secret', invite_only: true })
  const link = (id: number, name: string) =>
    `<a class="stream" data-stream-id="${id}" href="/#narrow/channel/${id}-${name}">#${name}</a>`
  expect(html('#**design** #**Design**')).toBe(`<p>${link(3, 'design')} #<strong>Design</strong></p>`)
  expect(html('#**secret** #**secret>x@5**')).toBe('<p>#<strong>secret</strong> #<strong>secret&gt;x@5</strong></p>')
  builder.subscribe(ada, secret)
  expect(html('#**secret**')).toBe(`<p>${link(4, 'secret')}</p>`)
})

test('A description is rendered in one line and without images.', () => {
  const { builder, ada } = setUp()
  expect(renderDescription(builder.state, ada, 'All of\n\n*it*: https://e.org/a.png')).toBe(
    '<p>All of <em>it</em>: <a href="https://e.org/a.png">https://e.org/a.png</a></p>',
  )
})

test('A mention needs a user whom the sender can access.', () => {
  const { builder, html } = setUp()
  const grace = builder.user({ full_name: 'Grace' })
  const mention = `<span class="user-mention" data-user-id="${grace.id}">@Grace</span>`
  expect(html(`@**grace** @**Grace|${grace.id}**`)).toBe(`<p>${mention} ${mention}</p>`)
  expect(html(`@**grace** @**|${grace.id}**`, { isKnown: ({ id }) => id !== grace.id })).toBe(
    `<p>@<strong>grace</strong> @<strong>|${grace.id}</strong></p>`,
  )
})

test.each([
  ['role:nobody', 'Nobody'],
  ['role:owners', 'Owners'],
  ['role:administrators', 'Administrators'],
  ['role:moderators', 'Moderators'],
  ['role:fullmembers', 'Full members'],
  ['role:members', 'Members'],
  ['role:everyone', 'Everyone'],
  ['role:internet', 'Everyone on the internet'],
])('The group %s is shown as %s.', (name, shown) => {
  const id = systemGroups.find((group) => group.name === name)?.id
  expect(setUp().html(`@*${name}*`)).toBe(
    `<p><span class="user-group-mention" data-user-group-id="${id}">@${shown}</span></p>`,
  )
})

test('A group mention needs the exact name, and a mention of a deactivated group is silent.', () => {
  const { builder, html } = setUp()
  builder.group({ id: 12, name: 'devs' })
  builder.group({ id: 14, name: 'old', deactivated: true })
  expect(html('@*devs* @*Devs* @*old*')).toBe(
    '<p><span class="user-group-mention" data-user-group-id="12">@devs</span> @<em>Devs</em> ' +
      '<span class="user-group-mention silent" data-user-group-id="14">old</span></p>',
  )
})
