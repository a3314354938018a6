/** The direction in which the page is laid out: that of its language. Texts of users have directions of their own. */
import { directionOf } from '#rules/languages.js'
import { language } from './t.js'

/** Whether lines begin at the right. */
export const isRightToLeft = directionOf(language) === 'rtl'

const forward = isRightToLeft ? 'ArrowLeft' : 'ArrowRight'
const backward = isRightToLeft ? 'ArrowRight' : 'ArrowLeft'

/** Where a key leads in a row: 1 to what follows, -1 back, 0 if it is no arrow. */
export const stepOfArrow = (key: string): 1 | -1 | 0 => (key === forward ? 1 : key === backward ? -1 : 0)
