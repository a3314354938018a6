/** Starts the web client in the page. */
import { render } from 'preact'
import { App } from './app/app.js'
import { applyLanguage } from './languages/t.js'
import { applyTheme } from './theme/theme.js'
import './styles/tokens.css'
import './styles/base.css'

applyLanguage()
applyTheme()
const root = document.getElementById('app')
if (root !== null) render(<App />, root)
// Browsers load the parts of this font with the first emoji that no font of the system has.
void import('@infolektuell/noto-color-emoji/index.css')
