/**
 * The skin tone with which the user writes emoji of people. Names such as `:wave:` have no tone in the protocol, so an
 * emoji with a tone is written as its character. Reactions have none.
 */
import { t } from '../languages/t.js'
import { openBrowserChoice } from '../ui/browser-choice.js'
import { type Emoji, emojiGlyph } from './emoji-table.js'

/** The modifiers of Unicode, by the name that is kept. */
const tones: readonly { name: string; modifier: string; label: string }[] = [
  { name: 'none', modifier: '', label: t('No skin tone') },
  { name: 'light', modifier: '\u{1F3FB}', label: t('Light skin tone') },
  { name: 'medium-light', modifier: '\u{1F3FC}', label: t('Medium-light skin tone') },
  { name: 'medium', modifier: '\u{1F3FD}', label: t('Medium skin tone') },
  { name: 'medium-dark', modifier: '\u{1F3FE}', label: t('Medium-dark skin tone') },
  { name: 'dark', modifier: '\u{1F3FF}', label: t('Dark skin tone') },
]

const choice = openBrowserChoice('skin-tone', 'none')

/** The emoji with the tone of the user, as a character. It is undefined where there is no tone. */
export const toneGlyph = ({ code, type }: Pick<Emoji, 'code' | 'type'>): string | undefined => {
  const modifier = tones.find(({ name }) => name === choice.value.value)?.modifier ?? ''
  const glyph = type === 'unicode_emoji' && modifier !== '' ? emojiGlyph(code) : undefined
  return glyph !== undefined && /^\p{Emoji_Modifier_Base}$/u.test(glyph) ? `${glyph}${modifier}` : undefined
}

/** The choice of the tone. */
export const SkinToneSelect = () => (
  <select
    class="text-field skin-tone"
    aria-label={t('Skin tone')}
    value={choice.value.value}
    onChange={(event) => choice.choose(event.currentTarget.value)}
  >
    {tones.map(({ name, modifier, label }) => (
      <option key={name} value={name}>
        {`\u{1F44B}${modifier} ${label}`}
      </option>
    ))}
  </select>
)
