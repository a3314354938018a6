// The part of contrast.ts that runs in the page. It has the contrast of what is drawn, from the computed styles.
;(() => {
  const controls =
    'a[href], button, summary, input:not([type=hidden]), select, textarea, [role=button], [role=link], [role=tab], ' +
    '[role=menuitem], [role=menuitemradio], [role=menuitemcheckbox], [role=option], [role=switch]'
  const pixel = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', {
    willReadFrequently: true,
  })
  const colors = new Map()

  /** Red, green and blue from 0 to 255, and alpha from 0 to 1. */
  const parse = (text) => {
    let color = colors.get(text)
    if (color === undefined) {
      pixel.clearRect(0, 0, 1, 1)
      pixel.fillStyle = text
      pixel.fillRect(0, 0, 1, 1)
      const [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data
      color = [r, g, b, a / 255]
      colors.set(text, color)
    }
    return color
  }

  const over = ([r, g, b, a], [s, h, c, d]) => {
    const alpha = a + d * (1 - a)
    const mix = (front, back) => (alpha === 0 ? 0 : (front * a + back * d * (1 - a)) / alpha)
    return [mix(r, s), mix(g, h), mix(b, c), alpha]
  }

  const luminance = (color) => {
    const [r, g, b] = color.slice(0, 3).map((value) => {
      const part = value / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }

  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b)
    return (light + 0.05) / (dark + 0.05)
  }

  /** The boxes behind a box: its ancestors, or what is painted below an element that is placed over others. */
  const boxesBehind = (element) => {
    const ancestors = []
    for (let box = element; box !== null; box = box.parentElement) ancestors.push(box)
    const placed = ancestors.findIndex((box) => ['absolute', 'fixed'].includes(getComputedStyle(box).position))
    const solid = ancestors.findIndex((box) => parse(getComputedStyle(box).backgroundColor)[3] === 1)
    if (placed === -1 || (solid !== -1 && solid <= placed)) return ancestors
    const { x, y, width, height } = element.getBoundingClientRect()
    const painted = document.elementsFromPoint(x + width / 2, y + height / 2)
    const own = painted.indexOf(element)
    if (own === -1) return ancestors
    const kept = ancestors.slice(0, placed + 1)
    return [...kept, ...painted.slice(own).filter((box) => !kept.includes(box))]
  }

  /** The colours of a mark on a box, and of the box without it, as they are painted. */
  const paint = (color, box, withOwn = true) => {
    let mark = color
    let ground = [0, 0, 0, 0]
    const ancestors = new Set()
    for (let one = box; one !== null; one = one.parentElement) ancestors.add(one)
    for (const one of boxesBehind(box)) {
      const style = getComputedStyle(one)
      if (withOwn || one !== box) {
        const fill = parse(style.backgroundColor)
        mark = over(mark, fill)
        ground = over(ground, fill)
      }
      const opacity = ancestors.has(one) ? Number(style.opacity) : 1
      if (opacity < 1) {
        mark = [...mark.slice(0, 3), mark[3] * opacity]
        ground = [...ground.slice(0, 3), ground[3] * opacity]
      }
    }
    const canvas = parse('canvas')
    return [over(mark, canvas), over(ground, canvas)]
  }

  const ratio = (color, box, withOwn) => contrast(...paint(color, box, withOwn))

  const isVisible = (element) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
    const { width, height } = element.getBoundingClientRect()
    return width > 2 && height > 2 && getComputedStyle(element).clipPath === 'none'
  }

  const describe = (element) => {
    const { tagName, className, textContent } = element
    const name = element.getAttribute('aria-label') ?? textContent ?? ''
    const classes = typeof className === 'string' ? className : ''
    return `${tagName.toLowerCase()}${classes && `.${classes.split(/\s+/).join('.')}`} "${name.trim().slice(0, 40)}"`
  }

  /** Elements with the same signature look the same, so that one of them is measured. */
  const signature = (element) => {
    const parts = []
    for (let one = element; one !== null; one = one.parentElement) {
      const states = [...one.attributes]
        .filter(({ name }) =>
          /^(aria-(?!label|controls|describedby|activedescendant|posinset|setsize)|data-(?!contrast)|type$|disabled|open|role$)/.test(
            name,
          ),
        )
        .map(({ name, value }) => `${name}=${value.slice(0, 12).replace(/\d+/g, '')}`)
      parts.push(`${one.tagName}.${one.getAttribute('class') ?? ''}[${states}]`)
    }
    return `${parts.join('<')} ${[...element.querySelectorAll('*')].map((one) => one.tagName + (one.getAttribute('class') ?? '')).join()}`
  }

  const isDisabled = (element) => element.matches(':disabled') || element.closest('[aria-disabled=true]') !== null

  /** Whether the text has characters that have a colour of their own. */
  const hasLetters = (text) => /[\p{L}\p{N}\p{P}\p{Sm}\p{Sc}]/u.test(text)

  const measureText = (control, report) => {
    const walker = document.createTreeWalker(control, NodeFilter.SHOW_TEXT)
    const boxes = new Set()
    while (walker.nextNode()) {
      if (hasLetters(walker.currentNode.data)) boxes.add(walker.currentNode.parentElement)
    }
    if (control.value !== undefined && /^(INPUT|SELECT|TEXTAREA)$/.test(control.tagName)) boxes.add(control)
    for (const box of boxes) {
      if (box.tagName === 'OPTION' || !isVisible(box)) continue
      const style = getComputedStyle(box)
      const size = Number.parseFloat(style.fontSize)
      const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700)
      report('text', ratio(parse(style.color), box), isDisabled(control) || isLarge ? 3 : 4.5)
      if (box.placeholder) report('placeholder', ratio(parse(getComputedStyle(box, '::placeholder').color), box), 4.5)
    }
    for (const icon of control.querySelectorAll('svg')) {
      if (isVisible(icon)) report('icon', ratio(parse(getComputedStyle(icon).color), icon), 3)
    }
  }

  /** The edge of a control with a border: the border, or its fill, differs from what is around it. */
  const measureEdge = (control, report) => {
    const style = getComputedStyle(control)
    const border = parse(style.borderTopColor)
    if (Number.parseFloat(style.borderTopWidth) === 0 || style.borderTopStyle === 'none') return
    if (/checkbox|radio|range|color|file/.test(control.type) || border[3] === 0 || isDisabled(control)) return
    const around = paint([0, 0, 0, 0], control, false)[1]
    const edge = contrast(paint(border, control)[0], around)
    const fill = contrast(paint([0, 0, 0, 0], control)[1], around)
    report('edge', Math.max(edge, fill), 3)
  }

  /** The ring of focus against what it is drawn on. */
  const measureRing = (control, report) => {
    const style = getComputedStyle(control)
    const width = Number.parseFloat(style.outlineWidth)
    if (style.outlineStyle === 'none' || width === 0) {
      // A field inside a frame shows the focus at the frame.
      let frame = control
      while (frame !== null && frame.dataset.contrastLook === look(frame)) frame = frame.parentElement
      const color = frame === null ? undefined : parse(getComputedStyle(frame).borderTopColor)
      report('ring', color === undefined ? 1 : ratio(color, frame, false), 3)
      return
    }
    if (/checkbox|radio|range|color|file/.test(control.type)) return
    const isInside = Number.parseFloat(style.outlineOffset) < 0
    report('ring', ratio(parse(style.outlineColor), control, isInside), 3)
  }

  const look = (element) => {
    const { borderTopColor, boxShadow, backgroundColor, outline } = getComputedStyle(element)
    return [borderTopColor, boxShadow, backgroundColor, outline].join()
  }

  const known = new Set()

  globalThis.contrastInPage = {
    /** Marks the controls that look different from all before, and what is around them. @returns how many */
    mark() {
      for (const one of document.querySelectorAll('[data-contrast]')) delete one.dataset.contrast
      const found = [...document.querySelectorAll(controls)].filter((one) => {
        if (one.closest('.swagger-ui .hidden, [inert]') !== null) return false
        const own = signature(one)
        if (known.has(own)) return false
        known.add(own)
        return true
      })
      for (const control of found) {
        control.dataset.contrast = 'control'
        for (
          let one = control.parentElement;
          one !== null && one !== document.documentElement;
          one = one.parentElement
        ) {
          one.dataset.contrast ??= 'around'
        }
      }
      return found.length
    },
    /** What is too faint in a state. */
    measure(state) {
      for (const animation of document.getAnimations()) {
        try {
          animation.finish()
        } catch {
          // It has no end.
        }
      }
      const faint = []
      let count = 0
      for (const control of document.querySelectorAll('[data-contrast=control]')) {
        const isOff = isDisabled(control)
        if (!isVisible(control) || (isOff && /focus|active/.test(state))) continue
        const report = (what, value, needed) => {
          count += 1
          if (value < needed - 0.01)
            faint.push(`${state}: ${what} ${value.toFixed(2)} of ${needed}: ${describe(control)}`)
        }
        measureText(control, report)
        measureEdge(control, report)
        if (state === 'focus') measureRing(control, report)
        if (state === 'rest') {
          for (let one = control; one !== null; one = one.parentElement) one.dataset.contrastLook = look(one)
        }
      }
      return { faint, count }
    },
  }
})()
