// The part of conformance.ts that runs in the page. Each function returns what is wrong, in words.
;(() => {
  const targets =
    'a[href], button, summary, input:not([type=hidden]), select, textarea, [role=button], [role=link], [role=tab], ' +
    '[role=menuitem], [role=menuitemradio], [role=menuitemcheckbox], [role=option], [role=switch]'
  const MINIMUM = 24

  /** What can be used now: a dialog that is open makes the rest inert. */
  const top = () => [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body

  const isVisible = (element) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
    const { width, height } = element.getBoundingClientRect()
    return width > 1 && height > 1
  }

  /** Whether it is there for screen readers alone. */
  const isOnlyRead = (element) => element.closest('.only-for-screen-readers, .katex-mathml') !== null

  const describe = (element) => {
    const name = element.getAttribute('aria-label') ?? element.textContent ?? ''
    const className = typeof element.className === 'string' ? element.className : ''
    return `${element.tagName.toLowerCase()}${className && `.${className.trim().split(/\s+/).join('.')}`} "${name.trim().slice(0, 40)}"`
  }

  const isInView = ({ left, right, top, bottom }) => left < innerWidth && right > 0 && top < innerHeight && bottom > 0

  /** Whether a point of the element is on top of everything else. */
  const isUncovered = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    for (const x of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      for (const y of [0.1, 0.3, 0.5, 0.7, 0.9]) {
        const hit = document.elementFromPoint(left + width * x, top + height * y)
        if (hit !== null && (element.contains(hit) || hit.contains(element) || element.labels?.[0]?.contains(hit)))
          return true
      }
    }
    return false
  }

  const focusable = () =>
    [...top().querySelectorAll(`${targets}, [tabindex="0"]`)].filter(
      (one) => one.tabIndex >= 0 && !one.disabled && isVisible(one) && one.closest('[inert]') === null,
    )

  /** The visible texts below the top, with the boxes of their lines. */
  function* lines() {
    const walker = document.createTreeWalker(top(), NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    while (walker.nextNode()) {
      const node = walker.currentNode
      const parent = node.parentElement
      if (node.data.trim() === '' || parent.closest('option, script, style') !== null) continue
      if (!isVisible(parent) || isOnlyRead(parent)) continue
      range.selectNodeContents(node)
      yield { parent, text: node.data.trim().slice(0, 40), boxes: [...range.getClientRects()] }
    }
  }

  /** Which side of a box an ancestor cuts off, if any. What can be scrolled into sight is not cut off. */
  const cutSide = (parent, { left, right, top, bottom, height }) => {
    let [acrossEnds, downEnds] = [false, false]
    for (let one = parent; one !== null && one !== document.documentElement; one = one.parentElement) {
      const style = getComputedStyle(one)
      if (style.display === 'inline' || style.display === 'contents') continue
      const box = one.getBoundingClientRect()
      const paints = /paint|strict|content/.test(style.contain)
      const cuts = (overflow) => paints || overflow === 'hidden' || overflow === 'clip'
      const scrolls = (overflow) => overflow === 'auto' || overflow === 'scroll'
      // A button "Show more" opens a folded message, and a title of a preview has its link.
      if (one.matches('.message-folded') || style.webkitLineClamp !== 'none') downEnds = true
      if (style.textOverflow === 'ellipsis' || one.matches('input, select')) acrossEnds = true
      if (!acrossEnds && cuts(style.overflowX) && (left < box.left - 2 || right > box.right + 2)) return 'across'
      if (!downEnds && cuts(style.overflowY) && (top < box.top - height / 5 || bottom > box.bottom + height / 5))
        return 'down'
      acrossEnds ||= scrolls(style.overflowX)
      downEnds ||= scrolls(style.overflowY)
      if (style.position === 'fixed') break
    }
    return undefined
  }

  /** The element that is painted over the middle of a box, if any. */
  const findCover = (parent, box) => {
    if (!isInView(box) || getComputedStyle(parent).pointerEvents === 'none') return undefined
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
    if (x < 0 || y < 0 || x >= innerWidth || y >= innerHeight) return undefined
    const hit = document.elementFromPoint(x, y)
    if (hit === null || hit.contains(parent) || parent.contains(hit) || !isVisible(hit)) return undefined
    // The buttons over a message can be hidden (web/src/ui/dismiss-hover.ts), and signs of a formula are over others.
    if (hit.closest('.message-tools') !== null || parent.closest('.katex') !== null) return undefined
    // Scrolled out of the area that has it.
    for (let one = parent; one !== null; one = one.parentElement) {
      const { left, right, top, bottom } = one.getBoundingClientRect()
      const isArea = getComputedStyle(one).overflowY !== 'visible' || getComputedStyle(one).overflowX !== 'visible'
      if (isArea && (x < left || x > right || y < top || y > bottom)) return undefined
    }
    return hit
  }

  /** What a pointer can hit. */
  const usable = () =>
    [...top().querySelectorAll(targets)].filter(
      (one) => isVisible(one) && !isOnlyRead(one) && !one.disabled && getComputedStyle(one).pointerEvents !== 'none',
    )

  /** A label around a box is a part of its target. */
  const boxOf = (target) => (target.closest('label') ?? target).getBoundingClientRect()

  const isSmall = ({ width, height }) => Math.min(width, height) < MINIMUM - 0.5

  const middleOf = ({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2]

  const distance = (x, y, { left, right, top, bottom }) =>
    Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom))

  const isOnTop = (target, x, y) => {
    const hit = document.elementFromPoint(x, y)
    return hit !== null && (target.closest('label') ?? target).contains(hit)
  }

  /** The size of a link or a button in a sentence is that of its line, which the criterion excepts. */
  const isInSentence = (target) =>
    getComputedStyle(target).display === 'inline' &&
    [...target.parentElement.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '')

  const normalize = (text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()

  /** What a user sees as the label of a control. */
  const visibleLabel = (control) => {
    if (control.labels?.length > 0) return control.labels[0].textContent
    const texts = []
    const walker = document.createTreeWalker(control, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement
      if (isVisible(parent) && !isOnlyRead(parent)) texts.push(walker.currentNode.data)
    }
    return texts.join(' ')
  }

  globalThis.conformance = {
    /** 2.4.11: what has the focus and is completely behind something else, or out of sight. */
    findCoveredFocus() {
      const found = []
      let count = 0
      for (const element of focusable()) {
        if (!element.isConnected || !isVisible(element)) continue
        element.focus()
        if (document.activeElement !== element) continue
        count += 1
        if (!isInView(element.getBoundingClientRect())) found.push(`out of sight: ${describe(element)}`)
        else if (!isUncovered(element)) {
          const box = element.getBoundingClientRect()
          const hit = document.elementFromPoint(...middleOf(box))
          found.push(`behind ${hit === null ? 'the edge' : describe(hit)} ${JSON.stringify(box)}: ${describe(element)}`)
        }
      }
      return { found, count }
    },

    /** 2.5.8: targets that are too small and too near to others. */
    findSmallTargets() {
      const found = []
      const all = usable()
      for (const one of all) {
        if (!isSmall(boxOf(one)) || isInSentence(one)) continue
        // What is scrolled out of sight is beside other things than it seems.
        one.scrollIntoView({ block: 'center', inline: 'center' })
        const box = boxOf(one)
        const [x, y] = middleOf(box)
        if (!isOnTop(one, x, y)) continue
        const near = all.find((other) => {
          if (other === one || other.contains(one) || one.contains(other) || one.closest('label')?.contains(other))
            return false
          const second = boxOf(other)
          const [u, v] = middleOf(second)
          const isTooNear =
            distance(x, y, second) < MINIMUM / 2 - 0.5 || (isSmall(second) && Math.hypot(u - x, v - y) < MINIMUM - 0.5)
          return isTooNear && isOnTop(other, u, v)
        })
        if (near !== undefined)
          found.push(`${Math.round(box.width)}×${Math.round(box.height)}: ${describe(one)} beside ${describe(near)}`)
      }
      return { found, count: all.length }
    },

    /** 2.5.3: names that do not contain what is seen. */
    findOtherNames() {
      const found = []
      let count = 0
      for (const control of top().querySelectorAll(`${targets}, article, [role=group]`)) {
        const ids = control.getAttribute('aria-labelledby')?.split(' ')
        const name =
          ids?.map((id) => document.getElementById(id)?.textContent ?? '').join(' ') ??
          control.getAttribute('aria-label')
        if (name === null || !control.matches(targets) || !isVisible(control)) continue
        const seen = normalize(visibleLabel(control))
        if (seen === '') continue
        count += 1
        if (!normalize(name).includes(seen)) found.push(`${describe(control)} shows "${seen}"`)
      }
      return { found, count }
    },

    /**
     * 1.4.10: what is wider than the screen, and what scrolls sideways though it is no table, code or formula, and no
     * bar of buttons or links, which scrolls in this direction alone.
     */
    findSideways() {
      const found = []
      if (document.documentElement.scrollWidth > innerWidth) found.push('The page is wider than the screen.')
      for (const one of top().querySelectorAll('*')) {
        if (one.scrollWidth <= one.clientWidth + 1 || !isVisible(one)) continue
        const { overflowX } = getComputedStyle(one)
        if (overflowX !== 'auto' && overflowX !== 'scroll') continue
        if (one.matches('.table-frame, pre, .katex-display, .wide-formula, [role=toolbar], .many-tabs')) continue
        found.push(`scrolls sideways: ${describe(one)}`)
      }
      return { found }
    },

    /** 1.4.10 and 1.4.12: texts that are cut off, or behind something else. */
    findLostText() {
      const found = new Set()
      let count = 0
      // What belongs to the focus is over other things.
      document.activeElement?.blur()
      for (const { parent, text, boxes } of lines()) {
        count += 1
        for (const box of boxes) {
          const side = cutSide(parent, box)
          const cover = findCover(parent, box)
          if (side !== undefined) found.add(`cut off ${side}: ${describe(parent)} "${text}"`)
          else if (cover !== undefined) found.add(`behind ${describe(cover)}: ${describe(parent)} "${text}"`)
        }
      }
      return { found: [...found], count }
    },

    /** The least spacing that 1.4.12 asks a page to bear. */
    spaceText() {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync(
        '* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }' +
          'p { margin-bottom: 2em !important }',
      )
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    },

    /** 1.4.13: the selectors of what appears while the pointer or the focus is on something. */
    listHoverContent() {
      const found = new Set()
      const read = (rules) => {
        for (const rule of rules) {
          if (rule.cssRules?.length > 0) read(rule.cssRules)
          if (rule.selectorText === undefined || !/:hover|:focus/.test(rule.selectorText)) continue
          const shows = ['opacity', 'visibility', 'display', 'content', 'clip-path', 'transform', 'pointer-events']
          if (shows.some((property) => rule.style.getPropertyValue(property) !== '')) found.add(rule.selectorText)
        }
      }
      for (const sheet of document.styleSheets) read(sheet.cssRules)
      return { found: [...found] }
    },
  }
})()
