/** The colours that are offered for channels, with their names. They are those that the server gives. */
import { t } from '../languages/t.js'

export const channelColors = [
  { color: '#76ce90', name: t('Green') },
  { color: '#fae589', name: t('Light yellow') },
  { color: '#a6c7e5', name: t('Light blue') },
  { color: '#e79ab5', name: t('Pink') },
  { color: '#bfd56f', name: t('Lime') },
  { color: '#f4ae55', name: t('Orange') },
  { color: '#b0a5fd', name: t('Lavender') },
  { color: '#addfe5', name: t('Cyan') },
  { color: '#f5ce6e', name: t('Yellow') },
  { color: '#c2726a', name: t('Brick red') },
  { color: '#94c849', name: t('Grass green') },
  { color: '#bd86e5', name: t('Purple') },
  { color: '#ee7e4a', name: t('Dark orange') },
  { color: '#a6dcbf', name: t('Mint') },
  { color: '#95a5fd', name: t('Blue') },
  { color: '#53a063', name: t('Dark green') },
] as const
