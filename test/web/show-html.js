// The page of rendered-messages.test.ts: shows HTML as the web client shows the content of a message.
import { rebuildHtml } from '../../web/src/messages/rendered/rebuild.js'

globalThis.showHtml = (html) => {
  const main = document.querySelector('main')
  main.replaceChildren(rebuildHtml(html))
  return main.innerHTML
}
